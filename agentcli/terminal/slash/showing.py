"""What commands show of a session, and of others, as lines that are safe to draw. Pure."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from msgspec import structs

from agentcli.gate.autonomy import IN_WORDS, Level, effective_level, verdict_at
from agentcli.gate.verdicts import Decision
from agentcli.local_time import local_minute
from agentcli.session.announcing import events_in
from agentcli.session.entries import Reconciled
from agentcli.session.pending import pending
from agentcli.session.record import Record
from agentcli.session.state import State
from agentcli.session.titles import UNTITLED, title_of
from agentcli.terminal.drawing.columns import aligned
from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.drawing.render import settled_line
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.drawing.telling import audit_lines
from agentcli.terminal.drawing.tool_table import ToolRow, table_lines
from agentcli.terminal.picking import Choice
from agentcli.terminal.slash.command_table import BY_NAME, COMMANDS, SlashCommand
from agentcli.terminal.surroundings import LevelSources
from agentcli.tools.tool import Tool
from agentcli.visible import visible_line

MOST_DECISIONS: Final = 40
NARROW: Final = 70
"""Cells below which a command's summary stands below it, not beside."""

WAITS: Final = "waits for you"

NO_OTHER: Final = "there is no other session yet; /new begins one"

_INDENT: Final = "  "
_BESIDES: Final = (
    "Tab completes, Ctrl-R finds what was entered before, Ctrl-J begins a new line.",
    "All else is said to the agent, while it works too. Esc stops it, Ctrl-D leaves.",
)
_ALONE: Final = "runs alone, watched"

Lines = Iterator[str]


def help_lines(command: str | None, width: int) -> Lines:
    """Yield all commands, or all about one."""
    if command is not None:
        yield from _all_about(BY_NAME[command], width)
    elif width < NARROW:
        for one in COMMANDS:
            yield from _all_about(structs.replace(one, more=""), width)
    else:
        yield from aligned([(one.usage, one.summary) for one in COMMANDS], width=width)
    if command is None:
        yield from (line.rstrip() for besides in _BESIDES for line in fold(besides, width, _INDENT))


def level_lines(state: State, tools: Iterable[Tool], sources: LevelSources, width: int) -> Lines:
    """Yield the session's level and every tool's, what it says about a call, and where it comes from."""
    yield level_in_words(Level(state.level)) + (f" ({visible_line(sources.session)})" if sources.session else "")
    rows = []
    for tool in tools:
        own = state.tool_levels.get(tool.name)
        level = effective_level(state.level, own)
        is_own = own is not None and level is own
        source = sources.tools.get(tool.name, "its own") if is_own else "the session's"
        rows.append((tool.name, tool.risk, f"level {int(level)}", _says(level, tool), source))
    if width >= NARROW:
        yield from aligned(rows, width=width)
        return
    for name, risk, at, says, source in rows:
        yield from fold(f"{visible_line(name)}: {at}, {says}", width)
        yield from _folded(f"{risk}; {visible_line(source)}", width)


def level_in_words(level: Level) -> str:
    """Return what a level means."""
    # What is said of the first line means nothing here.
    return f"level {int(level)}: {_ALONE if level is Level.ALONE else IN_WORDS[level]}"


def tool_lines(state: State, tools: Iterable[Tool], width: int) -> Lines:
    """Yield what the agent can do, and what each level would say about it."""
    rows = [
        ToolRow(
            tool.name,
            tool.risk,
            [_says(level, tool) for level in Level],
            tool.description.partition("\n")[0],
        )
        for tool in tools
    ]
    yield from table_lines(rows, width)
    yield f"now {level_in_words(Level(state.level))}"


def fact_lines(state: State, now: datetime) -> Lines:
    """Yield what results have shown, by the call that showed it."""
    if not state.facts:
        yield "no result has shown a fact yet"
    for fact in state.facts.values():
        is_over = fact.expires_at is not None and fact.expires_at <= now
        holds = "no longer known" if is_over else "holds" if fact.holds else "does not hold"
        call = state.calls.get(fact.call_id)
        by = "" if call is None else f", by {call.tool} {fact.call_id}"
        yield visible_line(f"{fact.name}({fact.subject}) {holds}{by}")


def queue_lines(state: State, width: int) -> Lines:
    """Yield the messages that were not heard yet."""
    if not state.unheard:
        yield "every message was heard"
    for no in state.unheard:
        first, *more = fold(visible_line(state.messages[no].text), width - 6)
        yield f"{f'#{no}':<5} {first}"
        yield from (" " * 6 + line for line in more)


def audit_of(session: str, records: Iterable[Record]) -> Lines:
    """Yield the audit lines of a session, the latest of them where there are many."""
    state = State(session)
    lines: list[str] = []
    for record in records:
        for event in events_in(state, [record]):
            lines += map(plain, audit_lines(event, state))
        if isinstance(record.entry, Reconciled):
            lines.append(plain(settled_line(state.calls[record.entry.call_id].title, record.entry)))
    if not lines:
        yield "nothing was decided yet"
    if len(lines) > MOST_DECISIONS:
        yield f"… {len(lines) - MOST_DECISIONS} earlier ones"
    yield from lines[-MOST_DECISIONS:]


def session_lines(states: Iterable[tuple[str, State, datetime]], width: int) -> Lines:
    """Yield sessions by number and title, with the time of their last entry."""
    header = ("", "session", "last", "agent", "level", "title")
    rows = [
        (str(number), *_session_row(title, state, last_at))
        for number, (title, state, last_at) in enumerate(states, 1)
    ]
    if width < NARROW:
        for number, session, last, agent, _, title in rows:
            for text in (
                f"{number} {visible_line(title or UNTITLED)}",
                f"   {session} {visible_line(agent)} {last}",
            ):
                yield from (line.rstrip() for line in fold(text, width, " " * 3))
    else:
        yield from aligned([header, *((*row, title or UNTITLED) for *row, title in rows)], width=width)
    yield "/sessions ID, or its number here, goes on with one"


def session_choices(states: Iterable[tuple[str, State, datetime]], now: datetime, width: int) -> Iterator[Choice]:
    """Yield sessions to pick from; of one in which nothing was said there is nothing to know.

    What waits for a person stands before the title, which may be cut; in a narrow list the title is first.
    """
    for named, state, last_at in states:
        session, last, agent, _, title = _session_row(named, state, last_at)
        waits = WAITS if any(pending(state, now, is_held=True)) else ""
        told = (last, agent, waits, title) if width >= NARROW else (waits, title, agent, last)
        if title:
            yield Choice(session, " · ".join(filter(None, (*told, session))))


def _all_about(command: SlashCommand, width: int) -> Lines:
    yield command.usage
    for text in filter(None, (command.summary, command.more)):
        yield from _folded(text, width)


def _folded(text: str, width: int) -> Lines:
    """Yield a text that stands below what it is about."""
    yield from (_INDENT + line.rstrip() for line in fold(text, width - len(_INDENT)))


def _session_row(title: str, state: State, last_at: datetime) -> tuple[str, ...]:
    agent = "" if state.opened is None else state.opened.agent
    return state.session, local_minute(last_at), agent, str(int(state.level)), title_of(title, state)


def _says(level: Level, tool: Tool) -> Decision:
    """Return what the level, and whether the tool always asks, say about any call of a tool."""
    decision = verdict_at(level, tool.risk)
    return Decision.ASK if tool.approval and decision is Decision.ALLOW else decision
