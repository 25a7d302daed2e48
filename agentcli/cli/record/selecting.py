"""Which decisions the commands of `audit` look at: of one session, about one tool, from a time on."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import typer
from msgspec import Struct

from agentcli.cli.options import text_option
from agentcli.gate.verdicts import Decision
from agentcli.session.decisions import DecisionFilter, DecisionRecord, read_decisions
from agentcli.store.damaged import Damaged
from agentcli.store.migrations import REGISTER
from agentcli.store.register import resolve_session
from agentcli.store.sqlite import SqliteStore

_AGO: Final = re.compile("([1-9][0-9]{0,4})([mhd])", re.ASCII)
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}


def decision_named(text: str) -> Decision:
    """Return the decision that the text names.

    Raises:
        ValueError: It names none.
    """
    if text not in list(Decision):
        raise ValueError(f"{text!r} is not one of {', '.join(Decision)}")
    return Decision(text)


def moment_named(text: str) -> datetime:
    """Return the moment that the text names: a day, a time (here, unless it says where), or how long ago.

    Raises:
        ValueError: It names none.
    """
    ago = _AGO.fullmatch(text)
    if ago is not None:
        return datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is not a day as 2026-11-02, a time, or 7d, 12h or 30m") from error


class SelectionOptions(Struct, frozen=True):
    """What the command line says about which decisions it wants; None where it does not matter."""

    session: Annotated[
        str | None, text_option("--session", metavar="ID", help="only this session; a prefix will do")
    ] = None
    tool: Annotated[str | None, text_option("--tool", metavar="TOOL", help="only calls of this tool")] = None
    decision: Annotated[
        Decision | None,
        typer.Option("--decision", metavar="allow|ask|deny", parser=decision_named, help="only this decision"),
    ] = None
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since", metavar="WHEN", parser=moment_named, help="from a day or time on, or so long: 7d, 12h, 30m"
        ),
    ] = None

    @property
    def wanted(self) -> DecisionFilter:
        """Which decisions of a session are wanted."""
        return DecisionFilter(tool=self.tool, decision=self.decision, since=self.since)


def sessions_selected(store: SqliteStore, selection: SelectionOptions) -> list[str]:
    """Return the sessions to look at, in the order in which they were created.

    Raises:
        NoSuch, Ambiguous: The one that is named is none, or several.
    """
    if selection.session is not None:
        return [resolve_session(store, selection.session)]
    return [session for session in store.sessions() if session != REGISTER]


def decisions_selected(
    store: SqliteStore, selection: SelectionOptions, damaged: Damaged
) -> Iterator[DecisionRecord]:
    """Yield the decisions to look at, one session after the other."""
    sessions = sessions_selected(store, selection)
    decisions = damaged.read(sessions, lambda session: read_decisions(store.records(session)))
    return filter(selection.wanted.includes, decisions)
