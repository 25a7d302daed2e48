"""How entries are stored: whatever is written can be read again, and nothing else is."""

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.session import entries as e
from agentcli.session.codec import KINDS, UnknownEntry, decode_entry, encode_entry

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
json_texts = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
).map(lambda value: msgspec.Raw(json.dumps(value).encode()))
times = st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(9999, 1, 1)).map(
    lambda time: time.replace(tzinfo=UTC)
)
st.register_type_strategy(str, texts)
st.register_type_strategy(datetime, times)
st.register_type_strategy(msgspec.Raw, json_texts)
st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))


def an_entry(kind: str) -> st.SearchStrategy[e.Entry]:
    """Any entry of a kind, all its fields given."""
    record = KINDS[kind]
    fields = {field.name: st.from_type(field.type) for field in msgspec.structs.fields(record)}
    return st.builds(record, **fields)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_what_is_stored_is_read_as_it_was_written(kind: str, data: st.DataObject) -> None:
    """An entry comes back from the journal with every field as it went in."""
    entry = data.draw(an_entry(kind))
    assert decode_entry(kind, encode_entry(entry)) == entry


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
    written = {entry for entry in vars(e).values() if isinstance(entry, type) and issubclass(entry, e.Entry)}
    assert written - {e.Entry} == set(KINDS.values())
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
