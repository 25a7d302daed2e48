"""A call that the command line of `approvals` names: where it is, how it stands, and what is told about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer
from msgspec import Struct

from agentcli.cli.decide.waiting import Given, recorded, recorded_line
from agentcli.cli.exits import Refusal
from agentcli.cli.looking import store_there
from agentcli.cli.setup import command_line, flags_of, set_up
from agentcli.cli.writing import output
from agentcli.config import Config, Flags
from agentcli.session.call import Call
from agentcli.session.entries import Answered, Reconciled, Supplied
from agentcli.session.pending import Kind
from agentcli.session.persons import Person, Refused, was_first
from agentcli.store.register import Ambiguous, NoSuch, resolve_call
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring import outside
from agentcli.wiring.ancestry import holder_above
from agentcli.wiring.identity import this_person

CHANNEL: Final = "approvals"

WAITS_FOR: Final = {
    # kind          what is to be done about it
    Kind.APPROVAL: "it waits for a yes or no: `{0} approve {1}` or `{0} decline {1}`",
    Kind.INPUT:    "it asks for something to be filled in: `{0} answer {1} JSON` or `{0} decline {1}`",
    Kind.OUTCOME:  "nobody knows whether it happened: `{0} settle {1} happened|not|retry`",
}  # fmt: skip


class At(Struct, frozen=True):
    """A call that the command line names, and where it is."""

    flags: Flags
    config: Config
    store: SqliteStore
    session: str
    call_id: str

    @property
    def person(self) -> Person:
        """Who answers."""
        return this_person(CHANNEL)

    def look(self) -> outside.Seen:
        """Return how the call stands."""
        return outside.look_at(self.store, self.session, self.call_id)

    def expect(self, kind: Kind) -> outside.Seen:
        """Return how the call stands.

        Raises:
            Refusal: It waits for another kind of answer, which is named.
        """
        seen = self.look()
        if seen.waits is not None and seen.waits.kind is not kind:
            command = command_line(self.flags, "approvals")
            waits = WAITS_FOR[seen.waits.kind].format(command, self.call_id)
            before = _answered(seen.call, kind)
            raise Refusal(waits if before is None else f"{was_first(before)}; by now {waits}")
        return seen

    def conclude(self, given: Given | Refused, *, as_json: bool) -> None:
        """Tell what was recorded and how it goes on.

        Raises:
            Refusal: Nothing was recorded.
        """
        if isinstance(given, Refused):
            raise Refusal(given.reason)
        tool = self.look().call.tool
        is_held = self.store.is_held(self.session)
        resume = None if is_held else command_line(self.flags, "resume", self.session)
        if as_json:
            output.json_line(recorded(self.session, tool, given, resume))
            return
        output.lines([recorded_line(tool, given)])
        if resume is not None:
            output.answer(resume)


def _answered(call: Call, kind: Kind) -> Answered | Supplied | Reconciled | None:
    """Return what somebody has said when the call waited for this kind of answer."""
    match kind:
        case Kind.APPROVAL:
            return call.answered
        case Kind.INPUT:
            return call.supplied
        case Kind.OUTCOME:
            return call.reconciled


@contextmanager
def store_of(ctx: typer.Context) -> Iterator[tuple[Flags, Config, SqliteStore | None]]:
    """Open the store while the block lasts, with the config it was named in; None where there is no store.

    Raises:
        Refusal: An agentcli that is at work started this command, and only persons answer.
    """
    flags = flags_of(ctx)
    config = set_up(flags)
    with store_there(config) as store:
        refuse_agents(store)
        yield flags, config, store


def refuse_agents(store: SqliteStore | None) -> None:
    """Let nobody pass but persons.

    Raises:
        Refusal: An agentcli that is at work started this command.
    """
    pid = holder_above({} if store is None else store.holders())
    if pid is not None:
        raise Refusal(
            f"process {pid}, which started this, holds a session: what an agent starts answers no questions"
        )


@contextmanager
def call_named(ctx: typer.Context, call: str) -> Iterator[At]:
    """Find the call whose id begins so; the store is open while the block lasts.

    Raises:
        NoSuch, Ambiguous: None does, or several do.
    """
    with store_of(ctx) as (flags, config, store):
        if store is None:
            raise NoSuch("call", call)
        try:
            session, call_id = resolve_call(store, call)
        except Ambiguous as several:
            raise _those_that_wait_first(several, store) from None
        yield At(flags, config, store, session, call_id)


def _those_that_wait_first(several: Ambiguous, store: SqliteStore) -> Ambiguous:
    """Return the same with the calls that somebody is likely to mean first, and marked."""
    waiting = {found.call_id for found in outside.all_pending(store)}
    named = sorted(several.candidates, key=lambda candidate: candidate not in waiting)
    told = [f"{candidate} (it waits)" if candidate in waiting else candidate for candidate in named]
    return Ambiguous(several.what, several.name, told)
