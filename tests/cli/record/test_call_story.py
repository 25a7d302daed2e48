"""The story of one call: all that the journal says about it, and each question exactly as it was shown."""

from typing import Any, Final

import msgspec
import pytest

from agentcli.cli.record.call_story import call_story
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session.fold import fold
from agentcli.session.origin import Origin
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.question.asked import view_of, would_raise
from agentcli.terminal.question.card import NO_END
from agentcli.terminal.question.frame import lay_out
from tests.session import telling as t

ASK, DENY = Decision.ASK, Decision.DENY
BEGUN: Final = (*t.BEGUN, t.replied(t.use("c0", "look"), t.use("c1", "note", text="tea")))
FIRST: Final = len(BEGUN) + 1
"""The number of the entry that is told first in these tests."""

ORIGIN: Final = Origin(uid=1000, tty="/dev/pts/3", host="box", chain=("bash[12]", "tmux[3]"))


SINCE: Final = "  level 2: as the session began, by ana (entry 1)"


def story(*told: t.Told, call_id: str = "c1", width: int = 80) -> list[str]:
    records = t.records_of(*BEGUN, *told)
    return [plain(line) for line in call_story("s", call_id, records, width=width)]


def behind_the_beginning(*told: t.Told) -> list[str]:
    """What is told of the entries, without their times."""
    lines = story(*told)[3:]
    return [line.split("  ", 1)[1] if line.startswith("2026-") else line for line in lines]


def test_story_begins_with_who_proposed_what() -> None:
    """The call, its place in the reply, and the input as it was sent."""
    lines = story()
    assert lines[0] == "note · c1 · session s"
    assert lines[1].endswith(f"proposed by the model, call 2 of 2 · entry {FIRST - 1}")
    assert lines[2] == '  {"text":"tea"}'
    assert len(lines) == 3


def test_a_call_that_is_nowhere_has_no_story() -> None:
    """Nothing is made up."""
    assert story(call_id="c9") == []


def test_other_calls_are_no_part_of_it() -> None:
    """Each call has its own."""
    assert behind_the_beginning(t.decided("c0", tool="look"), t.finished("c0"), t.said(2)) == []


def test_every_rule_that_spoke_is_there() -> None:
    """Those that allowed, too; the level, the risk, the input as it runs, and its digest."""
    verdicts = (
        Verdict("schema", Decision.ALLOW, "the input fits the schema"),
        Verdict("level", ASK, "level 2 asks for write calls"),
        Verdict("hook", DENY, "blocked by the hook check: too dear " + "x" * 60),
    )
    plainly = t.decided(decision=DENY, input_text='{"text":"tea"}')
    entry = msgspec.structs.replace(plainly, verdicts=verdicts)
    assert behind_the_beginning(entry) == [
        f"deny, at level 2: a call of risk write · entry {FIRST}",
        '  as it runs: {"text":"tea"}',
        f"  digest {entry.digest}",
        "  allow  schema  the input fits the schema",
        "  ask    level   level 2 asks for write calls",
        "  deny   hook    blocked by the hook check: too dear ",
        "         " + "x" * 60,
        SINCE,
    ]


@pytest.mark.parametrize(
    ("grant", "told"),
    [
        ((), SINCE),
        ((t.level_set(Level.ALONE),), f"  level 4: /level, by ana (entry {FIRST})"),
        ((e.LevelSet(Level.BOUNDED, "bo", "a yes from now on", "note"),), f"  level 3 for note: a yes from now on, by bo (entry {FIRST})"),
        ((t.level_set(Level.ALONE, "look"),), SINCE),
    ],
    ids=["as it began", "/level", "a yes from now on", "another tool's"],
)  # fmt: skip
def test_who_gave_the_level_is_told(grant: tuple[e.Entry, ...], told: str) -> None:
    """A grant that lets calls run unasked is found from each of these calls."""
    assert behind_the_beginning(*grant, t.decided())[-1] == told


def test_a_decision_without_rules_is_told_too() -> None:
    """However that came about."""
    entry = msgspec.structs.replace(t.decided(), verdicts=())
    assert behind_the_beginning(entry)[0] == f"allow, at level 2: a call of risk write · entry {FIRST}"


CHANGED: Final = (
    t.decided(decision=ASK, preview=("40 left",), reason="level 2 asks"),
    t.asked(preview=("40 left",), reason="level 2 asks"),
    t.answered(FIRST + 1),
    t.decided(decision=ASK, preview=("30 left",), reason="level 2 asks"),
    t.asked(preview=("30 left",), reason="level 2 asks"),
)


@pytest.mark.parametrize("width", [30, 80, 200])
@pytest.mark.parametrize(("entries", "again"), [(2, False), (5, True)], ids=["asked", "asked again"])
def test_a_question_is_drawn_as_it_was_shown(entries: int, again: bool, width: int) -> None:
    """By the code that asked it, from the state of then; where what was shown had changed, with what no longer held."""
    told = CHANGED[:entries]
    call = fold("s", t.records_of(*BEGUN, *told)).calls["c1"]
    card = lay_out(view_of(call, may_raise=would_raise(call)), width=width, height=NO_END)
    shown = [plain(line) for line in card.lines(0)]
    lines = story(*told, width=width)
    assert lines[-len(shown) :] == shown
    assert any("no longer: 40 left" in line for line in shown) is again
    assert lines[-len(shown) - 1].endswith(f"{'asked again' if again else 'asked'} · entry {FIRST + entries - 1}")


