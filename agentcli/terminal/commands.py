"""Carries out the commands that look at a session or change it, and answers in lines that are safe to draw."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, assert_never

from agentcli.gate.autonomy import Level
from agentcli.session.fold import fold
from agentcli.session.persons import Person, Refused
from agentcli.session.state import State
from agentcli.store.register import list_sessions
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import showing
from agentcli.terminal import slash as s
from agentcli.terminal.first_line import spelled
from agentcli.visible import visible_line
from agentcli.wiring.session import Session
from agentcli.wiring.watched import RecordBroken

CAUSE: Final = "/level"
MOST_SESSIONS: Final = 10


class Commands:
    """What a person can ask of a session besides talking to it."""

    def __init__(self, session: Session, store: SqliteStore, person: Person) -> None:
        self._session = session
        self._store = store
        self._person = person

    async def carry_out(self, wish: s.Shown | s.SetLevel | s.Reword, width: int) -> list[str]:
        """Do what is wished and return what there is to say."""
        match wish:
            case s.SetLevel(level, tool):
                return [await self._set_level(level, tool)]
            case s.Reword(no, text):
                return [await self._reword(no, text)]
            case _:
                return list(self._look(wish, width))

    def _look(self, wish: s.Shown, width: int) -> Iterator[str]:
        state, tools = self._session.state, self._session.agent.toolset
        match wish:
            case s.Help(command):
                return showing.help_lines(command, width)
            case s.ShowLevels(tool):
                return showing.level_lines(state, tools if tool is None else [tools[tool]], width)
            case s.ShowTools():
                return showing.tool_lines(state, tools, width)
            case s.ShowFacts():
                return showing.fact_lines(state, datetime.now(UTC))
            case s.ShowQueue():
                return showing.queue_lines(state, width)
            case s.ShowAudit():
                return showing.audit_of(state.session, self._store.records(state.session))
            case s.ShowSessions():
                return showing.session_lines(self._newest_sessions(), width)
            case never:
                assert_never(never)

    def _newest_sessions(self) -> Iterator[tuple[str, State, datetime]]:
        for one in list_sessions(self._store)[:MOST_SESSIONS]:
            yield one.title, fold(one.session, self._store.records(one.session)), one.last_at

    async def _set_level(self, level: Level | None, tool: str | None) -> str:
        try:
            await self._session.set_level(level, tool=tool, by=self._person.by, cause=CAUSE)
        except RecordBroken as broken:
            return visible_line(str(broken))
        state = self._session.state
        alone = f"; each run within {spelled(self._session.limits)}" if level is Level.ALONE else ""
        if tool is None:
            return showing.level_in_words(Level(state.level)) + alone
        named = visible_line(tool)
        if level is None:
            return f"{named} has the session's level again: {int(state.level)}"
        wins = " once the session's level is above 0" if state.level is Level.TALK else ""
        return f"{named} at {showing.level_in_words(level)}{alone}{wins}"

    async def _reword(self, no: int, text: str | None) -> str:
        stored = await self._session.unsay(no, text)
        if isinstance(stored, Refused):
            return visible_line(stored.reason)
        return f"dropped #{no}" if text is None else f"queued #{no} anew: {visible_line(text)}"
