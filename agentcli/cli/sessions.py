"""`agentcli sessions`: what was said and done."""

import os
import sys
from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec
import typer

from agentcli.cli import output
from agentcli.cli.apps import App
from agentcli.cli.columns import aligned
from agentcli.cli.looking import store_there
from agentcli.cli.options import AsJson, text_argument
from agentcli.cli.registering import delete, rename
from agentcli.cli.setup import flags_of, set_up
from agentcli.session.announcing import events_of
from agentcli.session.events import Event
from agentcli.session.findings import Standing, standing_of
from agentcli.session.fold import apply, fold
from agentcli.session.pending import pending
from agentcli.session.state import State
from agentcli.store.register import Listing, NoSuch, list_sessions, resolve_session
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.styled import draw, has_colour

LONGEST_TITLE: Final = 60

app = App()


class Summary(msgspec.Struct, frozen=True):
    """A session as `sessions list` writes it.

    `questions` are the ids of the calls that wait for a person, `undelivered` the numbers of the messages nobody
    has heard.
    """

    id: str
    title: str
    agent: str
    model: str
    level: int
    started_at: datetime
    last_at: datetime
    state: Standing
    questions: tuple[str, ...]
    undelivered: tuple[int, ...]


@app.callback()
def sessions() -> None:
    """List the sessions there are, show what was said and done in one, name it, or delete it."""


@app.command("list")
def list_(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List all sessions, the one with the newest entry first."""
    with store_there(set_up(flags_of(ctx))) as store:
        found = [] if store is None else _summaries(store)
    if as_json:
        output.json_line(found)
    elif found:
        header = ("id", "last", "state", "agent", "model", "level", "title")
        rows = [header, *map(_cells, found)]
        output.write("\n".join(aligned(rows)) + "\n")
    else:
        output.note("no sessions yet; `agentcli chat` begins one")


@app.command()
def show(
    ctx: typer.Context,
    session: Annotated[str, text_argument("SESSION", "its id, or the beginning of it")],
    as_json: AsJson = False,
) -> None:
    """Show what was said, decided, answered and done in a session."""
    # The list has no use for what draws.
    from agentcli.cli.lines import transcript_lines  # noqa: PLC0415

    with store_there(set_up(flags_of(ctx))) as store:
        if store is None:
            raise NoSuch("session", session)
        found = resolve_session(store, session)
        listing = next(one for one in list_sessions(store) if one.session == found)
        events: list[Event] = []
        lines: list[str] = []
        colour = has_colour(os.environ, is_terminal=sys.stdout is not None and sys.stdout.isatty())
        state = State(found)
        for record in store.records(found):
            apply(state, record)
            for event in events_of(state, record):
                events.append(event)
                lines += (draw(line, colour=colour) for line in transcript_lines(event, state))
        summary = _summary(store, listing, state)
    if as_json:
        output.json_line({**msgspec.structs.asdict(summary), "events": events})
        return
    output.write("\n".join([*aligned([_cells(summary)]), *lines]) + "\n")


app.command()(rename)
app.command()(delete)


def _summaries(store: SqliteStore) -> list[Summary]:
    return [_summary(store, one, fold(one.session, store.records(one.session))) for one in list_sessions(store)]


def _summary(store: SqliteStore, listing: Listing, state: State) -> Summary:
    now, is_held = datetime.now(UTC), store.is_held(listing.session)
    return Summary(
        id=listing.session,
        title=listing.title or _title(state),
        agent=listing.agent,
        model=state.model,
        level=int(state.level),
        started_at=listing.created_at,
        last_at=listing.last_at,
        state=standing_of(state, now, is_held=is_held),
        questions=tuple(call.call_id for _, call in pending(state, now, is_held=is_held)),
        undelivered=tuple(state.unheard),
    )


def _title(state: State) -> str:
    """Return the beginning of what was said first."""
    said = next((" ".join(message.text.split()) for message in state.messages.values()), "")
    return said if len(said) <= LONGEST_TITLE else said[: LONGEST_TITLE - 1] + "…"


def _cells(summary: Summary) -> tuple[str, ...]:
    last = summary.last_at.astimezone().strftime("%Y-%m-%d %H:%M")
    return (
        *(summary.id, last, summary.state),
        *(summary.agent, summary.model, str(summary.level), summary.title),
    )
