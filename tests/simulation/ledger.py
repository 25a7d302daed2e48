"""The records of a world read a second time, naively, so that the checks don't lean on the fold they check."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from agentcli.gate.autonomy import Level
from agentcli.session import entries as e
from agentcli.session.entries import Entry
from agentcli.session.record import Record
from tests.simulation.story import Story
from tests.simulation.tools import IN_STORE

ENDED: Final = ("end_turn", "stop_sequence")
WHOLE: Final = (*ENDED, "tool_use", "pause_turn")
STALING: Final = (e.Attached, e.LevelSet, e.RunStarted, e.Answered, e.Supplied, e.Reconciled)
"""What a decision rests on; lost facts apart."""

Kind = TypeVar("Kind", bound=Entry)


@dataclass(frozen=True, slots=True)
class Context:
    """What held just before an entry."""

    epoch: int = 0
    level: Level = Level.TALK
    tool_levels: Mapping[str, Level] = field(default_factory=dict)
    require_approval: bool = False
    run: int | None = None
    stop: bool = False

    def after(self, entry: Entry) -> "Context":
        """What holds after it."""
        match entry:
            case e.Attached():
                own = dict(entry.tool_levels)
                here = replace(self, epoch=entry.epoch, level=entry.level, tool_levels=own)
                return replace(here, require_approval=entry.require_approval)
            case e.LevelSet(level=None, tool=str() as tool):
                return replace(self, tool_levels={k: v for k, v in self.tool_levels.items() if k != tool})
            case e.LevelSet(level=Level() as level, tool=str() as tool):
                return replace(self, tool_levels={**self.tool_levels, tool: level})
            case e.LevelSet(level=Level() as level):
                return replace(self, level=level)
            case e.RunStarted():
                return replace(self, run=entry.run, stop=False)
            case e.RunEnded():
                return replace(self, run=None, stop=False)
            case e.StopAsked():
                return replace(self, stop=self.run is not None)
            case _:
                return self


@dataclass(slots=True)
class CallStory:
    """All that the journal says of one call, in order; `by` names the person whose call it is."""

    call_id: str
    tool: str
    input: Any
    seq: int
    position: int = 1
    by: str | None = None
    records: list[Record] = field(default_factory=list)

    def before(self, seq: int, *kinds: type[Kind]) -> Iterator[tuple[int, Kind]]:
        """Entries of these kinds about the call that stand before `seq`, the newest first."""
        for record in reversed(self.records):
            if record.seq < seq and isinstance(record.entry, kinds):
                yield record.seq, record.entry

    def last(self, kind: type[Kind], seq: int) -> tuple[int, Kind] | tuple[int, None]:
        """The newest entry of a kind before `seq`; 0 and None where there is none."""
        return next(self.before(seq, kind), (0, None))

    def decision(self, seq: int) -> e.Decided | None:
        """The decision that stands before `seq`; a person's edit takes the ones before it away."""
        for _, entry in self.before(seq, e.Decided, e.Answered):
            if isinstance(entry, e.Decided):
                return entry
            if isinstance(entry, e.Answered) and entry.answer == "edited":
                return None
        return None

    def sent(self, seq: int) -> str:
        """The input before `seq` as it was sent, or as a person has changed it by then."""
        edits = (one.input for _, one in self.before(seq, e.Answered) if one.answer == "edited")
        return next(edits, None) or json.dumps(self.input)

    @property
    def runs(self) -> list[Record]:
        """Where the call runs: in the store with its result, elsewhere from its start on."""
        if self.tool in IN_STORE:
            return [one for one in self.records if _from_tool(one.entry)]
        return [one for one in self.records if isinstance(one.entry, e.Started)]

    @property
    def results(self) -> list[Record]:
        """The results written for it; there ought to be one."""
        return [one for one in self.records if isinstance(one.entry, e.Finished)]

    def what(self, seq: int) -> str:
        """What it was about, as decided last before `seq`."""
        _, decided = self.last(e.Decided, seq)
        about: str = json.loads(decided.input)["what"] if decided is not None else self.input["what"]
        return about


class Ledger:
    """A story with its records in order of calls, and the context of each."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.records = story.records
        self.end = len(story.records) + 1
        self.calls: dict[str, CallStory] = {}
        self.strays: list[Record] = []
        self.contexts: list[Context] = []
        here = Context()
        for record in self.records:
            self.contexts.append(here)
            self._file(record)
            here = here.after(record.entry)
        self.contexts.append(here)

    def context(self, seq: int) -> Context:
        """What held just before the entry `seq`."""
        return self.contexts[seq - 1]

    def of(self, *kinds: type[Kind]) -> Iterator[tuple[Record, Kind]]:
        """All entries of these kinds, in order."""
        for record in self.records:
            if isinstance(record.entry, kinds):
                yield record, record.entry

    def between(self, first: int, last: int) -> tuple[Record, ...]:
        """The records after the entry `first` and before the entry `last`."""
        return tuple(self.records[first : last - 1])

    @cached_property
    def runs(self) -> list[tuple[Record, ...]]:
        """The records of each run, from its start to its end; the last one may still be open."""
        runs: list[list[Record]] = []
        for record in self.records:
            if isinstance(record.entry, e.RunStarted):
                runs.append([])
            if runs and (self.context(record.seq).run is not None or isinstance(record.entry, e.RunStarted)):
                runs[-1].append(record)
        return [tuple(run) for run in runs]

    def paused_before(self, seq: int) -> bool:
        """Whether the newest usable reply before `seq` had only been paused."""
        for record in reversed(self.records[: seq - 1]):
            if isinstance(record.entry, e.Replied) and record.entry.fault is None:
                return record.entry.stop_reason == "pause_turn" and not uses_in(record.entry)
        return False

    def _file(self, record: Record) -> None:
        match record.entry:
            case e.Replied() as reply:
                for position, use in enumerate(uses_in(reply), start=1):
                    call = CallStory(use["id"], use["name"], use["input"], record.seq, position)
                    self.calls[call.call_id] = call
            case e.Proposed() as proposed:
                call = CallStory(
                    proposed.call_id, proposed.tool, json.loads(proposed.input), record.seq, by=proposed.by
                )
                self.calls[call.call_id] = call
            case _:
                pass
        call_id = getattr(record.entry, "call_id", None)
        if call_id in self.calls:
            self.calls[call_id].records.append(record)
        elif call_id is not None:
            self.strays.append(record)


def blocks_of(reply: e.Replied) -> list[dict[str, Any]]:
    """The blocks of a reply that stay in the conversation."""
    if reply.fault is not None or reply.stop_reason == "refusal":
        return []
    blocks = [json.loads(bytes(block)) for block in reply.blocks]
    if not is_whole(reply):
        blocks = [block for block in blocks if block["type"] == "text"]
    return [block for block in blocks if block["type"] != "text" or block["text"].strip()]


def is_whole(reply: e.Replied) -> bool:
    """Whether more than the text of a reply counts: its stop reason says so, and what it holds agrees."""
    calls = any(json.loads(bytes(block))["type"] == "tool_use" for block in reply.blocks)
    return reply.stop_reason in WHOLE and not (calls and reply.stop_reason in ENDED)


def uses_in(reply: e.Replied) -> list[dict[str, Any]]:
    """The calls of a reply that count."""
    return [block for block in blocks_of(reply) if block["type"] == "tool_use"]


def _from_tool(entry: Entry) -> bool:
    return isinstance(entry, e.Finished) and entry.origin == "tool"
