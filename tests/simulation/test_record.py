"""What the record says of simulated worlds: every decision once, and nothing ran that was not decided with it."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import pytest

from agentcli.session import entries as e
from agentcli.session.decisions import DecisionRecord, read_decisions
from agentcli.session.export import export_line
from agentcli.session.record import Record
from agentcli.session.rejudging import Overrides, rejudge
from agentcli.store.mirror import MirroredDecisions
from tests.simulation.story import Story
from tests.simulation.themes import THEMES
from tests.simulation.tools import CATALOG
from tests.simulation.world import SESSION, play

WORLDS = 12


@cache
def worlds(theme: str) -> tuple[Story, ...]:
    return tuple(play(seed, theme=theme) for seed in range(WORLDS))


def entries(story: Story, *kinds: type[e.Entry]) -> Iterator[Record]:
    return (record for record in story.records if isinstance(record.entry, kinds))


def call_of(record: Record) -> str:
    call_id = getattr(record.entry, "call_id", None)
    assert isinstance(call_id, str)
    return call_id


def by_call(records: Sequence[DecisionRecord], call_id: str) -> list[DecisionRecord]:
    return [record for record in records if record.call_id == call_id]


@pytest.fixture(params=THEMES)
def stories(request: pytest.FixtureRequest) -> tuple[Story, ...]:
    return worlds(request.param)


def test_every_call_that_was_decided_ends_with_one_outcome(stories: tuple[Story, ...]) -> None:
    """It stands with the last decision about the call; a call that nobody decided about has none."""
    for story in stories:
        records = list(read_decisions(story.records))
        decided = {call_of(record) for record in entries(story, e.Decided)}
        finished = {call_of(record): record.entry for record in entries(story, e.Finished)}
        for call_id in decided:
            outcomes = [one.outcome for one in by_call(records, call_id) if one.result_digest is not None]
            ending = finished.get(call_id)
            assert outcomes == ([] if not isinstance(ending, e.Finished) else [ending.status])
        assert {one.call_id for one in records} == decided


def test_decisions_are_entries_that_decide_each_once_and_in_order(stories: tuple[Story, ...]) -> None:
    """No number comes twice, and what a later look came to the same as is not there again."""
    for story in stories:
        numbers = [record.seq for record in read_decisions(story.records)]
        assert numbers == sorted(set(numbers))
        assert set(numbers) <= {record.seq for record in entries(story, e.Decided)}
        for call_id in {one.call_id for one in read_decisions(story.records)}:
            for before, after in pairwise(by_call(list(read_decisions(story.records)), call_id)):
                asked_alike = (before.preview, before.verdicts) == (after.preview, after.verdicts)
                same = (before.decision, before.level, before.digest) == (
                    after.decision,
                    after.level,
                    after.digest,
                )
                assert not (same and asked_alike) or before.answer == "edited"


def test_every_answer_stands_with_its_question(stories: tuple[Story, ...]) -> None:
    """As often in the record as in the journal, under the code of the question that it answered; forms have none."""
    for story in stories:
        codes = {record.seq: record.code for record in entries(story, e.Asked)}
        given = Counter(
            (entry.call_id, codes[entry.asked], entry.answer, entry.by)
            for record in entries(story, e.Answered)
            if isinstance(entry := record.entry, e.Answered) and entry.asked in codes
        )
        read = Counter(
            (one.call_id, one.code, one.answer, one.by)
            for one in read_decisions(story.records)
            if one.answer is not None and one.code is not None
        )
        assert read == given


def transactions(story: Story) -> Iterator[list[Record]]:
    for first, behind in pairwise((*story.firsts, len(story.records) + 1)):
        yield list(story.records[first - 1 : behind - 1])


def test_nothing_runs_that_is_not_in_the_mirror(stories: tuple[Story, ...]) -> None:
    """A call's decision is copied in the very transaction that starts it, or runs it in the store."""
    for story in stories:
        lines: list[bytes] = []
        witness = MirroredDecisions(lines.append)
        starts = {call_of(record) for record in entries(story, e.Started)}
        for transaction in transactions(story):
            lines.clear()
            witness.attest(transaction)
            copied = {json.loads(line)["call_id"] for line in b"".join(lines).splitlines()}
            for record in transaction:
                match record.entry:
                    case e.Started(call_id=call_id):
                        assert call_id in copied
                    case e.Finished(call_id=call_id, origin="tool") if call_id not in starts:
                        assert call_id in copied


def test_the_mirror_holds_every_decision_and_every_answer(stories: tuple[Story, ...]) -> None:
    """Its last line of a number says what the record says, but for what a call elsewhere gave."""
    for story in stories:
        lines: list[bytes] = []
        witness = MirroredDecisions(lines.append)
        for transaction in transactions(story):
            witness.attest(transaction)
        last = {line["seq"]: line for line in map(json.loads, b"".join(lines).splitlines())}
        assert set(last) == {one.seq for one in read_decisions(story.records)}
        for one in read_decisions(story.records):
            is_acted_on = one.outcome is not None and one.answer not in (None, "filled")
            assert not is_acted_on or last[one.seq]["answer"] == json.loads(export_line(one))["answer"]


def test_nothing_comes_out_differently_where_nothing_is_different(stories: tuple[Story, ...]) -> None:
    """The gate says again what it said, from what it knew then."""
    for story in stories:
        judged = list(rejudge(SESSION, story.records, CATALOG, Overrides()))
        assert [one.record.seq for one in judged if one.differs] == []
        own = {one.call_id for one in read_decisions(story.records) if one.undoes is not None}
        assert {one.record.call_id for one in judged} | own == {
            one.call_id for one in read_decisions(story.records)
        }


def test_every_decision_is_one_printable_line(stories: tuple[Story, ...]) -> None:
    """Whatever models and persons said."""
    for story in stories:
        for record in read_decisions(story.records):
            line = export_line(record)
            assert line.endswith(b"\n")
            assert all(0x20 <= byte <= 0x7E for byte in line[:-1])
