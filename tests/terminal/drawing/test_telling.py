"""What is said about what happens, line by line."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session import events as ev
from agentcli.session.allowance import Usage
from agentcli.session.announcing import events_in
from agentcli.session.run import Run
from agentcli.session.state import State
from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.drawing.telling import (
    MOST_WORDS,
    SILENT,
    audit_lines,
    elsewhere_line,
    ending_lines,
    lines_of,
    numbered,
    retry_line,
    retry_text,
    running_text,
    usage_line,
)
from agentcli.terminal.faces.picture import tail_lines
from tests.session import telling as t


def told(*entries: t.Told, width: int = 80) -> list[str]:
    """All that is said about a session with these entries behind its beginning."""
    state, lines, above = State("s", t.RISKS), list[str](), ""
    for event in events_in(state, t.records_of(*t.BEGUN, *entries)):
        said = [plain(line) for line in lines_of(event, state, width=width, above=above)]
        if said:
            above = event.call_id if isinstance(event, ev.Decided) else ""
        lines += said
    return lines[3:]


def test_words_stand_before_the_mark_that_they_are_stored() -> None:
    """As they were said; when the model hears them, with the step."""
    assert told(t.said(2, "and tea\ntoo"), e.Heard((2,), 3)) == [
        "› and tea",
        "  too",
        "queued #2",
        "heard #2 at step 3",
    ]


def test_long_words_are_folded_and_set_in() -> None:
    """No line of them can pass for one of ours."""
    lines = told(t.said(2, "x" * 30 + " [approved] launch by ana"), width=20)
    assert all(line.startswith(("› ", "  ")) and cell_width(line) <= 20 for line in lines[:-1])
    assert "".join(line[2:] for line in lines[:-1]).replace(" ", "") == "x" * 30 + "[approved]launchbyana"


def test_what_hides_in_words_is_marked() -> None:
    """Also a word of one's own can steer nothing."""
    assert told(t.said(2, "a\x1b[2Jb"))[0] == "› a⟨U+001B⟩[2Jb"


def test_blanks_at_the_end_of_words_are_not_drawn() -> None:
    """Who ends a word with a blank need not read that there is one; within words they are counted."""
    assert told(t.said(2, "hello  "))[0] == "› hello"
    assert told(t.said(2, "a     b"))[0] != "› a b"


ASK = (t.replied(t.use()), t.decided(decision=Decision.ASK), t.asked())


@pytest.mark.parametrize(
    ("entries", "lines"),
    [
        (
            (t.replied(t.use()), t.decided(), t.finished()),
            ["[allow] note {}", '  ✓ note ok {"of":"c1"}'],
        ),
        (
            (t.replied(t.use()), t.decided(), t.suspended(), t.supplied(9), t.decided(), t.finished()),
            ["[allow] note {}", "[filled] note by ana after 0.0 s", '  ✓ note ok {"of":"c1"}'],
        ),
        (
            (*ASK, t.answered(9), t.decided(decision=Decision.ASK), t.finished()),
            ["[ask] note {}", "[approved] note by ana after 1.0 s", '  ✓ note ok {"of":"c1"}'],
        ),
        (
            (*ASK, t.answered(9), t.decided(), t.finished()),
            ["[ask] note {}", "[approved] note by ana after 1.0 s", '  ✓ note ok {"of":"c1"}'],
        ),
        (
            (
                *ASK,
                t.answered(9, "declined", reason="no tea"),
                t.finished(status="declined", origin="core", is_error=True),
            ),
            ["[ask] note {}", "[declined] note by ana: no tea"],
        ),
        (
            (*ASK, t.answered(9, "cancelled"), t.finished(status="cancelled", origin="core", is_error=True)),
            ["[ask] note {}", "[cancelled] note by ana"],
        ),
        (
            (*ASK, t.answered(9, "edited", input='{"a":1}'), t.decided(decision=Decision.ASK), t.asked()),
            ["[ask] note {}", "[edited] note by ana after 1.0 s", "[ask] note {}"],
        ),
        (
            (
                *ASK,
                t.answered(9),
                t.decided(decision=Decision.DENY, reason="too late"),
                t.finished(status="blocked", origin="core", is_error=True),
            ),
            ["[ask] note {}", "[approved] note by ana after 1.0 s", "[deny] note {} — too late"],
        ),
        (
            (t.replied(t.use()), t.finished(status="cancelled", origin="core", is_error=True)),
            ['  ✓ note cancelled {"of":"c1"}'],
        ),
    ],
    ids=[
        "allowed",
        "filled in",
        "approved",
        "approved and raised",
        "declined",
        "given up",
        "changed",
        "denied after a yes",
        "cancelled",
    ],
)
def test_a_call_is_told_by_its_decisions_answers_and_result(entries: tuple[t.Told, ...], lines: list[str]) -> None:
    """What an audit line has said is not said again, and a yes that simply runs is not decided aloud."""
    assert told(*entries) == lines


