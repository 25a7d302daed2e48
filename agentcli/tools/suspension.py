"""How a tool stops in the middle to ask a person for something."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from agentcli.tools.form import Form, FormFault, form_of

_MADE: Final[ContextVar["Made | None"]] = ContextVar("suspensions made", default=None)


class Suspend(BaseException):
    """Stops a call until a person has filled in a form; then the tool is called again from the start.

    It is no `Exception`, and it counts once it is made: a tool that catches it is suspended all the same. Where
    none can be made, the call ends as a fault and never goes on unasked, unless the tool makes another or fails by
    name. What the call did in the store until then is rolled back.
    """

    def __init__(self, question: str, schema: Mapping[str, Any], *, shown: Sequence[str] = ()) -> None:
        """Make it.

        Args:
            question: What the person is asked.
            schema: An object of texts, numbers, truth values and choices, as JSON Schema.
            shown: Lines that help to answer.

        Raises:
            FormFault: The schema is no form, or a text is none or not valid Unicode.
        """
        super().__init__(question)
        made = _MADE.get()
        try:
            self.form: Form = _form_to_ask(question, schema, shown)
        except FormFault as fault:
            if made is not None:
                made.faults.append(fault)
            raise
        self.question = question
        self.schema = schema
        self.shown = tuple(shown)
        if made is not None:
            made.suspensions.append(self)


class Made(Struct, frozen=True):
    """The suspensions that were made inside a block, and what kept others from being made."""

    suspensions: list[Suspend] = field(default_factory=list)
    faults: list[FormFault] = field(default_factory=list)

    def counting(self, error: BaseException) -> Suspend | None:
        """Return the suspension that counts where the block ended with an error: the first that was made."""
        made = self.suspensions[0] if self.suspensions else error
        return made if isinstance(made, Suspend) else None

    def raise_first(self) -> None:
        """Raise what the block may have swallowed: the suspension that counts, else why none could be made.

        Raises:
            Suspend: One was made.
            FormFault: None could be made.
        """
        for one in (*self.suspensions, *self.faults):
            raise one


def _form_to_ask(question: str, schema: Mapping[str, Any], shown: Sequence[str]) -> Form:
    if isinstance(shown, str):
        raise FormFault("what is shown are lines, not one text")
    try:
        form = form_of(schema)
        msgspec.json.encode((question, dict(schema), tuple(shown)))
        msgspec.convert((question, *shown), tuple[str, ...])
    except FormFault:
        raise
    except (AttributeError, TypeError, ValueError) as error:
        raise FormFault("what is asked is no form, or can't be stored") from error
    return form


@contextmanager
def noticing_suspensions() -> Iterator[Made]:
    """Give what the block makes, also in threads started from it."""
    made = Made()
    token = _MADE.set(made)
    try:
        yield made
    finally:
        _MADE.reset(token)
