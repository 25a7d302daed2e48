"""A tool may stop to ask a person, and once it has asked, nothing it swallows undoes that."""

import asyncio
import contextlib
from typing import Any

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


def test_a_form_that_no_person_could_fill_in_is_refused_at_once() -> None:
    """The tool's author sees it where it is made, not the person at the prompt."""
    with noticing_suspensions() as made, pytest.raises(FormFault):
        Suspend("?", {"type": "array"})
    assert made == []


@pytest.mark.parametrize(
    ("question", "shown"),
    [pytest.param("\ud800?", ["fine"], id="question"), pytest.param("fine?", ["\ud800"], id="lines")],
)
def test_what_can_not_be_stored_can_not_be_asked(question: str, shown: list[str]) -> None:
    """Half a surrogate pair, from a file's name perhaps, is the tool's to deal with."""
    with pytest.raises(FormFault, match="stored"):
        Suspend(question, SCHEMA, shown=shown)


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
    assert [one.question for one in made] == ["first?", "second?"]


def test_each_call_notices_its_own() -> None:
    """Calls within calls, and calls one after another, don't see each other's."""
    with noticing_suspensions() as outer:
        with noticing_suspensions() as inner:
            Suspend("inner?", SCHEMA)
        Suspend("outer?", SCHEMA)
    with noticing_suspensions() as later:
        pass
    assert [[one.question for one in made] for made in (outer, inner, later)] == [["outer?"], ["inner?"], []]


async def test_threads_of_the_call_are_noticed_too() -> None:
    """A tool at work in a thread suspends its own call."""
    with noticing_suspensions() as made:
        await asyncio.to_thread(Suspend, "?", SCHEMA)
    assert len(made) == 1


def test_outside_a_call_it_is_an_exception_like_any_other() -> None:
    """Where nobody notices, it can be made and raised all the same."""
    with pytest.raises(Suspend, match="Which"):
        raise Suspend("Which?", SCHEMA)
