"""Stores what a person has answered to a question about a call."""

from typing import assert_never

from agentcli.gate.autonomy import Level
from agentcli.session.entries import Answered
from agentcli.session.persons import Given, Person, Refused
from agentcli.terminal import happened as h
from agentcli.terminal.question.answer import Approve, ApproveAndRaise, Decline
from agentcli.wiring.session import Session

FROM_NOW_ON = "a yes from now on"
"""The cause of a tool's level that came with a yes."""


async def store_answer(session: Session, person: Person, answer: h.AnswerGiven) -> Answered | Refused:
    """Store an answer with all that it entails, or say why it does not count."""
    call_id, code = answer.call_id, answer.code
    match answer.said:
        case Approve():
            return await session.answer_as(person, call_id, Given("approved", code))
        case ApproveAndRaise():
            stored = await session.answer_as(person, call_id, Given("approved", code))
            if not isinstance(stored, Refused):
                tool = session.state.calls[call_id].tool
                await session.set_level(Level.BOUNDED, tool=tool, by=person.by, cause=FROM_NOW_ON)
            return stored
        case Decline(reason):
            return await session.answer_as(person, call_id, Given("declined", code, reason))
        case h.Edited(input_text):
            return await session.edit(person, call_id, input_text, code)
        case h.Cancelled():
            stored = await session.answer_as(person, call_id, Given("cancelled", code))
            await session.stop(person.by)
            return stored
        case never:
            assert_never(never)
