"""The events of a journal, as a program reads them."""

import json
from typing import Any

import msgspec

from agentcli.session.announcing import events_in
from agentcli.session.events import Event
from agentcli.session.state import State
from tests.session.telling import RISKS, Told, records_of


def events_told(*entries: Told) -> list[Event]:
    """All events that the entries make."""
    return list(events_in(State("s", RISKS), records_of(*entries)))


def told(*entries: Told) -> list[dict[str, Any]]:
    """The same, as a program reads them."""
    return [as_json(event) for event in events_told(*entries)]


def last(*entries: Told) -> dict[str, Any]:
    """What the last event says, but for whose it is and when."""
    return {name: value for name, value in told(*entries)[-1].items() if name not in ("session", "at")}


def as_json(event: Event) -> dict[str, Any]:
    """An event as it is read from its line."""
    read: dict[str, Any] = json.loads(msgspec.json.encode(event))
    return read
