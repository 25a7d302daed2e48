"""What commands show."""

from datetime import UTC, datetime
from typing import get_args

import pytest
from msgspec.structs import replace

from agentcli.agents import shipped
from agentcli.gate.autonomy import Level
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.slash import showing
from agentcli.terminal.slash.command_table import COMMANDS
from agentcli.terminal.surroundings import LevelSources
from agentcli.tools.toolset import Toolset
from tests.session import telling as t

EXPENSES = list(shipped("expenses").toolset)
TOOLS = Toolset("tester")


@TOOLS.read
def look() -> dict[str, str]:
    """Look around.

    More about it.
    """
    return {}


@TOOLS.read(approval=True)
def pry() -> dict[str, str]:
    """Look where one should ask first."""
    return {}


@TOOLS.irreversible
def erase() -> dict[str, str]:
    """Erase it."""
    return {}


ALL = list(TOOLS)


@pytest.mark.parametrize("width", [80, 200])
def test_help_is_a_line_a_command(width: int) -> None:
    """And two about what is no command: the keys, and words."""
    lines = list(showing.help_lines(None, width))
    assert len(lines) == len(COMMANDS) + 2
    assert all(key in " ".join(lines[-2:]) for key in ("Tab", "Ctrl-R", "Ctrl-J", "Esc", "Ctrl-D"))
    assert all(command.summary in line for command, line in zip(COMMANDS, lines, strict=False))
    assert max(map(cell_width, lines)) <= width


def test_help_on_a_narrow_screen_stands_below_its_command() -> None:
    """Nothing is cut."""
    lines = list(showing.help_lines(None, 30))
    assert max(map(cell_width, lines)) <= 30
    assert " ".join(" ".join(lines).split()).startswith(
        "/help [COMMAND] what can be typed /level [TOOL] [N|default] how"
    )


def test_help_about_one_command_says_all_of_it() -> None:
    """What it takes, what it does, and more where there is more."""
    lines = list(showing.help_lines("level", 60))
    assert lines[:2] == ["/level [TOOL] [N|default]", "  how much runs without you; alone: every tool"]
    assert "answers no open question" in " ".join(lines).replace("  ", " ")
    assert list(showing.help_lines("tools", 60)) == ["/tools", "  what the agent can do, by level"]


def test_the_level_of_every_tool_is_shown_with_its_source() -> None:
    """A tool's own level, unless the session's is 0."""
    state = t.state_of(t.opened(), t.attached(), t.level_set(Level.BOUNDED, "erase"))
    sources = LevelSources("default", {"erase": "/level by ana"})
    assert list(showing.level_lines(state, ALL, sources, 80)) == [
        "level 2: may propose; a person says yes or no (default)",
        "look   read          level 2  allow  the session's",
        "pry    read          level 2  ask    the session's",
        "erase  irreversible  level 3  ask    /level by ana",
    ]
    assert list(showing.level_lines(state, ALL, sources, 30))[-2:] == [
        "erase: level 3, ask",
        "  irreversible; /level by ana",
    ]
    talk = t.going_on(state, t.level_set(Level.TALK))
    lines = list(showing.level_lines(talk, ALL, LevelSources(), 80))
    assert lines[-1] == "erase  irreversible  level 0  deny  the session's"


def test_tools_are_shown_with_what_each_level_says() -> None:
    """The first line of what they do, beside it where that fits, else below; now, the session's level."""
    state = t.state_of(t.opened(), t.attached())
    assert list(showing.tool_lines(state, ALL, 100)) == [
        "tool   risk          0     1      2      3      4",
        "look   read          deny  allow  allow  allow  allow  Look around.",
        "pry    read          deny  ask    ask    ask    ask    Look where one should ask first.",
        "erase  irreversible  deny  deny   ask    ask    allow  Erase it.",
        "now level 2: may propose; a person says yes or no",
    ]
    assert list(showing.tool_lines(state, ALL, 80)) == [
        "tool   risk          0     1      2      3      4",
        "look   read          deny  allow  allow  allow  allow",
        "  Look around.",
        "pry    read          deny  ask    ask    ask    ask",
        "  Look where one should ask first.",
        "erase  irreversible  deny  deny   ask    ask    allow",
        "  Erase it.",
        "now level 2: may propose; a person says yes or no",
    ]


def test_level_4_is_told_without_what_the_first_line_says() -> None:
    """There is none here that names the limits."""
    assert showing.level_in_words(Level.ALONE) == "level 4: runs alone, watched"


def test_facts_say_whether_they_hold_and_what_showed_it() -> None:
    """One that has expired is known no longer."""
    facts = (
        Fact("seen", "a\x1b", True, "c1"),
        Fact("seen", "b", False, "c1"),
        Fact("seen", "c", True, "gone", expires_at=t.at(5)),
    )
    state = t.state_of(*t.BEGUN, t.replied(t.use("c1", "look")), t.decided(), t.finished(facts=facts))
    assert list(showing.fact_lines(state, t.at(5))) == [
        "seen(a⟨U+001B⟩) holds, by look c1",
        "seen(b) does not hold, by look c1",
        "seen(c) no longer known",
    ]
    assert list(showing.fact_lines(t.state_of(*t.BEGUN), t.at(0))) == ["no result has shown a fact yet"]


def test_the_queue_is_what_was_not_heard_yet() -> None:
    """Folded, with the number before it."""
    state = t.state_of(*t.BEGUN, t.said(2, "a word and another one"), t.said(3, "x\ny"))
    assert list(showing.queue_lines(state, 20)) == ["#2    a word and ", "      another one", "#3    x⟨U+000A⟩y"]
    assert list(showing.queue_lines(t.state_of(*t.BEGUN), 20)) == ["every message was heard"]


