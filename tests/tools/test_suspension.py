"""A tool may stop to ask a person, and once it has asked, nothing it swallows undoes that."""

import asyncio
import contextlib
from typing import Any, cast

import pytest

from agentcli.tools.form import FormFault
from agentcli.tools.suspension import Suspend, noticing_suspensions

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"order": {"type": "string"}}}


def test_a_suspension_says_what_is_asked() -> None:
    """The question, its form, and lines that help to answer."""
    asked = Suspend("Which comes first?", SCHEMA, shown=["01/02/2026", "03/04/2026"])
    assert (asked.question, asked.schema, asked.shown) == (
        "Which comes first?",
        SCHEMA,
        ("01/02/2026", "03/04/2026"),
    )
    assert [field.name for field in asked.form.fields] == ["order"]


NO_FORMS: list[tuple[str, str, Any, Any]] = [
    # case                     question      schema                                                shown
    ("a-list",                 "?",          {"type": "array"},                                    ()),
    ("nothing",                "?",          None,                                                 ()),
    ("no-mapping",             "?",          ["order"],                                            ()),
    ("a-field-that-is-none",   "?",          {"type": "object", "properties": {"order": 3}},       ()),
    ("required-is-a-number",   "?",          SCHEMA | {"required": 1},                             ()),
    ("a-default-of-its-own",   "?",          {"type": "object", "properties": {"a": {"type": "string", "default": object()}}}, ()),
    ("half-a-character",       "\ud800?",    SCHEMA,                                               ()),
    ("half-a-character-shown", "?",          SCHEMA,                                               ["\ud800"]),
    ("a-number-asked",         cast(str, 3), SCHEMA,                                               ()),
    ("a-number-shown",         "?",          SCHEMA,                                               [3]),
    ("a-text-for-lines",       "?",          SCHEMA,                                               "abc"),
    ("nothing-shown",          "?",          SCHEMA,                                               None),
]  # fmt: skip


@pytest.mark.parametrize(("question", "schema", "shown"), [row[1:] for row in NO_FORMS], ids=[row[0] for row in NO_FORMS])  # fmt: skip
def test_what_no_person_could_be_asked_is_refused_at_once(question: str, schema: Any, shown: Any) -> None:
    """The tool's author sees it where it is made, not the person at the prompt, and never the journal."""
    with noticing_suspensions() as made, pytest.raises(FormFault) as refused:
        Suspend(question, schema, shown=shown)
    assert (made.suspensions, made.faults) == ([], [refused.value])


def test_what_could_not_be_made_is_raised_again_where_it_was_swallowed() -> None:
    """A tool's own `except Exception` can't swallow it either."""
    with noticing_suspensions() as made, contextlib.suppress(Exception):
        raise Suspend("?", {"type": "array"})
    with pytest.raises(FormFault, match="object with properties"):
        made.raise_first()


def test_a_second_attempt_makes_up_for_the_first() -> None:
    """A tool may put otherwise what could not be asked."""
    with noticing_suspensions() as made:
        with contextlib.suppress(FormFault):
            Suspend("\ud800?", SCHEMA)
        Suspend("a file?", SCHEMA)
    with pytest.raises(Suspend, match="a file"):
        made.raise_first()


def test_where_nothing_was_asked_nothing_is_raised() -> None:
    """Most calls stop for nobody."""
    with noticing_suspensions() as made:
        pass
    made.raise_first()


def test_except_exception_does_not_catch_it() -> None:
    """A tool's own `except Exception` lets it pass."""

    def tool() -> str:
        try:
            raise Suspend("?", SCHEMA)
        except Exception:  # noqa: BLE001  # what careless tools do
            return "swallowed"

    with pytest.raises(Suspend):
        tool()


def test_what_is_made_is_noticed_even_if_it_is_swallowed() -> None:
    """A bare except, or making it without raising it, changes nothing: it was made."""
    with noticing_suspensions() as made:
        with contextlib.suppress(BaseException):
            raise Suspend("first?", SCHEMA)
        Suspend("second?", SCHEMA)
    assert [one.question for one in made.suspensions] == ["first?", "second?"]
    with pytest.raises(Suspend, match="first"):
        made.raise_first()


def test_the_first_that_was_made_counts_whatever_the_tool_ended_with() -> None:
    """One from elsewhere counts where the block has made none."""
    before = Suspend("before?", SCHEMA)
    with noticing_suspensions() as made:
        pass
    assert (made.counting(before), made.counting(RuntimeError())) == (before, None)
    with noticing_suspensions() as made:
        first = Suspend("first?", SCHEMA)
    assert (made.counting(before), made.counting(RuntimeError())) == (first, first)


def test_each_call_notices_its_own() -> None:
    """Calls within calls, and calls one after another, don't see each other's."""
    with noticing_suspensions() as outer:
        with noticing_suspensions() as inner:
            Suspend("inner?", SCHEMA)
        Suspend("outer?", SCHEMA)
    with noticing_suspensions() as later:
        pass
    noticed = [[one.question for one in made.suspensions] for made in (outer, inner, later)]
    assert noticed == [["outer?"], ["inner?"], []]


async def test_threads_of_the_call_are_noticed_too() -> None:
    """A tool at work in a thread suspends its own call."""
    with noticing_suspensions() as made:
        await asyncio.to_thread(Suspend, "?", SCHEMA)
    assert len(made.suspensions) == 1


def test_outside_a_call_it_is_an_exception_like_any_other() -> None:
    """Where nobody notices, it can be made and raised all the same."""
    with pytest.raises(Suspend, match="Which"):
        raise Suspend("Which?", SCHEMA)
