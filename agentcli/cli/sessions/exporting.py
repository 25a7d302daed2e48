"""`agentcli sessions export`: a session to keep, to read or to process elsewhere."""

from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from agentcli.cli.exits import WrongUsage
from agentcli.cli.looking import store_there
from agentcli.cli.options import path_option, text_argument
from agentcli.cli.sessions.summaries import Summary, summary_of
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.writing import output
from agentcli.session.announcing import events_in
from agentcli.session.fold import fold
from agentcli.session.state import State
from agentcli.store.register import Listing, NoSuch, find_session
from agentcli.store.sqlite import SqliteStore

FORMATS: Final = ("md", "json", "html")
VERSION: Final = 1

_WHAT: Final = "what to write; without it what the file's name ends with, else md"

_ALSO: Final = {"markdown": "md", "htm": "html"}


def format_named(text: str) -> str:
    """Return the format that the text names.

    Raises:
        ValueError: It names none.
    """
    form = _ALSO.get(text.lower(), text.lower())
    if form not in FORMATS:
        raise ValueError(f"{text!r} is not one of {', '.join(FORMATS)}")
    return form


def format_of(path: str | None) -> str:
    """Return the format in which a file is written that nobody named one for: the one that its name ends with."""
    form = _ending(path)
    return form if form in FORMATS else FORMATS[0]


def _ending(path: str | None) -> str:
    ending = Path(path or "").suffix.removeprefix(".").lower()
    return _ALSO.get(ending, ending)


def export(
    ctx: typer.Context,
    session: Annotated[str, text_argument("SESSION", "its id, or the beginning of it")],
    form: Annotated[
        str | None, typer.Option("--format", "-f", metavar="|".join(FORMATS), parser=format_named, help=_WHAT)
    ] = None,
    to: Annotated[str | None, path_option("--output", "-o", help="a new file; - is standard output")] = None,
) -> None:
    """Write down all that was said, decided, asked, answered and done in a session, whole.

    Markdown and HTML are to be read: nothing in them is loaded or run, whatever was said. JSON is for programs. A
    file that is there is not written over.
    """
    with store_there(set_up(flags_of(ctx))) as store:
        if store is None:
            raise NoSuch("session", session)
        with store.at_one_moment():
            text = _exported(store, find_session(store, session), form or format_of(to))
    if to in (None, "-"):
        output.write(text)
        return
    _save(str(to), text)
    is_unknown = form is None and _ending(to) not in ("", *FORMATS)
    output.note(f"wrote {to}" + (f" as {format_of(to)}; --format names another" if is_unknown else ""))


def _exported(store: SqliteStore, listing: Listing, form: str) -> str:
    # The other commands about sessions have no use for what draws.
    from agentcli.cli.sessions.in_html import html_lines  # noqa: PLC0415
    from agentcli.cli.sessions.in_markdown import markdown_lines  # noqa: PLC0415
    from agentcli.cli.sessions.passages import passages  # noqa: PLC0415
    from agentcli.wiring.log import without_secrets  # noqa: PLC0415

    session = listing.session
    summary = summary_of(store, listing, fold(session, store.records(session)))
    if form == "json":
        return without_secrets(_as_json(store, summary))
    lines_of = html_lines if form == "html" else markdown_lines
    return without_secrets("\n".join(lines_of(summary, passages(session, store.records(session)))) + "\n")


def _as_json(store: SqliteStore, summary: Summary) -> str:
    events = list(events_in(State(summary.id), store.records(summary.id)))
    whole: dict[str, Any] = {"version": VERSION, **msgspec.structs.asdict(summary), "events": events}
    return msgspec.json.format(output.encoded(whole), indent=2).decode() + "\n"


def _save(to: str, text: str) -> None:
    from agentcli.terminal.slash.saving import NotSaved, save_new  # noqa: PLC0415  # only where a file is named

    try:
        save_new([(Path(to), text.encode("utf-8", "surrogateescape"))])
    except NotSaved as error:
        raise WrongUsage(str(error)) from error
