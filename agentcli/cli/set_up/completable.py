"""What can be named on a command line here: agents, models, tools, sessions, calls that wait, demos."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from agentcli.cli.set_up.completing import Candidate, Place
from agentcli.config import Config, Flags, load_config

if TYPE_CHECKING:
    from agentcli.store.sqlite import SqliteStore

MOST: Final = 50
"""How many sessions or calls are offered: the ones used last."""


def values_at(place: Place) -> Iterator[Candidate]:
    """Yield what can stand at a place."""
    look = _BY_WANTED.get(place.wanted)
    if look is not None:
        yield from look(place)


def _agents(place: Place) -> Iterator[Candidate]:
    from agentcli.wiring.agents import names  # noqa: PLC0415  # each look-up loads what it needs, and no more

    yield from map(Candidate, names(_config(place)))


def _models(place: Place) -> Iterator[Candidate]:
    from agentcli.models.prices import PLAYED_BACK  # noqa: PLC0415  # no other look-up needs it
    from agentcli.wiring.models import DEFAULT_CLAUDE, OURS  # noqa: PLC0415

    yield from map(Candidate, (*OURS, DEFAULT_CLAUDE, PLAYED_BACK))


def _tools(place: Place) -> Iterator[Candidate]:
    from agentcli.agents import SHIPPED, shipped  # noqa: PLC0415  # no other look-up needs it

    agent = _config(place).agent
    # To look up the tools of an agent of one's own is to run its file, and Tab runs nothing.
    for tool in shipped(agent).toolset if agent in SHIPPED else ():
        yield Candidate(tool.name, f"{tool.risk}: {tool.description.partition(chr(10))[0]}")


def _tool_levels(place: Place) -> Iterator[Candidate]:
    for tool in _tools(place):
        for level in range(5):
            yield Candidate(f"{tool.word}={level}")


def _sessions(place: Place) -> Iterator[Candidate]:
    from agentcli.cli.looking import store_there  # noqa: PLC0415  # not every look-up needs it
    from agentcli.local_time import local_minute  # noqa: PLC0415  # not every look-up needs it
    from agentcli.store.register import list_sessions  # noqa: PLC0415

    with store_there(_config(place)) as store:
        if store is None:
            return
        for one in list_sessions(store)[:MOST]:
            title = one.title or _said_first(store, one.session)
            known = (one.agent, local_minute(one.last_at), title)
            yield Candidate(one.session, ", ".join(filter(None, known)))


def _said_first(store: "SqliteStore", session: str) -> str:
    """Return the beginning of what was said first in a session; empty where nothing was, or it can't be read."""
    from agentcli.session.entries import Said  # noqa: PLC0415  # not every look-up needs it
    from agentcli.session.ports import StoreFailure  # noqa: PLC0415
    from agentcli.session.titles import shortened  # noqa: PLC0415

    try:
        said = (record.entry.text for record in store.records(session) if isinstance(record.entry, Said))
        return shortened(next(said, ""))
    except StoreFailure:
        return ""


def _calls(place: Place) -> Iterator[Candidate]:
    from agentcli.cli.looking import store_there  # noqa: PLC0415  # not every look-up needs it
    from agentcli.wiring.outside import all_pending  # noqa: PLC0415

    with store_there(_config(place)) as store:
        if store is None:
            return
        if place.path[:1] == ("approvals",):
            yield from (Candidate(one.call_id, one.tool) for one in all_pending(store))
        else:
            yield from (Candidate(call, session) for session, call in store.calls("")[-MOST:])


def _demos(place: Place) -> Iterator[Candidate]:
    from agentcli.lab.shelf import shipped_names  # noqa: PLC0415  # no other look-up needs it

    yield from map(Candidate, shipped_names())


_BY_WANTED: Final[Mapping[str, Callable[[Place], Iterator[Candidate]]]] = {
    "AGENT": _agents,
    "MODEL": _models,
    "TOOL": _tools,
    "TOOL=N": _tool_levels,
    "SESSION": _sessions,
    "ID": _sessions,
    "CALL": _calls,
    "SCRIPT": _demos,
}


def _config(place: Place) -> Config:
    given = place.given
    flags = Flags(config=given.get("config"), db=given.get("db"), agent=given.get("agent"))
    return load_config(flags, os.environ)