ASK_ANEW = (
    *(t.replied(t.use()), t.decided(decision=Decision.ASK), t.asked(preview=("40 left", "rent"), reason="level")),
    *(t.answered(9), t.decided(decision=Decision.ASK, preview=("30 left", "rent"))),
    t.asked(preview=("30\nleft", "rent"), reason="a hook"),
)


def test_what_is_asked_again_says_what_has_changed() -> None:
    """Where no question is drawn; where one is, it shows that itself."""
    state, lines = State("s", t.RISKS), []
    for event in events_in(state, t.records_of(*t.BEGUN, *ASK_ANEW)):
        lines += [plain(line) for line in audit_lines(event, state)]
    again = ["[ask] note {}", "[approved] note by ana after 1.0 s", "[ask] note {}"]
    assert told(*ASK_ANEW) == again
    assert lines == [
        *again,
        "  no longer: 40 left",
        "  no longer: asked because: level",
        "  now: 30⟨U+000A⟩left",
        "  now: asked because: a hook",
    ]


def test_an_input_that_may_deceive_has_a_second_line() -> None:
    """Under its audit line, set in, so that it can't pass for one."""
    lines = told(t.replied(t.use(to="p\u0430y")), t.decided(input_text='{"to":"p\u0430y"}'))
    assert lines == ['[allow] note {"to":"p\u0430y"}', '  that is: {"to":"p⟨U+0430⟩y"}']


def failed(message: str) -> e.Finished:
    """A result that says what went wrong."""
    result = {"status": "fault", "isError": True, "message": message}
    return e.Finished("c1", "tool", "fault", msgspec.Raw(msgspec.json.encode(result)), is_error=True, digest="")


def test_data_is_cut_to_a_line_and_what_went_wrong_is_said_in_full() -> None:
    """Nobody reads data to its end; a failure has to be understood."""
    long = msgspec.Raw(msgspec.json.encode({"status": "ok", "rows": "x" * 200}))
    beginning = (t.replied(t.use()), t.decided())
    done = e.Finished("c1", "tool", "ok", long, is_error=False, digest="")
    assert told(*beginning, done, width=40)[1:] == ['  ✓ note ok {"rows":"xxxxxxxxxxxxxxxxxx…']
    lines = told(*beginning, failed("the disk of the machine is full, so nothing was stored"), width=40)[1:]
    assert lines == ["  ✗ note fault: the disk of the machine", "    is full, so nothing was stored"]


def test_an_undo_is_told_by_what_it_undid() -> None:
    """Its question and its answer say the rest."""
    lines = told(
        t.replied(t.use()),
        t.decided(),
        t.finished(undo="{}"),
        e.RunEnded("completed"),
        t.proposed(),
        t.decided("undo", Decision.ASK),
        t.asked("undo"),
        t.answered(13, call_id="undo"),
        t.decided("undo", Decision.ASK),
        t.finished("undo"),
    )
    assert lines[2:] == ["[approved] undo of note by ana after 1.0 s", "undone: note {}"]


def test_an_undo_that_is_refused_says_why() -> None:
    """It was never asked about."""
    lines = told(
        t.replied(t.use()),
        t.decided(),
        t.finished(undo="{}"),
        e.RunEnded("completed"),
        t.proposed(),
        t.decided("undo", Decision.DENY, reason="somebody has changed it since"),
    )
    assert lines[2:] == ["[deny] note {} — somebody has changed it since · takes back c1"]


@pytest.mark.parametrize(
    ("entries", "line"),
    [
        ((*ASK, t.answered(9)), "answered elsewhere by ana (terminal)"),
        ((*ASK, t.answered(9, "edited", input="{}")), "answered elsewhere by ana (terminal)"),
        ((t.replied(t.use()), t.suspended(), t.supplied(8, how="so")), "answered elsewhere by ana (terminal)"),
        (ASK, "answered elsewhere"),
    ],
    ids=["answer", "edit", "form", "nobody known"],
)
def test_who_answered_elsewhere_is_told(entries: tuple[t.Told, ...], line: str) -> None:
    """By name and by the way it came."""
    assert plain(elsewhere_line(t.state_of(*t.BEGUN, *entries).calls["c1"])) == line


