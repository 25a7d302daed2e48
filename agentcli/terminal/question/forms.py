"""What is asked line by line besides questions: a form, an outcome that nobody knows, an offer to go on. Pure."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agentcli.session.call import Call
from agentcli.session.entries import Reconciliation
from agentcli.terminal.drawing.render import MOST_JSON, short_json
from agentcli.terminal.drawing.spelling import THAT_IS, spelled_json, with_spelling
from agentcli.terminal.question.prompted import PromptView
from agentcli.tools.form import Field, FormFault, form_of
from agentcli.tools.json_text import Json, compact
from agentcli.visible import visible_line

YES: Final = ("y", "yes")
NO: Final = ("n", "no")
_KINDS: Final = {"integer": "a whole number", "number": "a number", "boolean": "yes or no"}
_CANCELS: Final = "Esc cancels the call"
_GOES_BACK: Final = "Shift-Tab goes back"


class Filling:
    """The form of a suspended call while it is filled in, one field after the other."""

    def __init__(self, call: Call) -> None:
        assert call.suspended is not None
        schema: dict[str, Any] = msgspec.json.decode(call.suspended.schema)
        self.call_id = call.call_id
        self.code = call.form_code
        self._asks = visible_line(f"{call.tool} asks: {call.suspended.question}")
        shown = call.suspended.shown
        self._shown = (*map(visible_line, shown), *with_spelling((call.suspended.question, *shown)))
        self._form = form_of(schema)
        self._filled: dict[str, Json] = {}
        self._at = 0
        self._has_begun = False

    @property
    def is_full(self) -> bool:
        """Whether every field was filled in, or left out where it may be."""
        return self._at == len(self._form.fields)

    @property
    def data(self) -> str:
        """What was filled in, as JSON text."""
        return compact(self._filled)

    def take(self, typed: str) -> str:
        """Take a line for the field that is asked for; return what is wrong with it, nothing where it fits."""
        self._has_begun = True
        field = self._form.fields[self._at]
        if typed or field.required:
            try:
                self._filled[field.name] = self._form.read_typed(field, typed)
            except FormFault as fault:
                return str(fault)
        self._at += 1
        return ""

    def go_back(self) -> None:
        """Ask for the field before once more, if there is one; what it was filled in with no longer counts."""
        self._at = max(self._at - 1, 0)
        self._filled.pop(self._form.fields[self._at].name, None)

    def view(self, complaint: str = "") -> PromptView:
        """Return the field that is asked for."""
        seen = len(self._shown) if self._has_begun else 0
        return replace(self._view_of(self._at, complaint), follows=self._has_begun, seen=seen)

    def views(self) -> Iterator[PromptView]:
        """Yield every field as it is asked for."""
        return (self._view_of(number, "") for number in range(len(self._form.fields)))

    def _view_of(self, number: int, complaint: str) -> PromptView:
        field, count = self._form.fields[number], len(self._form.fields)
        choices = tuple(f"  {one} {visible_line(choice)}" for one, choice in enumerate(field.choices, 1))
        spelled = with_spelling((field.title, *field.choices))
        place = f"{number + 1} of {count} · " if count > 1 else ""
        return PromptView(
            about=f"form {self.call_id} {self.code}",
            title=self._asks,
            lines=(*self._shown, f"{place}{visible_line(field.title)}", *choices, *spelled),
            keys=" · ".join((_how(field), *((_GOES_BACK,) if number else ()), _CANCELS)),
            asks=f"{visible_line(field.name)}?",
            choices=field.choices,
            complaint=visible_line(complaint),
            may_go_back=number > 0,
        )


class UnknownOutcome(Struct, frozen=True):
    """A call that had started and never reported back, and that a person settles."""

    call_id: str
    tool: str
    input: str

    def view(self) -> PromptView:
        """Return the prompt."""
        other = spelled_json(self.input, MOST_JSON)
        spelled = () if other is None else (THAT_IS + other,)
        return PromptView(
            about=f"outcome {self.call_id}",
            title=f"unknown outcome: {visible_line(self.tool)} {short_json(self.input)}",
            lines=(*spelled, "It had started and never reported back. Find out whether it took effect."),
            keys="happened · not · retry: run it once more",
            asks="What became of it? (happened/not/retry)",
            answers=get_args(Reconciliation),
        )

    @staticmethod
    def read(typed: str) -> Reconciliation:
        """Return the answer, which is one of the prompt's."""
        outcome: Reconciliation = msgspec.convert(typed, Reconciliation)
        return outcome


class Offer(Struct, frozen=True):
    """An offer to go on after a run has ended early; its texts are safe to draw."""

    asks: str
    open: tuple[str, ...] = ()

    def view(self) -> PromptView:
        """Return the prompt."""
        return PromptView(
            about=f"offer {self.asks}",
            title="the run is not finished",
            lines=tuple(f"not decided yet: {call}" for call in self.open),
            keys="y yes · n not now · anything else is a message",
            asks=f"{self.asks} (y/n)",
            answers=(*YES, *NO),
        )


def undecided(calls: Iterable[Call]) -> tuple[str, ...]:
    """Return the calls that a limit left undecided, by code or by a person, in short."""
    return tuple(f"{visible_line(call.tool)} {short_json(call.as_sent)}" for call in calls if not call.settled)


def _how(field: Field) -> str:
    """Return how a field is filled in."""
    if field.choices:
        how = "one of them, by number or text"
    elif field.is_date:
        how = "a date, YYYY-MM-DD"
    else:
        how = _KINDS.get(field.kind, "a text")
    return how if field.required else f"{how}; empty leaves it out"
