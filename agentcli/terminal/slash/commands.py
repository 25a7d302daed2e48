"""Carries out the commands that look at a session or change it, and answers in lines that are safe to draw."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Final, assert_never

from agentcli.config.errors import ALIKE, did_you_mean, followed
from agentcli.gate.autonomy import Level
from agentcli.session.fold import fold
from agentcli.session.persons import Person, Refused
from agentcli.session.state import State
from agentcli.store.register import Ambiguous, NoSuch, list_sessions, resolve_session
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal.drawing.first_line import spelled
from agentcli.terminal.face import Face
from agentcli.terminal.picking import Choice
from agentcli.terminal.slash import showing
from agentcli.terminal.slash import wishes as w
from agentcli.terminal.slash.booking import Page, answer_about_book
from agentcli.terminal.slash.level_sources import sources_now
from agentcli.terminal.surroundings import ALONE, Surroundings
from agentcli.visible import visible_line
from agentcli.wiring.session import Session
from agentcli.wiring.watched import RecordBroken

CAUSE: Final = "/level"
MOST_SESSIONS: Final = 10
MOST_PICKED_FROM: Final = 200


class Commands:
    """What a person can ask of a session besides talking to it."""

    def __init__(
        self, session: Session, store: SqliteStore, person: Person, surroundings: Surroundings = ALONE
    ) -> None:
        self._session = session
        self._store = store
        self._person = person
        self._surroundings = surroundings
        self._listed: tuple[str, ...] = ()

    def other_sessions(self, width: int) -> list[Choice]:
        """Return the other sessions to pick from in a list of that width, the one used last first."""
        return list(showing.session_choices(self._others(MOST_PICKED_FROM), datetime.now(UTC), width))

    def way_to(self, elsewhere: w.New | w.GoTo) -> w.New | w.GoTo | w.Trouble:
        """Return where another session is to be found or begun, or why there is none such."""
        match elsewhere:
            case w.New(agent) if agent is not None and agent not in self._surroundings.agents:
                agents = self._surroundings.agents
                none = f"there is no agent {visible_line(agent)!r}{did_you_mean(agent, agents)}"
                return w.Trouble(followed(none, f"there are: {', '.join(map(visible_line, agents))}"))
            case w.GoTo(named):
                try:
                    session = self._by_number(named) or resolve_session(self._store, named)
                except NoSuch as none:
                    near = did_you_mean(named.lower(), none.known, alike=ALIKE)
                    return w.Trouble(followed(f"{visible_line(str(none))}{near}", "/sessions lists them"))
                except Ambiguous as several:
                    return w.Trouble(f"{visible_line(str(several))}; /sessions lists them")
                if session == self._session.id:
                    return w.Trouble("that is the session you are in")
                return w.GoTo(session)
            case _:
                return elsewhere

    def way_to_session(self, session: str) -> w.New | w.GoTo | w.Trouble:
        """Return where a session of this id is to be found, or why there is none such."""
        return self.way_to(w.GoTo(session))

    async def carry_out(self, wish: w.Shown | w.SetLevel | w.Reword, width: int) -> list[str]:
        """Do what is wished and return what there is to say."""
        match wish:
            case w.SetLevel(level, tool):
                return [await self._set_level(level, tool)]
            case w.Reword(no, text):
                return [await self._reword(no, text)]
            case _:
                return list(self._look(wish, width))

    def answer_about_book(self, wish: w.ShowBook | w.SaveBook, today: date, face: Face) -> str:
        """Return what there is to see of the agent's book, or what was written of it."""
        has_shapes = face.is_redrawn and not self._surroundings.is_read_out
        page = Page(width=face.width, colour=face.colour, shapes=has_shapes)
        return answer_about_book(wish, self._session.agent, self._store, today, page)

    def _look(self, wish: w.Shown, width: int) -> Iterator[str]:
        state, tools = self._session.state, self._session.agent.toolset
        match wish:
            case w.Help(command):
                return showing.help_lines(command, width)
            case w.ShowLevels(tool):
                sources = sources_now(self._store.records(state.session), self._surroundings.levels)
                return showing.level_lines(state, tools if tool is None else [tools[tool]], sources, width)
            case w.ShowTools():
                return showing.tool_lines(state, tools, width)
            case w.ShowFacts():
                return showing.fact_lines(state, datetime.now(UTC))
            case w.ShowQueue():
                return showing.queue_lines(state, width)
            case w.ShowAudit():
                return showing.audit_of(state.session, self._store.records(state.session))
            case w.ShowSessions():
                others = list(self._others(MOST_SESSIONS))
                self._listed = tuple(listed.session for _, listed, _ in others)
                return showing.session_lines(others, width) if others else iter([showing.NO_OTHER])
            case never:
                assert_never(never)

    def _by_number(self, named: str) -> str | None:
        """Return the session that stood at this number when sessions were last listed."""
        numbers = {str(number): session for number, session in enumerate(self._listed, 1)}
        return numbers.get(named)

    def _others(self, most: int) -> Iterator[tuple[str, State, datetime]]:
        others = [one for one in list_sessions(self._store) if one.session != self._session.id]
        for one in others[:most]:
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
