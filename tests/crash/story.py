"""What is left of a session once all lives have been lived, and what has to hold of it."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentcli.session import entries as e
from agentcli.session.fold import fold
from agentcli.session.state import State
from agentcli.store.chain import verify
from agentcli.store.migrations import REGISTER
from agentcli.store.register import list_sessions
from agentcli.store.sqlite import SqliteStore
from tests.crash.life import Files


@dataclass(frozen=True, slots=True)
class Told:
    """A call as the journal tells it: its tool, its input, and how it ended."""

    tool: str
    input: str
    status: str


@dataclass(frozen=True, slots=True)
class Story:
    """What happened, in the world, in the book and in the journal.

    `results` are the ids of the tool results of each user message, `uses` those of the calls in the reply before.
    """

    effects: Counter[str]
    book: tuple[tuple[int, str], ...]
    calls: tuple[Told, ...]
    heard: tuple[str, ...]
    uses: tuple[tuple[str, ...], ...]
    results: tuple[tuple[str, ...], ...]
    is_whole: bool
    leftovers: tuple[str, ...]

    @property
    def what_happened(self) -> object:
        """All that must be the same however often a process was killed: what may be repeated counts once."""
        sure = Counter(
            {effect: 1 if effect.startswith("sync ") else count for effect, count in self.effects.items()}
        )
        return sure, self.book, [(call.tool, call.input) for call in self.calls], sorted(self.heard)


def story_of(folder: Path) -> Story:
    """Read what is left in a folder."""
    files = Files(folder)
    lines = files.effects.read_text().splitlines() if files.effects.exists() else []
    with SqliteStore.open(files.store) as store:
        (listing,) = list_sessions(store)
        state = fold(listing.session, store.records(listing.session))
        with store.look() as tables:
            book = tuple((int(number), str(what)) for number, what in tables.execute("SELECT id, what FROM yard_book ORDER BY id"))  # fmt: skip
        messages = [json.loads(message) for message in state.conversation.messages()]
        return Story(
            effects=Counter(lines),
            book=book,
            calls=tuple(_told(call.tool, call.input, call.finished) for call in state.calls.values()),
            heard=tuple(_texts(messages)),
            uses=tuple(_ids(message, "assistant", "tool_use", "id") for message in messages[1::2]),
            results=tuple(_ids(message, "user", "tool_result", "tool_use_id") for message in messages[2::2]),
            is_whole=all(verify(store.rows(name)).whole for name in (REGISTER, listing.session)),
            leftovers=tuple(_leftovers(store, state)),
        )


def _told(tool: str, input_text: str, finished: e.Finished | None) -> Told:
    return Told(tool, input_text, "" if finished is None else finished.status)


def _texts(messages: list[dict[str, Any]]) -> list[str]:
    blocks = [block for message in messages if message["role"] == "user" for block in message["content"]]
    return [
        block["text"] for block in blocks if block["type"] == "text" and not block["text"].startswith("[undo]")
    ]


def _ids(message: dict[str, Any], role: str, kind: str, member: str) -> tuple[str, ...]:
    """Return the ids in a message, whose blocks of this kind come before all others where they are results."""
    assert message["role"] == role
    kinds = [block["type"] for block in message["content"]]
    if kind == "tool_result":
        assert kinds == sorted(kinds, key=lambda one: one != kind), kinds
    return tuple(block[member] for block in message["content"] if block["type"] == kind)


def _leftovers(store: SqliteStore, state: State) -> list[str]:
    """Return what is still waiting, which is nothing once everything is done."""
    waiting = [call.call_id for call in state.calls.values() if not call.settled]
    run = [] if state.run is None else ["a run"]
    return [*waiting, *run, *map(str, state.unheard), *store.holders().values()]
