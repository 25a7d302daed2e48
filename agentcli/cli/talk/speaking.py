"""A session that the command line of `say` and `stop` names, whichever process it runs in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from msgspec import Struct

from agentcli.cli.looking import store_there
from agentcli.cli.options import text_argument
from agentcli.cli.setup import command_line, flags_of, set_up
from agentcli.config import Flags
from agentcli.store.register import NoSuch, resolve_session
from agentcli.store.sqlite import SqliteStore

SessionArgument = Annotated[str, text_argument("SESSION", "its id, or the beginning of it")]


class There(Struct, frozen=True):
    """A session that the command line names, in the open store."""

    flags: Flags
    store: SqliteStore
    session: str

    @property
    def resume(self) -> str | None:
        """The command that goes on with the session; None where a process holds it, which goes on by itself."""
        return None if self.store.is_held(self.session) else command_line(self.flags, "resume", self.session)


@contextmanager
def session_named(ctx: typer.Context, session: str) -> Iterator[There]:
    """Find the session whose id begins so; the store is open while the block lasts.

    Raises:
        NoSuch, Ambiguous: None does, or several do.
    """
    flags = flags_of(ctx)
    with store_there(set_up(flags)) as store:
        if store is None:
            raise NoSuch("session", session)
        yield There(flags, store, resolve_session(store, session))
