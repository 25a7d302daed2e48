"""How a tool stops in the middle to ask a person for something."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import msgspec

from agentcli.tools.form import Form, FormFault, form_of

_MADE: Final[ContextVar[list["Suspend"] | None]] = ContextVar("suspensions made", default=None)


class Suspend(BaseException):
    """Stops a call until a person has filled in a form; then the tool is called again from the start.

    It is no `Exception`, and it counts once it is made: a tool that catches it is suspended all the same.
    What the call did in the store until then is rolled back.
    """

    def __init__(self, question: str, schema: Mapping[str, Any], *, shown: Sequence[str] = ()) -> None:
        """Make it.

        Args:
            question: What the person is asked.
            schema: An object of texts, numbers, truth values and choices, as JSON Schema.
            shown: Lines that help to answer.

        Raises:
            FormFault: The schema is more than a form can be, or a text is not valid Unicode.
        """
        super().__init__(question)
        self.form: Form = form_of(schema)
        _check_storable((question, dict(schema), tuple(shown)))
        self.question = question
        self.schema = schema
        self.shown = tuple(shown)
        made = _MADE.get()
        if made is not None:
            made.append(self)


def _check_storable(said: object) -> None:
    try:
        msgspec.json.encode(said)
    except (TypeError, ValueError) as error:
        raise FormFault("what is asked can't be stored as JSON") from error


@contextmanager
def noticing_suspensions() -> Iterator[list[Suspend]]:
    """Give the list of all suspensions made inside the block, also in threads started from it."""
    made: list[Suspend] = []
    token = _MADE.set(made)
    try:
        yield made
    finally:
        _MADE.reset(token)
