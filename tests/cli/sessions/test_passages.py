"""A session as passages: each thing that happened once, whole, in order."""

import pytest

from agentcli.cli.sessions.passages import Kind, Passage, passages
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.ports import FailureKind
from tests.session.telling import (
    BEGUN,
    Told,
    answered,
    asked,
    at,
    attached,
    decided,
    finished,
    level_set,
    opened,
    proposed,
    reconciled,
    records_of,
    replied,
    said,
    started,
    started_run,
    supplied,
    suspended,
    text,
    use,
)

CALLED = (*BEGUN, replied(use("c1", "note", words="x" * 300)))


def told(*entries: Told) -> list[tuple[Kind, str, str]]:
    read = passages("s", iter(records_of(*entries)))
    return [(one.kind, one.heading, one.text) for one in read]


def last(*entries: Told) -> tuple[Kind, str, str]:
    return told(*entries)[-1]


def test_a_run_is_told_from_its_first_word_to_its_end() -> None:
    """Words, decisions with every rule, results, replies, and what it used."""
    whole = told(
        opened(),
        attached(),
        said(1, "hello\nthere"),
        started_run(),
        e.Heard((1,), 1),
        replied(text("I will."), use("c1", "note")),
        decided("c1", tool="note", input_text='{"amount":1.50}', reason="level 2 allows it"),
        finished("c1"),
        replied(text("Done.")),
        e.RunEnded("completed", "Done."),
    )
    assert whole == [
        (Kind.SAID, "#1 ana (terminal)", "hello\nthere"),
        (Kind.NOTE, "run 1 begins · scripted · level 2", ""),
        (Kind.NOTE, "heard #1 at step 1", ""),
        (Kind.REPLY, "step 1", "I will."),
        (
            Kind.DECISION,
            "[allow] note · write · level 2",
            '{\n  "amount": 1.50\n}\nallow · level: level 2 allows it',
        ),
        (Kind.RESULT, "note gave", '{\n  "status": "ok",\n  "of": "c1"\n}'),
        (Kind.REPLY, "step 1", "Done."),
        (Kind.NOTE, "the run ended: completed · 2 steps · 0 tokens · 0.02 USD", ""),
    ]


ASKED = (*CALLED, decided("c1", Decision.ASK), asked("c1", preview=("will note: x",)))
QUESTION = len(ASKED)


@pytest.mark.parametrize(
    ("entries", "passage"),
    [
        ((opened(), attached(), said(), e.Unsaid(1)), (Kind.NOTE, "#1 was dropped before it was heard", "")),
        ((opened(), attached(), said(), e.Unsaid(1, "bye")), (Kind.SAID, "#1 put otherwise", "bye")),
        (
            (*BEGUN, level_set(Level.LOOK)),
            (Kind.NOTE, "level is 1 (may look), set by ana", ""),
        ),
        ((*BEGUN, level_set(Level.TALK, "note")), (Kind.NOTE, "level of note is 0", "")),
        ((*BEGUN, level_set(None, "note")), (Kind.NOTE, "level of note is the session's again, set by ana", "")),
        (
            (*BEGUN, e.RequestFailed(1, 2, FailureKind.OVERLOADED, "Busy.")),
            (Kind.NOTE, "request failed, try 2", "Busy."),
        ),
        (ASKED, (Kind.QUESTION, "asked about note · call 1 of 1 · code ", "will note: x")),
        (
            (*ASKED, answered(QUESTION, "declined", reason="keep it")),
            (Kind.ANSWER, "[declined] note by ana (terminal) after 1.0 s", "keep it"),
        ),
        (
            (*ASKED, answered(QUESTION, "edited", input='{"words":"y"}')),
            (Kind.ANSWER, "[edited] note by ana (terminal) after 1.0 s", '{\n  "words": "y"\n}'),
        ),
        ((*ASKED, answered(QUESTION, "expired")), (Kind.ANSWER, "[expired] note", "")),
        ((*CALLED, decided("c1"), suspended("c1")), (Kind.QUESTION, "note asks", "how?\nlook here")),
        (
            (*CALLED, decided("c1"), suspended("c1"), supplied(len(CALLED) + 2, how="so")),
            (Kind.ANSWER, "[filled] note by ana", '{\n  "how": "so"\n}'),
        ),
        (
            (*CALLED, decided("c1"), started("c1"), attached(2), reconciled(len(CALLED) + 2, "happened")),
            (Kind.ANSWER, "whether note took effect, by ana: happened", ""),
        ),
        (
            (*CALLED, decided("c1"), finished("c1", "fault", is_error=True)),
            (Kind.RESULT, "note failed", '{\n  "status": "fault",'),
        ),
        (
            (*BEGUN, replied(text("no"), cost=None), e.RunEnded("limit", "Stopped", "steps")),
            (Kind.NOTE, "the run ended: limit · 1 step · 0 tokens · cost unknown", "Stopped"),
        ),
    ],
    ids=[
        *("dropped", "put otherwise", "level", "tool's level", "level taken back", "request failed", "asked"),
        *("declined", "edited", "expired", "suspended", "filled", "settled", "failed", "limit"),
    ],
)
def test_everything_that_happens_has_its_passage(
    entries: tuple[Told, ...], passage: tuple[Kind, str, str]
) -> None:
    """Also what only an entry says: edits, forms, levels, requests that failed."""
    kind, heading, words = last(*entries)
    assert kind is passage[0]
    assert heading.startswith(passage[1])
    assert words.startswith(passage[2]) if passage[2] else not words


def test_a_persons_own_call_is_theirs() -> None:
    """An undo is told as what a person wanted."""
    done = (*CALLED, decided("c1"), finished("c1", undo="{}"), replied(text("ok")), e.RunEnded("completed", "ok"))
    assert last(*done, proposed("u1")) == (Kind.NOTE, "ana wants note undone", "")
    assert last(*done, proposed("u1", undoes=None)) == (Kind.NOTE, "ana calls note", "")


def test_inputs_are_whole() -> None:
    """What a terminal cuts is not cut here."""
    long = '{"words":"' + "x" * 300 + '"}'
    assert "x" * 300 in last(*CALLED, decided("c1", input_text=long))[2]


def test_a_passage_knows_its_time() -> None:
    """That of its entry."""
    assert list(passages("s", iter(records_of(opened(), attached(), (5, said()))))) == [
        Passage(Kind.SAID, at(5), "#1 ana (terminal)", "hello")
    ]
