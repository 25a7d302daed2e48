"""What a person changes about the sessions there are: a title, or that one is no longer there."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer

from agentcli.cli.exits import Refusal, WrongUsage
from agentcli.cli.looking import store_there
from agentcli.cli.options import AsJson, text_argument
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.writing import output
from agentcli.local_time import local_minute
from agentcli.session.fold import fold
from agentcli.session.pending import pending
from agentcli.store.register import Listing, NoSuch, delete_session, find_session, rename_session
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.faces.printed import beneath
from agentcli.visible import visible_line
from agentcli.wiring import stores
from agentcli.wiring.identity import login_name

SessionArgument = Annotated[str, text_argument("SESSION", "its id, or the beginning of it")]


class Removed(msgspec.Struct, frozen=True):
    """What `sessions delete --json` writes: what the register keeps of a session."""

    session: str
    entries: int
    head: str


class Titled(msgspec.Struct, frozen=True):
    """What `sessions rename --json` writes."""

    session: str
    title: str


def rename(
    ctx: typer.Context,
    session: SessionArgument,
    title: Annotated[str, text_argument("TITLE", "what the list calls it from now on")],
    as_json: AsJson = False,
) -> None:
    """Give a session a title."""
    line = " ".join(title.split())
    if not line:
        raise WrongUsage("a title can't be blank")
    with store_there(set_up(flags_of(ctx))) as store:
        found = _found(store, session)
        assert store is not None
        stores.write(store, lambda tx: rename_session(tx, found.session, line, login_name(), datetime.now(UTC)))
    if as_json:
        output.json_line(Titled(found.session, line))
    else:
        output.answer(f"{found.session} is now called {line}")


def delete(
    ctx: typer.Context,
    session: SessionArgument,
    yes: Annotated[bool, typer.Option("--yes", help="don't ask")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove what was said and done in a session, after saying what that is; the books stay as they are.

    The register keeps that it was there. A session that a process holds can't be deleted. Without a terminal this
    needs --yes.
    """
    # The list of sessions has no use for what asks.
    from agentcli.terminal.faces.plain import is_one_terminal  # noqa: PLC0415
    from agentcli.terminal.question.confirming import confirm  # noqa: PLC0415

    if not yes and not is_one_terminal(sys.stdin, sys.stdout):
        raise WrongUsage("without a terminal a deletion needs --yes")
    with store_there(set_up(flags_of(ctx))) as store:
        found = _found(store, session)
        assert store is not None
        with store.hold(found.session):
            if not as_json or not yes:
                output.lines(map(visible_line, _contents(store, found)))
            if not yes and not confirm("Delete it?", beneath(sys.stdin), beneath(sys.stdout)):
                raise Refusal("nothing was deleted")
            now = datetime.now(UTC)
            gone = stores.write(store, lambda tx: delete_session(tx, found.session, login_name(), now))
    if as_json:
        output.json_line(Removed(gone.session, gone.entries, gone.head))
    else:
        output.answer(f"deleted {gone.session}")


def _found(store: SqliteStore | None, session: str) -> Listing:
    if store is None:
        raise NoSuch("session", session)
    return find_session(store, session)


def _contents(store: SqliteStore, listing: Listing) -> Iterator[str]:
    """Yield what goes with a session."""
    state = fold(listing.session, store.records(listing.session))
    begun = local_minute(listing.created_at)
    title = f" “{listing.title}”" if listing.title else ""
    yield f"will delete: session {listing.session}{title} of {listing.agent}, begun {begun}"
    yield f"entries: {listing.entries}, among them messages: {len(state.messages)}, calls: {len(state.calls)}"
    for found, _ in pending(state, datetime.now(UTC), is_held=False):
        yield f"waiting for a person: {found.kind} of {visible_line(found.tool)}"
    for no in state.unheard:
        yield f"not heard yet: #{no} {state.messages[no].text}"
    standing = sum(call.can_be_undone for call in state.calls.values())
    if standing:
        yield f"writes that could still be undone: {standing}; they stay in the books"
