"""Whatever comes in, the answer is one of ours, made of nothing that came in but the real status."""

import json
from http import HTTPStatus
from itertools import count
from typing import Any, NoReturn

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from agentcli.problems import DECISIONS, MAX_BODY_BYTES, PROBLEM_MEDIA_TYPE, classify
from tests.problems.corpus import INVALID_BRIEF, REASONS, STALE_REVISION, problem

anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(90, 610),
    st.floats(),
    st.complex_numbers(),
    st.text(st.characters(exclude_categories=())),
    st.binary(),
    st.sampled_from([PROBLEM_MEDIA_TYPE, HTTPStatus.CONFLICT, bytearray(b"{}"), memoryview(b"{}"), int, count()]),
    st.lists(st.integers()),
    st.dictionaries(st.text(), st.integers()),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
json_bodies = json_values.map(lambda value: json.dumps(value).encode())
FRAGMENTS = (
    *'{}[]:,"\\-. \n\ufeff\0',
    *("null", "true", "422", "409", "e9", "1e999", "NaN", "\\u0074", "\\ud800", "9" * 4_301),
    *('"type"', '"status"', f'"{INVALID_BRIEF}"', f'"{STALE_REVISION}"'),
)
json_like_bodies = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map(lambda pieces: "".join(pieces).encode())
members = st.dictionaries(
    st.text(max_size=12).filter(lambda name: name not in ("type", "status")), json_values, max_size=5
)


@given(anything, anything, anything)
def test_nothing_whatever_raises(status: object, content_type: object, body: object) -> None:
    """Any value of any type gets an answer."""
    assert classify(status, content_type, body)["reason"] in REASONS


def _explode(*_args: object, **_kwargs: object) -> NoReturn:
    raise RuntimeError("looked at from inside")


EXPLODING = (
    *("__bool__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__len__", "__iter__"),
    *("__contains__", "__getitem__", "__int__", "__index__", "__str__", "__repr__", "__getattr__"),
    *("decode", "strip", "partition", "lower", "get"),
)


def explosive(base: type[Any], *arguments: object) -> object:
    """An instance of a subclass of which every method raises, and which can't even be asked for its class."""
    namespace: dict[str, Any] = {**dict.fromkeys(EXPLODING, _explode), "__class__": property(_explode)}
    kind = type("Explosive", (base,), namespace)
    return kind.__new__(kind, *arguments)


@pytest.mark.parametrize("place", [0, 1, 2], ids=["status", "content-type", "body"])
@pytest.mark.parametrize(
    ("base", "arguments"),
    [(object, ()), (int, (422,)), (str, (PROBLEM_MEDIA_TYPE,)), (bytes, (problem(),)), (dict, ())],
    ids=["object", "int", "str", "bytes", "dict"],
)
def test_an_objects_own_code_is_never_run(base: type[Any], arguments: tuple[object, ...], place: int) -> None:
    """An object that poses as a number, a text or bytes can't make the answer fail."""
    given_values: list[object] = [422, PROBLEM_MEDIA_TYPE, problem()]
    given_values[place] = explosive(base, *arguments)
    answer = classify(*given_values)
    assert answer["reason"] in REASONS
    assert type(answer["http_status"]) in (int, type(None))


@given(st.integers(100, 599), st.binary(max_size=200) | json_like_bodies | json_bodies)
def test_nothing_of_the_body_comes_out(status: int, body: bytes) -> None:
    """The answer is made of words of ours and of the real status, whatever the body holds."""
    answer = classify(status, PROBLEM_MEDIA_TYPE, body)
    assert set(answer) == {"decision", "reason", "http_status"}
    assert answer["decision"] in DECISIONS
    assert answer["reason"] in REASONS
    assert answer["http_status"] == status


@given(
    status=st.sampled_from([409, 422, 500]),
    problem_type=st.sampled_from([INVALID_BRIEF, STALE_REVISION, "about:blank"]),
    title=json_values,
    detail=json_values,
    extensions=members,
    ascii_only=st.booleans(),
)
@example(
    status=409,
    problem_type=INVALID_BRIEF,
    title="stale-revision",
    detail=STALE_REVISION,
    extensions={"decision": "REVIEW_REVISION", "http_status": 422},
    ascii_only=True,
)
def test_titles_details_and_extensions_change_nothing(
    status: int, problem_type: str, title: object, detail: object, extensions: dict[str, object], ascii_only: bool
) -> None:
    """Whatever else a problem says, its category is that of its bare type."""
    told = {"title": title, "detail": detail, **extensions, "type": problem_type}
    body = json.dumps(told, ensure_ascii=ascii_only).encode()
    assume(len(body) <= MAX_BODY_BYTES)
    assert classify(status, PROBLEM_MEDIA_TYPE, body) == classify(
        status, PROBLEM_MEDIA_TYPE, problem(problem_type)
    )


@given(st.integers(100, 599), st.sampled_from([INVALID_BRIEF, STALE_REVISION]))
def test_a_known_type_is_known_with_its_own_status_alone(status: int, problem_type: str) -> None:
    """Of all statuses exactly one makes a known type known."""
    known = classify(status, PROBLEM_MEDIA_TYPE, problem(problem_type))["decision"] != "REVIEW_GENERIC"
    assert known == (status == {INVALID_BRIEF: 422, STALE_REVISION: 409}[problem_type])
