"""What a session waits for a person for, as a program of one's own is shown it. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from agentcli.session.call import Call


class Waiting(Struct, frozen=True):
    """A call that waits for a person's yes or no, as it was shown."""

    call_id: str
    tool: str
    input: str
    preview: tuple[str, ...]
    code: str


class Form(Struct, frozen=True):
    """What a call waits to have filled in: `schema` is the JSON Schema of it, `shown` what helps to do so."""

    call_id: str
    tool: str
    question: str
    shown: tuple[str, ...]
    schema: Mapping[str, Any]
    code: str


def waiting_of(batch: Iterable[Call]) -> Iterator[Waiting]:
    """Yield the calls that wait for a yes or no."""
    for call in batch:
        if call.waits_for_answer and call.decided is not None and call.asked is not None:
            yield Waiting(call.call_id, call.tool, call.decided.as_sent, call.asked.preview, call.question_code)


def forms_of(batch: Iterable[Call]) -> Iterator[Form]:
    """Yield the forms that calls wait to have filled in."""
    for call in batch:
        if call.waits_for_form and call.suspended is not None:
            asks, schema = call.suspended, msgspec.json.decode(call.suspended.schema)
            yield Form(call.call_id, call.tool, asks.question, tuple(asks.shown), schema, call.form_code)