def test_who_answered_is_told_as_far_as_the_machine_knew() -> None:
    """Name, time, reason; channel, user id, terminal, host, and the programs above."""
    no = e.Answered("c1", FIRST + 1, "declined", "ana", "approvals", 2.14, "keep \x1b that one", origin=ORIGIN)
    told = behind_the_beginning(t.decided(decision=ASK), t.asked(), no)
    assert told[-3] == f"[declined] note by ana: keep ⟨U+001B⟩ that one · entry {FIRST + 2}"
    assert "".join(told[-2:]).split(" · ") == [
        *("  through approvals", "uid 1000", "tty /dev/pts/3", "host box", "below bash[12] <   tmux[3]"),
    ]


def test_a_second_look_that_came_to_the_same_is_told_in_a_line() -> None:
    """Nothing new was decided."""
    told = behind_the_beginning(t.decided(decision=ASK), t.asked(), t.answered(FIRST + 1), t.decided(decision=ASK))
    assert told[-1] == f"looked at again, with the same outcome · entry {FIRST + 3}"


def ended(status: str = "ok", **more: Any) -> e.Finished:
    return msgspec.structs.replace(t.finished(status=status, **more), digest="d")


RESULT: Final = '  {"status":"ok","of":"c1"}'

ENDS: Final[dict[str, tuple[tuple[Any, ...], list[str]]]] = {
    "ran in the store": (
        (ended(),),
        [f"ended by its tool: ok · entry {FIRST + 1}", RESULT, "  result digest d"],
    ),
    "took its time": (
        (msgspec.structs.replace(ended(), seconds=1.25),),
        [f"ended by its tool after 1.25 s: ok · entry {FIRST + 1}", RESULT, "  result digest d"],
    ),
    "refused": (
        (ended("blocked", origin="core", is_error=True),),
        [f"ended by code, without running: blocked · entry {FIRST + 1}", '  {"status":"blocked","of":"c1"}', "  result digest d"],
    ),
    "ran elsewhere": ((t.started(),), [f"started outside the store · entry {FIRST + 1}"]),
    "with a key": (
        (t.started(key="k-1"),),
        [f"started outside the store · entry {FIRST + 1}", "  with the idempotency key k-1"],
    ),
    "late": (
        (e.Overdue("c1", FIRST),),
        [f"left behind at its timeout; it may still report back · entry {FIRST + 1}"],
    ),
    "held and filtered": (
        (ended(held=True), e.Filtered("c1", msgspec.Raw(b'{"status":"redacted"}'), ("hook",), "d")),
        [
            f"ended by its tool: ok · entry {FIRST + 1}",
            *(RESULT, "  result digest d", "  held until the hooks have seen it"),
            f"what the model got of it, after hook · entry {FIRST + 2}",
            *('  {"status":"redacted"}', "  digest d"),
        ],
    ),
    "filtered by nobody": (
        (ended(held=True), e.Filtered("c1", msgspec.Raw(b"{}"), (), "d")),
        [
            f"ended by its tool: ok · entry {FIRST + 1}",
            *(RESULT, "  result digest d", "  held until the hooks have seen it"),
            f"what the model got of it, after hooks that are gone · entry {FIRST + 2}",
            *("  {}", "  digest d"),
        ],
    ),
    "stopped to ask": (
        (t.suspended(), t.supplied(FIRST + 1, how="so")),
        [
            f"stopped to ask · entry {FIRST + 1}",
            *("│ note asks: how?", "│ look here", "│ how", "│ a text; empty leaves it out · Esc cancels the call", "how?"),
            f"[filled] note by ana after 0.0 s · entry {FIRST + 2}",
            '  {"how": "so"}',
            "  through terminal",
        ],
    ),
    "stopped to ask by no form": (
        (e.Suspended("c1", "how?", msgspec.Raw(b"{}"), ("look here",)),),
        [f"stopped to ask, by what is no form · entry {FIRST + 1}", "  how?", "  look here"],
    ),
    "it had happened": (
        (t.started(), t.reconciled(FIRST + 1, "happened")),
        [
            f"started outside the store · entry {FIRST + 1}",
            *(f"ana said: it had happened · entry {FIRST + 2}", "  through terminal"),
        ],
    ),
    "it had not": (
        (t.started(), t.reconciled(FIRST + 1, "not")),
        [
            f"started outside the store · entry {FIRST + 1}",
            *(f"ana said: it had not happened · entry {FIRST + 2}", "  through terminal"),
        ],
    ),
    "once more": (
        (t.started(), t.reconciled(FIRST + 1, "retry")),
        [
            f"started outside the store · entry {FIRST + 1}",
            *(f"ana said: to run it once more · entry {FIRST + 2}", "  through terminal"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("entries", "expected"), ENDS.values(), ids=ENDS)
def test_what_came_of_it_is_told(entries: tuple[e.Entry, ...], expected: list[str]) -> None:
    """Where it ran, what it gave, who had to say what became of it."""
    assert behind_the_beginning(t.decided(), *entries)[5:] == expected


def test_a_changed_input_is_told() -> None:
    """Who changed it, and into what."""
    edited = t.answered(FIRST + 1, "edited", input='{"text":"milk"}')
    told = behind_the_beginning(t.decided(decision=ASK), t.asked(), edited)
    assert told[-3:] == [
        f"[edited] note by ana after 1.0 s · entry {FIRST + 2}",
        "  through terminal",
        '  changed to {"text":"milk"}',
    ]


UNDONE: Final = (
    *(t.decided(), t.finished(undo="null"), t.said(2), t.proposed("u1", "note", "c1")),
    *(t.decided("u1", ASK), t.asked("u1"), t.answered(FIRST + 5, call_id="u1"), t.decided("u1", ASK)),
)


def test_that_it_was_taken_back_is_told() -> None:
    """By whom, and by which call."""
    assert (
        behind_the_beginning(*UNDONE, t.finished("u1"))[-1] == f"taken back by ana (call u1) · entry {FIRST + 8}"
    )


def test_an_undo_that_failed_took_nothing_back() -> None:
    """Then the call stands."""
    assert "taken back" not in "".join(behind_the_beginning(*UNDONE, t.finished("u1", is_error=True)))


def test_what_was_taken_back_is_told_once() -> None:
    """Calls that end later say nothing about it."""
    later = (t.requested(2), t.replied(t.use("c7", "look")), t.decided("c7", tool="look"), t.finished("c7"))
    lines = behind_the_beginning(t.decided("c0", tool="look"), t.finished("c0"), *UNDONE, t.finished("u1"), *later)
    assert sum("taken back" in line for line in lines) == 1


def test_an_undo_says_what_it_takes_back() -> None:
    """It is a call of a person."""
    lines = story(*UNDONE, call_id="u1")
    assert lines[0] == "note · u1 · session s"
    assert lines[1].endswith(f"proposed by ana, to take back c1, call 1 of 1 · entry {FIRST + 3}")
    assert "Undo note {}? (y/n)" in lines


def test_a_persons_call_that_undoes_nothing_says_so() -> None:
    """Only who proposed it."""
    lines = story(t.proposed("p1", "note", None), call_id="p1")
    assert lines[1].endswith(f"proposed by ana, call 1 of 1 · entry {FIRST}")


def test_nothing_that_hides_is_drawn() -> None:
    """Every text from outside is made visible, whoever it came from."""
    nasty = "\x1b[2J\u202e"
    told = (
        e.Decided(
            "c1", nasty, f'"{nasty}"', "d", t.RISKS["note"], t.opened().level, ASK, (Verdict(nasty, ASK, nasty),)
        ),
        e.Asked("c1", "d", (nasty,), (Verdict(nasty, ASK, nasty),)),
        e.Answered(
            "c1", FIRST + 1, "approved", nasty, nasty, 1.0, nasty, origin=Origin(1, nasty, nasty, (nasty,))
        ),
        e.Suspended("c1", nasty, msgspec.Raw(b"{}"), (nasty,)),
        e.Finished("c1", "tool", nasty, msgspec.Raw(msgspec.json.encode(nasty)), is_error=False, digest=nasty),
    )
    assert all(line.isprintable() for line in story(*told))


def test_what_hides_is_marked_once() -> None:
    """A mark stands for what hides, and never for the bracket of another mark."""
    lines = story(
        *(t.requested(2), t.replied(t.use("c9", "note", text="a\u202e")), t.decided("c9", tool="note")),
        e.Finished("c9", "tool", "ok", msgspec.Raw('{"b":"\u202e"}'.encode()), is_error=False, digest=""),
        e.Filtered("c9", msgspec.Raw('{"c":"\u202e"}'.encode()), (), ""),
        call_id="c9",
    )
    assert [line for line in lines if "U+" in line] == [
        *('  {"text":"a⟨U+202E⟩"}', '  {"b":"⟨U+202E⟩"}', '  {"c":"⟨U+202E⟩"}'),
    ]


@pytest.mark.parametrize(
    "entry",
    [
        e.Started("c1", "d", "\x1b[2J\u202e"),
        e.Supplied("c1", 1, msgspec.Raw('{"a":"\u202e"}'.encode()), "\x1b[2J\u202e", "\x1b"),
        e.Reconciled("c1", 1, "happened", "\x1b[2J\u202e", "\x1b"),
        e.Filtered("c1", msgspec.Raw('{"a":"\u202e"}'.encode()), ("\x1b[2J\u202e",), "\x1b"),
    ],
    ids=lambda entry: entry.kind,
)
def test_no_entry_draws_what_hides(entry: e.Entry) -> None:
    """Whatever the entry, and whoever wrote it."""
    before = (t.finished(held=True),) if isinstance(entry, e.Filtered) else (t.suspended(),)
    assert all(line.isprintable() for line in story(t.decided(), *before, entry))