def test_a_retry_says_why_when_and_which() -> None:
    """Nothing is said where none comes."""
    again = e.RequestFailed(1, 1, "overloaded", "The service is busy.", retry_at=t.at(3))
    assert retry_line(t.state_of(*t.BEGUN), t.at(0)) is None
    assert retry_line(t.state_of(*t.BEGUN, e.RequestFailed(1, 1, "rejected", "No.")), t.at(0)) is None
    line = retry_line(t.state_of(*t.BEGUN, again), t.at(0))
    assert line is not None
    assert plain(line) == "The service is busy. Trying again in 3 s (2 of 4)."
    later = e.RequestFailed(1, 1, "overloaded", "It is busy. Try again later.", retry_at=t.at(3))
    line = retry_line(t.state_of(*t.BEGUN, later), t.at(0))
    assert line is not None
    assert plain(line) == "It is busy. Trying again in 3 s (2 of 4)."
    once_more = e.RequestFailed(1, 2, "overloaded", "The service is busy.", retry_at=t.at(3))
    line = retry_line(t.state_of(*t.BEGUN, again, once_more), t.at(0), told=again)
    assert line is not None
    assert plain(line) == "Trying again in 3 s (3 of 4)."
    otherwise = retry_line(t.state_of(*t.BEGUN, again, once_more), t.at(0), told=later)
    assert otherwise is not None
    assert plain(otherwise) == "The service is busy. Trying again in 3 s (3 of 4)."
    late = retry_line(t.state_of(*t.BEGUN, again), t.at(9))
    assert late is not None
    assert "in 0 s" in plain(late)


@pytest.mark.parametrize(
    ("failure", "at_s", "text"),
    [
        (None, 0, ""),
        (e.RequestFailed(1, 1, "rejected", "No."), 0, ""),
        (e.RequestFailed(1, 1, "overloaded", "Busy.", retry_at=t.at(3)), 0, "trying again in 3 s …"),
        (e.RequestFailed(1, 1, "overloaded", "Busy.", retry_at=t.at(3)), 2.5, "trying again in 1 s …"),
        (e.RequestFailed(1, 1, "overloaded", "Busy.", retry_at=t.at(3)), 3, ""),
    ],
)
def test_the_seconds_until_a_request_is_tried_again(
    failure: e.RequestFailed | None, at_s: float, text: str
) -> None:
    """Rounded up, and nothing once it is due."""
    state = t.state_of(*t.BEGUN, *([failure] if failure else []))
    assert retry_text(state, t.at(0) + timedelta(seconds=at_s)) == text


def test_of_a_long_message_the_beginning_is_shown() -> None:
    """Who typed or pasted it knows the rest; how much that is stands below."""
    lines = told(t.said(2, "\n".join(f"row {number}" for number in range(MOST_WORDS + 3))))
    assert lines[0] == "› row 0"
    assert lines[MOST_WORDS - 1 : MOST_WORDS + 2] == [
        f"  row {MOST_WORDS - 1}",
        "  … 3 more lines, kept and sent whole",
        "queued #2",
    ]
    assert told(t.said(2, "\n".join(["row"] * MOST_WORDS)))[MOST_WORDS - 1 :] == ["  row", "queued #2"]


REFUSED = e.Replied(1, (), "refusal", Usage(), explanation="it is about \x1b")


