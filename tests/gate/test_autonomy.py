"""How much runs without a person is one table, and nothing but a person sets the level."""

import pytest

from agentcli.gate.autonomy import IN_WORDS, MATRIX, Level, effective_level, judge_level, verdict_at
from agentcli.gate.verdicts import Decision
from agentcli.tools.outcome import Category
from agentcli.tools.risk import Risk

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY

# fmt: off
TABLE = [
    # level  read    write   irreversible
    (0,      DENY,   DENY,   DENY),
    (1,      ALLOW,  DENY,   DENY),
    (2,      ALLOW,  ASK,    ASK),
    (3,      ALLOW,  ALLOW,  ASK),
    (4,      ALLOW,  ALLOW,  ALLOW),
]
# fmt: on
CELLS = [
    pytest.param(Level(row[0]), risk, decision, id=f"{row[0]}-{risk}")
    for row in TABLE
    for risk, decision in zip((Risk.READ, Risk.WRITE, Risk.IRREVERSIBLE), row[1:], strict=True)
]


@pytest.mark.parametrize(("level", "risk", "decision"), CELLS)
def test_the_table_decides(level: Level, risk: Risk, decision: Decision) -> None:
    """Every cell of level and risk, written out a second time."""
    assert verdict_at(level, risk) is decision
    assert judge_level(level, risk).decision is decision


def test_the_table_has_no_other_cells() -> None:
    """Five levels, three risks."""
    assert {level: len(row) for level, row in MATRIX.items()} == dict.fromkeys(Level, len(Risk))


@pytest.mark.parametrize("level", Level)
def test_a_worse_risk_is_never_decided_more_mildly(level: Level) -> None:
    """Along a row the decision only gets stricter."""
    strictness = [verdict_at(level, risk).strictness for risk in (Risk.READ, Risk.WRITE, Risk.IRREVERSIBLE)]
    assert strictness == sorted(strictness)


@pytest.mark.parametrize("risk", Risk)
def test_a_higher_level_is_never_stricter(risk: Risk) -> None:
    """Down a column the decision only gets milder."""
    strictness = [verdict_at(level, risk).strictness for level in Level]
    assert strictness == sorted(strictness, reverse=True)


@pytest.mark.parametrize("tool", [None, *Level], ids=str)
@pytest.mark.parametrize("session", Level, ids=str)
def test_a_tool_s_own_level_replaces_the_session_s_but_not_zero(session: Level, tool: Level | None) -> None:
    """A tool's level counts, up or down; at session level 0 no tool has anything to say."""
    expected = session if tool is None or session == 0 else tool
    assert effective_level(session, tool) == expected


def test_a_denial_by_level_begins_as_promised() -> None:
    """The message names the level, and the kind of failure is permission; trying again is of no use."""
    verdict = judge_level(Level.LOOK, Risk.IRREVERSIBLE)
    assert verdict.reason == "not permitted at this autonomy level (1)"
    assert (verdict.rule, verdict.category, verdict.retryable, verdict.status) == (
        "level",
        Category.PERMISSION,
        False,
        "blocked",
    )


@pytest.mark.parametrize(
    ("level", "risk", "reason"),
    [
        pytest.param(Level.PROPOSE, Risk.IRREVERSIBLE, "level 2 asks for irreversible calls", id="ask"),
        pytest.param(Level.LOOK, Risk.READ, "level 1 allows read calls", id="allow"),
    ],
)
def test_the_level_says_why(level: Level, risk: Risk, reason: str) -> None:
    """A person who is asked sees which level asks, and for what kind of call."""
    verdict = judge_level(level, risk)
    assert (verdict.reason, verdict.category) == (reason, None)


def test_every_level_has_words() -> None:
    """Each level is described in one line."""
    assert set(IN_WORDS) == set(Level)
    assert all("\n" not in words for words in IN_WORDS.values())
