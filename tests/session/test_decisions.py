"""What was decided: every decision once, with its answer and its outcome where they belong."""

from collections.abc import Sequence
from typing import Any, Final

import pytest

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.decisions import UNKNOWN, DecisionFilter, DecisionRecord, Decisions, read_decisions
from agentcli.session.entries import Entry
from tests.session import telling as t

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY


def decisions(*told: t.Told) -> list[DecisionRecord]:
    return list(read_decisions(t.records_of(*told)))


def told(records: Sequence[DecisionRecord]) -> list[tuple[Any, ...]]:
    """Decision, answer and outcome of each."""
    return [(one.decision, one.answer, one.outcome) for one in records]


REFUSED: Final[dict[str, Any]] = {"origin": "core", "is_error": True}
LATE: Final = e.Overdue("c1", 2)

JOURNALS: Final[dict[str, tuple[tuple[Entry, ...], list[tuple[Any, ...]]]]] = {
    "nothing was decided": ((*t.BEGUN, t.replied(t.use())), []),
    "code allowed it": ((t.decided(), t.finished()), [(ALLOW, None, "ok")]),
    "code denied it": ((t.decided(decision=DENY), t.finished(status="blocked", **REFUSED)), [(DENY, None, "blocked")]),
    "nobody has answered": ((t.decided(decision=ASK), t.asked()), [(ASK, None, None)]),
    "approved, and the second look came to the same": (
        (t.decided(decision=ASK), t.asked(), t.answered(2), t.decided(decision=ASK), t.finished()),
        [(ASK, "approved", "ok")],
    ),
    "declined": (
        (t.decided(decision=ASK), t.asked(), t.answered(2, "declined"), t.finished(status="declined", **REFUSED)),
        [(ASK, "declined", "declined")],
    ),
    "expired": (
        (t.decided(decision=ASK), t.asked(), t.answered(2, "expired"), t.finished(status="expired", **REFUSED)),
        [(ASK, "expired", "expired")],
    ),
    "approved, and the second look denied": (
        (
            *(t.decided(decision=ASK), t.asked(), t.answered(2), t.decided(decision=DENY)),
            t.finished(status="blocked", **REFUSED),
        ),
        [(ASK, "approved", None), (DENY, None, "blocked")],
    ),
    "approved, and the second look allowed": (
        (t.decided(decision=ASK), t.asked(), t.answered(2), t.decided(), t.finished()),
        [(ASK, "approved", None), (ALLOW, None, "ok")],
    ),
    "approved, and what was shown has changed": (
        (
            *(t.decided(decision=ASK, preview=("40 left",)), t.asked(preview=("40 left",)), t.answered(2)),
            *(t.decided(decision=ASK, preview=("30 left",)), t.asked(preview=("30 left",))),
            *(t.answered(5, "declined"), t.finished(status="declined", **REFUSED)),
        ),
        [(ASK, "approved", None), (ASK, "declined", "declined")],
    ),
    "approved, and it is asked for another reason": (
        (
            *(t.decided(decision=ASK, reason="level"), t.asked(reason="level"), t.answered(2)),
            *(t.decided(decision=ASK, reason="hook"), t.asked(reason="hook"), t.answered(5), t.finished()),
        ),
        [(ASK, "approved", None), (ASK, "approved", "ok")],
    ),
    "a person changed the input": (
        (
            *(t.decided(decision=ASK), t.asked(), t.answered(2, "edited", input='{"id":2}')),
            *(t.decided(decision=ASK, input_text='{"id":2}'), t.asked(input_text='{"id":2}'), t.answered(5)),
            *(t.decided(decision=ASK, input_text='{"id":2}'), t.finished()),
        ),
        [(ASK, "edited", None), (ASK, "approved", "ok")],
    ),
    "a person changed the input, and nothing came of it": (
        (t.decided(decision=ASK), t.asked(), t.answered(2, "edited", input='{"id":2}')),
        [(ASK, "edited", None)],
    ),
    "another process looked at it again": ((t.decided(), t.attached(2), t.decided(), t.finished()), [(ALLOW, None, "ok")]),
    "it was decided again about another input": (
        (t.decided(), t.decided(input_text='{"id":2}'), t.finished()),
        [(ALLOW, None, None), (ALLOW, None, "ok")],
    ),
    "two calls finish in another order": (
        (t.decided("c1"), t.started("c1"), t.decided("c2"), t.started("c2"), t.finished("c2"), t.finished("c1", "fault")),
        [(ALLOW, None, "fault"), (ALLOW, None, "ok")],
    ),
    "a form was filled in": (
        (t.decided(), t.suspended(), t.supplied(2, how="so"), t.decided(), t.finished()),
        [(ALLOW, "filled", "ok")],
    ),
    "a form was filled in after a yes": (
        (
            *(t.decided(decision=ASK), t.asked(), t.answered(2), t.decided(decision=ASK)),
            *(t.suspended(), t.supplied(5, how="so"), t.decided(decision=ASK), t.finished()),
        ),
        [(ASK, "approved", "ok")],
    ),
    "a form was declined": (
        (t.decided(), t.suspended(), t.answered(2, "declined"), t.finished(status="declined", **REFUSED)),
        [(ALLOW, "declined", "declined")],
    ),
    "a form was declined after a yes": (
        (
            *(t.decided(decision=ASK), t.asked(), t.answered(2), t.decided(decision=ASK), t.suspended()),
            *(t.answered(5, "declined"), t.finished(status="declined", **REFUSED)),
        ),
        [(ASK, "approved", "declined")],
    ),
    "a form was filled in before anything was decided": (
        (t.suspended(), t.supplied(1, how="so"), t.decided(), t.finished()),
        [(ALLOW, None, "ok")],
    ),
    "it ended before it was decided": ((t.finished(status="cancelled", **REFUSED),), []),
    "it is at work outside": ((t.decided(), t.started()), [(ALLOW, None, None)]),
    "its process died while it was at work outside": ((t.decided(), t.started(), t.attached(2)), [(ALLOW, None, UNKNOWN)]),
    "the process of a read died": ((t.decided(tool="look"), t.started(), t.attached(2)), [(ALLOW, None, None)]),
    "the process of what can be repeated died": ((t.decided(), t.started(key="k"), t.attached(2)), [(ALLOW, None, None)]),
    "its process died once it was done": ((t.decided(), t.started(), t.finished(), t.attached(2)), [(ALLOW, None, "ok")]),
    "it is late": ((t.decided(), t.started(), LATE), [(ALLOW, None, UNKNOWN)]),
    "it was late and reported back": ((t.decided(), t.started(), LATE, t.finished()), [(ALLOW, None, "ok")]),
    "it was late and is tried again": (
        (t.decided(), t.started(), LATE, t.reconciled(2, "retry"), t.decided()),
        [(ALLOW, None, None)],
    ),
    "it was suspended, and its process died": (
        (t.decided(), t.started(), t.suspended(), t.attached(2)),
        [(ALLOW, None, None)],
    ),
    "its result was held": ((t.decided(), t.finished(held=True), t.filtered()), [(ALLOW, None, "ok")]),
}  # fmt: skip