@pytest.mark.parametrize(
    ("entries", "lines"),
    [
        ((e.RunEnded("completed", text="Done."),), []),
        ((e.RunEnded("completed"),), [SILENT]),
        ((e.RunEnded("stopped"),), ["stopped"]),
        ((e.RunEnded("limit", limit="steps"),), ["Stopped: step limit reached"]),
        ((t.said(2), e.RunEnded("stopped")), ["stopped", "not heard yet: #2; kept for the next run"]),
        (
            (t.said(2), t.said(3), e.RunEnded("stopped")),
            ["stopped", "not heard yet: #2, #3; kept for the next run"],
        ),
        (
            (REFUSED, e.RunEnded("refused")),
            ["the model refused, and nothing of that reply ran: it is about ⟨U+001B⟩"],
        ),
        ((e.RunEnded("refused"),), ["the model refused, and nothing of that reply ran"]),
        (
            (e.RequestFailed(1, 4, "unreachable", "No way."), e.RunEnded("failed")),
            ["No way. Nothing is lost."],
        ),
        (
            (t.replied(stop_reason="max_tokens"), e.RunEnded("failed")),
            [
                "the model's reply can't be used: it was cut at the most tokens a reply may have, `max_tokens` in the config"
            ],
        ),
        (
            (t.replied(stop_reason=None), e.RunEnded("failed")),
            ["the model's reply can't be used: it has no stop reason"],
        ),
        ((t.replied(fault="an id twice"), e.RunEnded("failed")), ["the model's reply can't be used: an id twice"]),
        ((e.RunEnded("failed"),), ["the model's reply can't be used"]),
        ((e.RunEnded("completed", "Done."),), []),
        ((e.RunEnded("completed", " \n"),), ["the model ended its turn without a word"]),
    ],
)
def test_an_ending_is_told_where_the_reply_does_not_say_it(entries: tuple[e.Entry, ...], lines: list[str]) -> None:
    """With the words that are kept."""
    state = t.state_of(*t.BEGUN, *entries)
    assert state.ended is not None
    assert [plain(line) for line in ending_lines(state.ended, state)] == lines


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "1 step · 1,500 tokens · 0.0125 USD · 3.0 s"),
        ({"usage": Usage(1)}, "1 step · 1 token · 0.0125 USD · 3.0 s"),
        ({"steps": 2, "cost_usd": None}, "2 steps · 1,500 tokens · cost unknown · 3.0 s"),
    ],
)
def test_what_a_run_used_is_told(changes: dict[str, Any], line: str) -> None:
    """An unknown price is never nothing."""
    used: dict[str, Any] = {"steps": 1, "usage": Usage(1_000, 500), "cost_usd": Decimal("0.0125")} | changes
    run = replace(Run(1, t.LIMITS, t.START, "words"), **used)
    assert plain(usage_line(run, t.START + timedelta(seconds=3))) == line


def test_what_is_at_work_is_told_with_its_time() -> None:
    """Reads that run together show together; what is done is not there."""
    first, second = (t.decided(f"c{at}", tool="look", input_text=f'{{"at":{at}}}') for at in (1, 2))
    uses = t.replied(t.use("c1", "look", at=1), t.use("c2", "look", at=2))
    both = t.state_of(*t.BEGUN, uses, first, (1.0, t.started("c1")), second, t.started("c2"))
    assert running_text(both, t.at(2.5)) == 'look {"at":1} … 1.5 s\nlook {"at":2} … 1.5 s'
    one = t.going_on(both, t.finished("c1"))
    assert running_text(one, t.at(2.5)) == 'look {"at":2} … 1.5 s'
    assert running_text(t.state_of(*t.BEGUN), t.at(0)) == ""


def test_results_of_reads_that_ran_together_are_told_apart() -> None:
    """By what went into them, where they are of one tool."""
    uses = t.replied(t.use("c1", "look", at=1), t.use("c2", "look", at=2), t.use("c3", "note"))
    first, second = (t.decided(f"c{at}", tool="look", input_text=f'{{"at":{at}}}') for at in (1, 2))
    ran = (first, t.started("c1"), second, t.started("c2"), t.finished("c1"), t.finished("c2"))
    lines = told(uses, *ran, t.decided("c3", tool="note"), t.started("c3"), t.finished("c3"))
    assert [line for line in lines if line.startswith("  ✓")] == [
        '  ✓ look {"at":1} ok {"of":"c1"}',
        '  ✓ look {"at":2} ok {"of":"c2"}',
        '  ✓ note ok {"of":"c3"}',
    ]


def test_a_result_right_below_its_audit_line_does_not_say_it_again() -> None:
    """There nothing is to be told apart."""
    uses = t.replied(t.use("c1", "look", at=1), t.use("c2", "look", at=2))
    first, second = (t.decided(f"c{at}", tool="look", input_text=f'{{"at":{at}}}') for at in (1, 2))
    assert told(uses, first, t.started("c1"), t.finished("c1"), second, t.started("c2"), t.finished("c2")) == [
        '[allow] look {"at":1}',
        '  ✓ look ok {"of":"c1"}',
        '[allow] look {"at":2}',
        '  ✓ look ok {"of":"c2"}',
    ]


def test_what_hides_in_an_input_at_work_is_marked_once() -> None:
    """The text comes as it is, and is made safe where it is drawn."""
    decided = t.decided("c1", tool="look", input_text='{"at":"\u202e"}')
    state = t.state_of(*t.BEGUN, t.replied(t.use("c1", "look", at="\u202e")), decided, t.started("c1"))
    assert plain(tail_lines(running_text(state, t.at(0)), 80, 3)[0]).startswith('  look {"at":"⟨U+202E⟩"} …')


def test_messages_are_numbered() -> None:
    """As everywhere."""
    assert numbered((1, 12)) == "#1, #12"


def test_level_is_left_to_the_status() -> None:
    """What shows in other ways makes no line."""
    assert told(t.level_set(Level.LOOK), t.replied(t.text("hi"))) == []
