"""How entries are stored: whatever is written can be read again, and nothing else is."""

import json
import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.session import entries as e
from agentcli.session.codec import KINDS, UnknownEntry, Unstorable, decode_entry, encode_entry

raws = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
).map(lambda value: msgspec.Raw(json.dumps(value).encode()))
st.register_type_strategy(msgspec.Raw, raws)


def an_entry(kind: str) -> st.SearchStrategy[e.Entry]:
    """Any entry of a kind, all its fields given."""
    record = KINDS[kind]
    fields = {field.name: st.from_type(field.type) for field in msgspec.structs.fields(record)}
    return st.builds(record, **fields).filter(fits_into_json)


def fits_into_json(entry: e.Entry) -> bool:
    """Whether all its numbers are such as JSON has: finite, and whole ones of 64 bits."""
    try:
        body = msgspec.json.encode(entry)
    except OverflowError:
        return False
    numbers = [value for value in msgspec.structs.astuple(entry) if isinstance(value, float)]
    return bool(body) and all(map(math.isfinite, numbers))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_what_is_stored_is_read_as_it_was_written(kind: str, data: st.DataObject) -> None:
    """An entry comes back from the journal with every field as it went in."""
    entry = data.draw(an_entry(kind))
    assert decode_entry(kind, encode_entry(entry)) == entry


def not_typed(value: Any) -> Any:
    """A value of another type than its field says, as a program without a type checker may give it."""
    return value


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        pytest.param(e.StopAsked(not_typed(None)), "by", id="None for a name"),
        pytest.param(e.Said(1, not_typed(b"hello"), "ana", "api"), "text", id="bytes for text"),
        pytest.param(e.LevelSet(not_typed(7), "ana", "/level"), "level", id="no level"),
        pytest.param(e.RunEnded("completed", undelivered=not_typed([1])), "undelivered", id="a list for a tuple"),
        pytest.param(e.StopAsked("half \ud800"), "surrogates not allowed", id="half a character"),
    ],
)
def test_what_could_not_be_read_again_is_not_stored(entry: e.Entry, named: str) -> None:
    """A field of another type would make its session unreadable, or say something else: it is refused, by name."""
    with pytest.raises(Unstorable, match=named):
        encode_entry(entry)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_an_unknown_field_is_refused(kind: str, data: st.DataObject) -> None:
    """An entry with a field that this version does not know may mean something else: nothing is done on it."""
    fields = msgspec.json.decode(encode_entry(data.draw(an_entry(kind))))
    with pytest.raises(UnknownEntry, match=kind):
        decode_entry(kind, msgspec.json.encode(fields | {"surprise": 1}))


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        pytest.param("run_started", ["limits"], id="limits"),
        pytest.param("replied", ["usage"], id="usage"),
        pytest.param("answered", ["origin"], id="where an answer came from"),
        pytest.param("decided", ["verdicts", 0], id="a verdict"),
        pytest.param("finished", ["facts", 0], id="a fact"),
    ],
)
def test_an_unknown_field_inside_is_refused(kind: str, path: list[str | int]) -> None:
    """Strictness goes all the way down: a verdict or a fact with something unknown in it is refused too."""
    body = msgspec.json.decode(BODIES[kind])
    assert decode_entry(kind, BODIES[kind])
    inner: Any = body
    for step in path:
        inner = inner[step]
    inner["surprise"] = 1
    with pytest.raises(UnknownEntry):
        decode_entry(kind, msgspec.json.encode(body))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        pytest.param("promised", b"{}", id="an unknown kind"),
        pytest.param("Said", b'{"no":1,"text":"a","by":"b","channel":"c"}', id="a kind in other letters"),
        pytest.param("said", b'{"no":1,"text":"a","by":"b"}', id="a field missing"),
        pytest.param("said", b'{"no":"1","text":"a","by":"b","channel":"c"}', id="a field of another type"),
        pytest.param("said", b"[]", id="no object"),
        pytest.param("said", b'{"no":1,"text":"a",', id="cut off"),
        pytest.param("said", b"", id="empty"),
        pytest.param("said", b'{"no":1,"text":"\xff","by":"b","channel":"c"}', id="no UTF-8"),
        pytest.param("level_set", b'{"level":5,"by":"a","cause":"b"}', id="a level that does not exist"),
        pytest.param("answered", b'{"call_id":"c","asked":1,"answer":"yes"}', id="an answer that does not exist"),
    ],
)
def test_what_does_not_fit_is_refused(kind: str, body: bytes) -> None:
    """An entry that can't be read stops everything, and the message names its kind."""
    with pytest.raises(UnknownEntry, match=kind):
        decode_entry(kind, body)


def test_every_entry_has_its_kind() -> None:
    """No two kinds of entries share a name, and none is left out."""
    written = {entry for entry in e.Entry.__subclasses__() if entry.__module__.startswith("agentcli.")}
    assert written == set(KINDS.values())
    assert all(entry.kind == kind for kind, entry in KINDS.items())


BODIES = {
    "run_started": b'{"run":1,"cause":"words","limits":{"steps":3}}',
    "replied": b'{"step":1,"blocks":[],"stop_reason":null,"usage":{"input_tokens":3}}',
    "answered": (
        b'{"call_id":"c","asked":1,"answer":"approved","by":"a","channel":"t","seconds":1.5,"origin":{"uid":7}}'
    ),
    "decided": (
        b'{"call_id":"c","tool":"t","input":"{}","digest":"d","risk":"read","level":2,"decision":"deny",'
        b'"verdicts":[{"rule":"level","decision":"deny"}]}'
    ),
    "finished": (
        b'{"call_id":"c","origin":"tool","status":"ok","result":{},"is_error":false,"digest":"d",'
        b'"facts":[{"name":"known","subject":"ann","holds":true,"call_id":"c"}]}'
    ),
}