def test_the_audit_is_the_lines_of_decisions_and_answers() -> None:
    """The latest, where there are many."""
    asked = (t.replied(t.use()), t.decided(decision=Decision.ASK), t.asked(), t.answered(9))
    assert list(showing.audit_of("s", t.records_of(*t.BEGUN, *asked))) == [
        "[ask] note {}",
        "[approved] note by ana after 1.0 s",
    ]
    assert list(showing.audit_of("s", t.records_of(*t.BEGUN))) == ["nothing was decided yet"]
    uses = [t.use(f"c{number}") for number in range(showing.MOST_DECISIONS + 2)]
    decided = [t.decided(f"c{number}") for number in range(showing.MOST_DECISIONS + 2)]
    lines = list(showing.audit_of("s", t.records_of(*t.BEGUN, t.replied(*uses), *decided)))
    assert lines[0] == "… 2 earlier ones"
    assert len(lines) == showing.MOST_DECISIONS + 1


@pytest.mark.parametrize("outcome", get_args(e.Reconciliation))
def test_the_audit_tells_who_settled_an_unknown_outcome(outcome: e.Reconciliation) -> None:
    """Also one that was to be run once more."""
    records = t.records_of(
        *t.BEGUN, t.replied(t.use()), t.decided(), t.started(), t.reconciled(9, outcome), t.started(), t.finished()
    )
    assert list(showing.audit_of("s", records)) == ["[allow] note {}", f"[settled] note by ana: {outcome}"]


def test_an_undo_is_told_from_the_call_that_it_takes_back() -> None:
    """Their lines would be the same."""
    undone = (t.decided(), t.finished(undo="null"), t.said(2), t.proposed("u1", "note", "c1"))
    asked = (t.decided("u1", Decision.ASK), t.asked("u1"))
    assert list(
        showing.audit_of("s", t.records_of(*t.BEGUN, t.replied(t.use("c1", "note")), *undone, *asked))
    ) == [
        "[allow] note {}",
        "[ask] note {} · takes back c1",
    ]


def test_sessions_are_listed_with_their_title_or_first_words() -> None:
    """And how to go on with one."""
    moment = datetime(2026, 11, 30, 12, tzinfo=UTC)
    named, unnamed = t.state_of(*t.BEGUN), t.state_of(t.opened(), t.attached(), t.said(1, "two\nlines"))
    silent = t.state_of(t.opened(), t.attached())
    lines = list(
        showing.session_lines([("a title", named, moment), ("", unnamed, moment), ("", silent, moment)], 80)
    )
    assert lines[1].endswith("tester  2      a title")
    assert lines[2].endswith("tester  2      two lines")
    assert lines[3].endswith("tester  2      (nothing said yet)")
    assert [line[:3] for line in lines[1:4]] == ["1  ", "2  ", "3  "]
    assert lines[-1] == "/sessions ID, or its number here, goes on with one"
    listed = [("a title", named, moment), ("", unnamed, moment), ("", silent, moment)]
    choices = list(showing.session_choices(listed, moment, 80))
    assert [choice.value for choice in choices] == [named.session, unnamed.session]
    assert choices[0].label.endswith(f" · tester · a title · {named.session}")


@pytest.mark.parametrize(
    ("width", "label"),
    [(70, "tester · waits for you · a title · s"), (69, "waits for you · a title · tester · ")],
)
def test_a_session_that_waits_for_a_person_says_so_where_it_is_picked(width: int, label: str) -> None:
    """Before its title, which may be cut; and a narrow list has room for little more than the title."""
    moment = datetime(2026, 11, 30, 12, tzinfo=UTC)
    asked = t.state_of(*t.BEGUN, t.replied(t.use()), t.decided(decision=Decision.ASK), t.asked())
    answered = t.state_of(*t.BEGUN, t.replied(t.use()), t.decided(decision=Decision.ASK), t.asked(), t.answered(5))
    waiting, other = showing.session_choices(
        [("a title", asked, moment), ("a title", answered, moment)], moment, width
    )
    assert label in waiting.label
    assert showing.WAITS not in other.label


def test_sessions_are_told_apart_on_a_narrow_screen_too() -> None:
    """By number and title, with the id below."""
    moment, state = datetime(2026, 11, 30, 12, tzinfo=UTC), t.state_of(*t.BEGUN)
    lines = list(showing.session_lines([("a title that is longer than the line", state, moment)], 30))
    assert lines[0].startswith("1 a title that is longer")
    assert any(state.session in line for line in lines)
    assert all(len(line.rstrip()) <= 30 for line in lines[:-1])


def test_on_a_narrow_screen_each_tool_has_its_levels_below_it() -> None:
    """No table is folded into rows that nobody can read."""
    lines = list(showing.tool_lines(t.state_of(*t.BEGUN), EXPENSES, 30))
    assert lines[:2] == ["get_total: read", "  deny 0 · allow 1 2 3 4"]
    assert lines[lines.index("add_expense: write") + 1] == "  deny 0 1 · ask 2 · allow 3 4"
    assert all(len(line) <= 30 for line in lines[:-1])


def test_nothing_of_the_shipped_agent_is_too_wide() -> None:
    """At 80 columns."""
    state = replace(t.state_of(t.opened(), t.attached()), session="08j3bqvy")
    shown = [*showing.level_lines(state, EXPENSES, LevelSources(), 80), *showing.tool_lines(state, EXPENSES, 80)]
    assert max(map(cell_width, shown)) <= 80
    assert e.VERSION