@pytest.mark.parametrize(("journal", "expected"), JOURNALS.values(), ids=JOURNALS)
def test_every_decision_is_there_once(journal: tuple[Entry, ...], expected: list[tuple[Any, ...]]) -> None:
    """A second look that comes to the same is no second decision; one that differs is."""
    assert told(decisions(*journal)) == expected


def test_a_record_says_what_was_decided_and_how_it_was_answered() -> None:
    """Who, when, how fast, about which question, and what the result was."""
    records = t.records_of((1, t.decided(decision=ASK)), (2, t.asked()), (3, t.answered(2)), t.finished())
    (record,) = read_decisions(records)
    assert (record.session, record.seq, record.at) == ("s", 1, t.at(1))
    assert (record.tool, record.call_id, record.input) == ("note", "c1", "{}")
    assert (record.code, record.by, record.channel, record.seconds) == (records[1].code, "ana", "terminal", 1.0)
    assert (record.ran, record.took_effect, record.is_in_doubt, record.is_second_look) == (
        True,
        True,
        False,
        False,
    )


def test_the_question_that_counts_is_the_one_asked_last() -> None:
    """Where what was shown has changed, each record has the code of its own question."""
    records = t.records_of(
        *(t.decided(decision=ASK), t.asked(), t.answered(2)),
        *(t.decided(decision=ASK, preview=("new",)), t.asked(preview=("new",))),
    )
    assert [one.code for one in read_decisions(records)] == [records[1].code, records[4].code]


