"""The question of `approvals approve`, asked at this terminal."""

import asyncio
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from typing import assert_never

from agentcli.cli.decide.called import At
from agentcli.cli.exits import Exit, Refusal
from agentcli.cli.signals import EXITS
from agentcli.cli.writing import output
from agentcli.config.records import Terminal
from agentcli.session.call import Call
from agentcli.session.entries import Answered
from agentcli.session.pending import Kind
from agentcli.session.persons import Given, Refused
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.one_question import Elsewhere, Left, ask_one
from agentcli.terminal.face import Face
from agentcli.terminal.faces.this_terminal import this_terminal
from agentcli.terminal.question.answer import Approve, ApproveAndRaise, Decline
from agentcli.terminal.question.asked import view_of
from agentcli.tools.schema import Misfit
from agentcli.wiring import outside
from agentcli.wiring.agents import load_agent


def approve_here(
    at: At, code: str | None, *, as_json: bool, terminal: Callable[[Terminal], Face] = this_terminal
) -> Exit:
    """Ask about the call until there is an answer, record it, and return the exit code.

    Args:
        code: That of the question which is meant; None for whichever is open.
        terminal: What it is asked at.

    Raises:
        Refusal: There is no such question, or somebody else was first.
    """
    call = _asked(at.expect(Kind.APPROVAL), code)
    while True:
        match asyncio.run(_ask(at, call, terminal(at.config.terminal))):
            case Elsewhere():
                raise Refusal(at.look().obstacle or "the question has changed; look at it again")
            case Left(number):
                output.note("the question stays open")
                return EXITS[signal.Signals(number)] if number else Exit.WAITING
            case h.AnswerGiven(said=h.Cancelled()):
                output.note("the question stays open")
                return Exit.INTERRUPTED
            case h.AnswerGiven(said=h.Edited(input_text)) if problem := _misfit(at, call, input_text):
                # Asked once more.
                output.note(f"the input does not fit: {problem}")
            case h.AnswerGiven(said=Approve() | ApproveAndRaise() | Decline() | h.Edited() as said, code=code):
                at.conclude(_record(at, said, code), as_json=as_json)
                return Exit.DONE


def _asked(seen: outside.Seen, code: str | None) -> Call:
    if seen.waits is None:
        raise Refusal(seen.obstacle)
    if code is not None and code.strip().lower() != seen.waits.code:
        raise Refusal(f"the question has changed, or {code!r} was never its code; look at it again")
    return seen.call


async def _ask(at: At, call: Call, terminal: Face) -> h.AnswerGiven | Elsewhere | Left:
    async with terminal as face:
        return await ask_one(
            face, view_of(call), is_open=lambda: _is_open(at, call), say=lambda text: _say(at, call, text)
        )


def _is_open(at: At, call: Call) -> bool:
    if not at.store.changed():
        return not call.has_expired(datetime.now(UTC))
    waits = at.look().waits
    return waits is not None and waits.code == call.question_code


def _say(at: At, call: Call, text: str) -> str:
    if text.lstrip().startswith("/"):
        answers = "y, n or e" if call.may_be_edited else "y or n"
        return f"commands are for `agentcli chat`; here it is {answers}"
    said = outside.say(at.store, at.session, text, at.person)
    return f"queued #{said.no} for the agent; the question stays open"


def _misfit(at: At, call: Call, input_text: str) -> str:
    """Return why the call's tool could never take this input; empty where it might."""
    opened = at.look().state.opened
    assert opened is not None
    tool = load_agent(at.config, opened.agent).toolset.by_name.get(call.tool)
    reading = None if tool is None else tool.schema.read(input_text)
    return reading.problem if isinstance(reading, Misfit) else ""


def _record(at: At, said: Approve | ApproveAndRaise | Decline | h.Edited, code: str) -> Answered | Refused:
    """Store the answer; a yes from now on is not offered here, and so a mere yes."""
    match said:
        case Approve() | ApproveAndRaise():
            return outside.answer(at.store, at.session, at.call_id, Given("approved", code), at.person)
        case Decline(reason):
            return outside.answer(at.store, at.session, at.call_id, Given("declined", code, reason), at.person)
        case h.Edited(input_text):
            return outside.edit(at.store, at.session, at.call_id, input_text, code, at.person)
        case never:
            assert_never(never)
