"""The journal as the conversation the model sees: every message serialised once, the list only ever grows."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

MAX_RESULT_CHARACTERS: Final = 100_000
NOTE: Final = "[undo] "
"""How a block begins that tells what happened outside the conversation; it is no person's words."""


class Block(msgspec.Struct, frozen=True):
    """What we read of a reply's content block; the block itself goes back as it came."""

    type: str
    text: str = ""
    id: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")


class _ToolResult(msgspec.Struct, frozen=True, tag="tool_result", omit_defaults=True):
    tool_use_id: str
    content: str
    is_error: bool = False


class _Text(msgspec.Struct, frozen=True, tag="text"):
    text: str


_BLOCK: Final = msgspec.json.Decoder(Block)


def read_block(block: bytes | msgspec.Raw) -> Block:
    """Return what we need to know of a block; test its `type`, whatever else it holds."""
    return _BLOCK.decode(bytes(block))


@dataclass(slots=True)
class Conversation:
    """Finished messages, and the blocks of the user message that the next request will end with."""

    finished: list[bytes] = field(default_factory=list)
    pending: list[bytes] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    holds_calls: bool = False
    _hash: "hashlib._Hash" = field(default_factory=hashlib.sha256, compare=False, repr=False)

    def hear(self, text: str) -> None:
        """Add a person's words, as typed, behind whatever the user message already holds."""
        self.pending.append(msgspec.json.encode(_Text(text)))

    def note(self, text: str) -> None:
        """Keep what happened outside the conversation, to be told beside the next words in a block of its own."""
        self.notes.append(text)

    def tell_notes(self) -> None:
        """Add the notes behind the words."""
        for text in self.notes:
            self.hear(NOTE + text)
        self.notes.clear()

    def add_result(self, call_id: str, result: bytes, *, is_error: bool) -> None:
        """Add the result of a call; the caller keeps the model's order, and results before words."""
        text = _cut(result.decode())
        self.pending.append(msgspec.json.encode(_ToolResult(call_id, text, is_error)))

    def add_reply(self, blocks: Sequence[bytes], *, holds_calls: bool) -> None:
        """Add an assistant message of the blocks as they came; with none, the reply stays out."""
        if not blocks:
            return
        if self.pending:
            self._finish(_message(b"user", self.pending))
            self.pending = []
        self._finish(_message(b"assistant", blocks))
        self.holds_calls = self.holds_calls or holds_calls

    def messages(self) -> list[bytes]:
        """Return the messages for a request."""
        return [*self.finished, _message(b"user", self.pending)] if self.pending else list(self.finished)

    def digest(self) -> str:
        """Return the SHA-256 of the messages, at a cost that does not grow with their number."""
        running = self._hash.copy()
        if self.pending:
            running.update(_message(b"user", self.pending))
        return running.hexdigest()

    def _finish(self, message: bytes) -> None:
        self.finished.append(message)
        self._hash.update(message)


def kept_blocks(blocks: Iterable[bytes | msgspec.Raw], *, only_text: bool) -> list[tuple[bytes, Block]]:
    """Return the blocks that stay in the conversation: blank text goes, of a cut reply all but text."""
    read = [(bytes(raw), read_block(raw)) for raw in blocks]
    return [(raw, block) for raw, block in read if _stays(block, only_text=only_text)]


def _stays(block: Block, *, only_text: bool) -> bool:
    return bool(block.text.strip()) if block.type == "text" else not only_text


def _message(role: bytes, blocks: Iterable[bytes]) -> bytes:
    return b'{"role":"' + role + b'","content":[' + b",".join(blocks) + b"]}"


def _cut(text: str) -> str:
    surplus = len(text) - MAX_RESULT_CHARACTERS
    if surplus <= 0:
        return text
    return f"{text[:MAX_RESULT_CHARACTERS]}\n[cut here: {surplus} more characters]"