def test_input_is_what_was_sent() -> None:
    """Defaults that code filled in are in the digest, not in what is shown."""
    entry = e.Decided(
        "c1", "note", '{"id":1,"day":"today"}', "d", t.RISKS["note"], Level(2), ALLOW, (), sent='{"id":1}'
    )
    assert decisions(entry)[0].input == '{"id":1}'


@pytest.mark.parametrize("level", [Level.LOOK, Level.BOUNDED])
def test_another_level_is_another_decision(level: Level) -> None:
    """A record never names a level at which its call was not decided."""
    first = t.decided()
    again = e.Decided("c1", first.tool, first.input, first.digest, first.risk, level, ALLOW, first.verdicts)
    assert [(one.level, one.is_second_look) for one in decisions(first, again)] == [
        (Level.PROPOSE, False),
        (level, True),
    ]


@pytest.mark.parametrize(
    ("outcome", "took_effect", "status"), [("happened", True, "unknown_outcome"), ("not", False, "fault")]
)
def test_what_a_person_had_to_settle_stays_in_doubt(outcome: Any, took_effect: bool, status: str) -> None:
    """A person's word is no report of the tool, but it counts."""
    (record,) = decisions(
        *(t.decided(), t.started(), LATE, t.reconciled(2, outcome)),
        t.finished(status=status, **REFUSED),
    )
    assert (record.outcome, record.took_effect, record.is_in_doubt, record.ran) == (
        status,
        took_effect,
        True,
        False,
    )


def test_what_failed_ran_and_took_no_effect() -> None:
    """A tool's own failure is told from a refusal by code."""
    (record,) = decisions(t.decided(), t.finished(status="fault", is_error=True))
    assert (record.ran, record.took_effect) == (True, False)


def test_an_undo_names_what_it_takes_back() -> None:
    """It is a decision of its own, about a person's call."""
    records = decisions(
        *(t.decided("c1"), t.finished("c1", undo="null"), t.proposed("undo", undoes="c1")),
        *(t.decided("undo", ASK), t.asked("undo"), t.answered(5, call_id="undo"), t.decided("undo", DENY)),
    )
    assert [one.undoes for one in records] == [None, "c1", "c1"]


def test_a_call_of_a_person_that_undoes_nothing_is_one_like_others() -> None:
    """Only what is named is taken back."""
    (record,) = decisions(t.proposed("p", undoes=None), t.decided("p"), t.finished("p"))
    assert record.undoes is None


def test_decisions_come_in_order_and_only_open_ones_are_kept() -> None:
    """However long a session is, only what may still change is in memory, and what waits behind it."""
    reading = Decisions()
    kept: list[int] = []
    out: list[str] = []
    story = [t.decided("a"), t.decided("b"), t.finished("b"), t.finished("a"), t.decided("c"), t.finished("c")]
    for record in t.records_of(*story):
        reading.take(record)
        out += [one.call_id for one in reading.release()]
        kept.append(len(reading.open))
    assert (kept, out) == ([1, 2, 2, 0, 1, 0], ["a", "b", "c"])


def test_reading_tells_which_decision_an_entry_belongs_to() -> None:
    """By the number of the entry that decided; nothing for entries about no decision."""
    reading = Decisions()
    story = [
        t.said(),
        t.decided(decision=ASK),
        t.asked(),
        t.answered(3),
        t.decided(decision=ASK),
        t.finished(),
        t.said(2),
    ]
    numbers = [reading.take(record) for record in t.records_of(*story)]
    assert numbers == [None, 2, 2, 2, 2, 2, None]
    assert reading.standing(2).outcome == "ok"


@pytest.mark.parametrize(
    ("wanted", "calls"),
    [
        (DecisionFilter(), ["a", "b"]),
        (DecisionFilter(tool="look"), ["b"]),
        (DecisionFilter(tool="nothing"), []),
        (DecisionFilter(decision=ALLOW), ["a"]),
        (DecisionFilter(decision=ASK), ["b"]),
        (DecisionFilter(since=t.at(2)), ["b"]),
        (DecisionFilter(since=t.at(2.001)), []),
        (DecisionFilter(tool="note", decision=ASK), []),
    ],
    ids=str,
)
def test_wanted_decisions_are_chosen(wanted: DecisionFilter, calls: list[str]) -> None:
    """By tool, by decision, from a time on; what is not said does not matter."""
    records = decisions((1, t.decided("a")), (2, t.decided("b", ASK, tool="look")))
    assert [one.call_id for one in records if wanted.includes(one)] == calls
