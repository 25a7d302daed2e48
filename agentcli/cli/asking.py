"""The questions of `run` and `resume`, asked at this terminal."""

from datetime import UTC, datetime
from typing import Final

from agentcli.cli import output
from agentcli.gate.autonomy import Level, verdict_at
from agentcli.gate.verdicts import Decision
from agentcli.session.call import Call
from agentcli.session.entries import Answered
from agentcli.session.persons import Given, Refused
from agentcli.store.sqlite import SqliteStore
from agentcli.terminal import happened as h
from agentcli.terminal.answer import Approve, ApproveAndRaise, Decline
from agentcli.terminal.asked import view_of
from agentcli.terminal.one_question import Elsewhere, Left, ask_one, this_terminal
from agentcli.wiring import outside
from agentcli.wiring.identity import this_person
from agentcli.wiring.session import Session

CHANNEL: Final = "terminal"


class Asking:
    """Asks a person at this terminal about the calls of a session."""

    def __init__(self, session: Session, store: SqliteStore, *, bell: bool) -> None:
        self._session = session
        self._store = store
        self._bell = bell

    async def ask(self, call_id: str) -> Left | None:
        """Ask about a call and store the answer, here or elsewhere; or return that the person left without one."""
        call = self._session.state.calls[call_id]
        async with this_terminal(bell=self._bell) as face:
            view = view_of(call, may_raise=would_raise(call))
            came = await ask_one(face, view, is_open=lambda: self._is_open(call_id, view.code), say=self._say)
        match came:
            case Left():
                return came
            case Elsewhere():
                return None
            case h.AnswerGiven(said=said, code=code):
                stored = await self._store_answer(call, said, code)
        if isinstance(stored, Refused):
            output.note(stored.reason)
        return None

    async def _store_answer(self, call: Call, said: h.Said, code: str) -> Answered | Refused:
        session, person = self._session, this_person(CHANNEL)
        match said:
            case Approve():
                return await session.answer_as(person, call.call_id, Given("approved", code))
            case ApproveAndRaise():
                stored = await session.answer_as(person, call.call_id, Given("approved", code))
                await session.set_level(Level.BOUNDED, tool=call.tool, by=person.by, cause="a yes from now on")
                return stored
            case Decline(reason):
                return await session.answer_as(person, call.call_id, Given("declined", code, reason))
            case h.Edited(input_text):
                return await session.edit(person, call.call_id, input_text, code)
            case h.Cancelled():
                stored = await session.answer_as(person, call.call_id, Given("cancelled", code))
                await session.stop(person.by)
                return stored

    def _is_open(self, call_id: str, code: str) -> bool:
        self._session.catch_up()
        call = self._session.state.calls[call_id]
        return call.waits_for_answer and call.question_code == code and not call.has_expired(datetime.now(UTC))

    def _say(self, text: str) -> str:
        if text.lstrip().startswith("/"):
            return "commands are for `agentcli chat`; here it is y, n or e"
        said = outside.say(self._store, self._session.id, text, this_person(CHANNEL))
        return f"queued #{said.no}; the question stays open"


def would_raise(call: Call) -> bool:
    """Tell whether level 3 would stop the asking, so that a yes from now on makes sense."""
    assert call.asked is not None
    assert call.decided is not None
    only_level = all(verdict.rule == "level" for verdict in call.asked.verdicts)
    return only_level and verdict_at(Level.BOUNDED, call.decided.risk) is Decision.ALLOW
