"""How much runs without a person: level × risk."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, assert_never

from agentcli.gate.verdicts import Decision, RuleName, Verdict
from agentcli.tools.outcome import Category
from agentcli.tools.risk import Risk


class Level(IntEnum):
    """How much an agent may do alone."""

    TALK = 0
    LOOK = 1
    PROPOSE = 2
    BOUNDED = 3
    ALONE = 4


_ALLOW, _ASK, _DENY = Decision.ALLOW, Decision.ASK, Decision.DENY

MATRIX: Final[Mapping[Level, tuple[Decision, Decision, Decision]]] = {
    # level          READ    WRITE   IRREVERSIBLE
    Level.TALK:    (_DENY,  _DENY,  _DENY),
    Level.LOOK:    (_ALLOW, _DENY,  _DENY),
    Level.PROPOSE: (_ALLOW, _ASK,   _ASK),
    Level.BOUNDED: (_ALLOW, _ALLOW, _ASK),
    Level.ALONE:   (_ALLOW, _ALLOW, _ALLOW),
}  # fmt: skip

IN_WORDS: Final[Mapping[Level, str]] = {
    Level.TALK: "no tools are offered to the model",
    Level.LOOK: "may look",
    Level.PROPOSE: "may propose; a person says yes or no",
    Level.BOUNDED: "runs within its limits; what can't be undone is asked",
    Level.ALONE: "runs alone, watched; its first line says so and names the limits",
}

_COLUMNS: Final = (Risk.READ, Risk.WRITE, Risk.IRREVERSIBLE)


def verdict_at(level: Level, risk: Risk) -> Decision:
    """Return what the table says."""
    return MATRIX[level][_COLUMNS.index(risk)]


def effective_level(session: Level, tool: Level | None) -> Level:
    """Return the level that counts for one tool: its own if it has one, but session level 0 wins over all."""
    return session if tool is None or session is Level.TALK else tool


def judge_level(level: Level, risk: Risk) -> Verdict:
    """Return the verdict of the level rule."""
    decision = verdict_at(level, risk)
    match decision:
        case Decision.ALLOW:
            return Verdict(RuleName.LEVEL, decision, f"level {level} allows {risk} calls")
        case Decision.ASK:
            return Verdict(RuleName.LEVEL, decision, f"level {level} asks for {risk} calls")
        case Decision.DENY:
            reason = f"not permitted at this autonomy level ({int(level)})"
            return Verdict(RuleName.LEVEL, decision, reason, Category.PERMISSION)
        case _:
            assert_never(decision)
