"""How entries are stored: their kind beside their fields as JSON. Reading is strict."""

from typing import Any, Final

import msgspec

from agentcli.session import entries as e
from agentcli.session.entries import Entry
from agentcli.session.registered import Created, Deleted, Drained, Renamed

KINDS: Final[dict[str, type[Entry]]] = {
    one.kind: one
    for one in (
        e.Opened, e.Attached, e.LevelSet, e.Said, e.Unsaid, e.StopAsked, e.RunStarted, e.RunEnded, e.Heard,
        e.Requested, e.RequestFailed, e.Replied, e.Proposed, e.Decided, e.Asked, e.Answered, e.Started, e.Overdue,
        e.Suspended, e.Supplied, e.Reconciled, e.Finished, e.Filtered,
        Created, Renamed, Deleted, Drained,
    )
}  # fmt: skip


class UnknownEntry(ValueError):
    """A journal holds an entry that this version can't read; nothing is done on its account."""


class Unstorable(TypeError):
    """What is read again would be another entry, or none: a field is of another type, or no valid Unicode."""


def encode_entry(entry: Entry) -> bytes:
    """Return the body to store.

    Raises:
        Unstorable: It could not be read again as it is.
    """
    try:
        body = _ENCODER.encode(entry)
        read = decode_entry(entry.kind, body)
    except (UnicodeEncodeError, UnknownEntry) as error:
        raise Unstorable(f"this can't be stored: {error}") from error
    # Records take what they are given: a program's None for a name would make its session unreadable for ever.
    changed = [name for name in entry.__struct_fields__ if getattr(read, name) != getattr(entry, name)]
    if changed:
        given = type(getattr(entry, changed[0])).__name__
        raise Unstorable(f"this can't be stored: {changed[0]!r} of an entry of kind {entry.kind!r} is {given}")
    return body


def decode_entry(kind: str, body: bytes) -> Entry:
    """Return the entry stored as `kind` and `body`.

    Raises:
        UnknownEntry: The kind or a field is not known, or has another type.
    """
    decoder = _DECODERS.get(kind)
    if decoder is None:
        raise UnknownEntry(f"an entry of the unknown kind {kind!r}")
    try:
        entry: Entry = decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnknownEntry(f"an entry of kind {kind!r} that does not fit: {error}") from error
    return entry


_ENCODER: Final = msgspec.json.Encoder()
_DECODERS: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    kind: msgspec.json.Decoder(one) for kind, one in KINDS.items()
}
