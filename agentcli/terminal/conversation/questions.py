"""What a session waits for, asked on a face, and what is answered, stored."""

from typing import Final, assert_never

from agentcli.session.persons import Person, Refused
from agentcli.session.steps import AwaitAnswer, AwaitPerson, AwaitReconcile, AwaitSupply
from agentcli.terminal import happened as h
from agentcli.terminal.conversation.answering import store_answer
from agentcli.terminal.face import Face, tell
from agentcli.terminal.question.answer import Approve, ApproveAndRaise
from agentcli.terminal.question.arming import MANY_QUICK
from agentcli.terminal.question.asked import quick_yeses_of, view_of, would_raise
from agentcli.terminal.question.forms import NO, Filling, Offer, UnknownOutcome
from agentcli.terminal.question.prompted import PromptView
from agentcli.visible import visible_line
from agentcli.wiring.session import Session

QUICK: Final = "five yeses in a row, each within a second: from here on a yes needs a second of quiet before it"

_STOPS_LATER: Final = "the run stops once this is answered; Ctrl-C again leaves, and it stays open"


def raised_text(tool: str) -> str:
    """Return what is said once a tool was given level 3 with its yes, and how that is taken back."""
    named = visible_line(tool)
    return f"{named} at level 3 in this session; /level {named} default takes it back"


class Questions:
    """Asks one thing at a time; `open` is the call it is about, or an offer, or None.

    An offer `has_made_way` from when something else is asked first until an offer is made again.
    """

    def __init__(self, session: Session, face: Face, person: Person) -> None:
        self.open: str | Offer | None = None
        self.has_made_way = False
        self._session = session
        self._face = face
        self._person = person
        self._prompt: Filling | UnknownOutcome | None = None
        self._about: str | None = None

    def ask(self, step: AwaitPerson) -> None:
        """Ask a person for what the session waits for."""
        call = self._session.state.calls[step.call_id]
        self.open, self._prompt, self._about = call.call_id, None, None
        match step:
            case AwaitAnswer():
                view = view_of(call, may_raise=would_raise(call), quick_yeses=self._quick_yeses())
                self._face.ask(view)
            case AwaitSupply():
                self._prompt = Filling(call)
                self._ask(self._prompt.view())
            case AwaitReconcile():
                self._prompt = UnknownOutcome(call.call_id, call.title, call.as_sent)
                self._ask(self._prompt.view())
            case never:
                assert_never(never)

    def offer(self, offer: Offer) -> None:
        """Offer to go on."""
        self.open, self.has_made_way = offer, False
        self._ask(offer.view())

    def make_way(self) -> None:
        """Ask no longer, since something else is asked first."""
        self.has_made_way = self.has_made_way or isinstance(self.open, Offer)
        self.close()

    def close(self) -> None:
        """Ask no longer."""
        if self.open is not None:
            self.open, self._prompt, self._about = None, None, None
            self._face.close_question()

    async def answer(self, answer: h.AnswerGiven) -> None:
        """Store the answer to a question, which has closed itself; say so where it does not count."""
        self.open = None if self.open == answer.call_id else self.open
        stored = await store_answer(self._session, self._person, answer)
        self._tell_refusal(stored)
        if isinstance(answer.said, ApproveAndRaise) and not isinstance(stored, Refused):
            tell(self._face, raised_text(self._session.state.calls[answer.call_id].tool))
        if isinstance(answer.said, Approve | ApproveAndRaise) and self._quick_yeses() == MANY_QUICK:
            tell(self._face, QUICK)

    async def take(self, happened: h.PromptAnswered | h.PromptTakenBack) -> bool:
        """Take what was done with a prompt; return whether an offer was taken up by it."""
        if happened.about != self._about:
            # That one was closed while the line was on its way, and no other is answered by it.
            return False
        match self._prompt, happened:
            case Filling() as filling, h.PromptTakenBack():
                filling.go_back()
                self._ask(filling.view())
            case Filling() as filling, h.PromptAnswered(text=typed):
                await self._fill(filling, typed)
            case UnknownOutcome(call_id) as unknown, h.PromptAnswered(text=typed):
                self.close()
                self._tell_refusal(await self._session.settle(self._person, call_id, unknown.read(typed)))
            case None, h.PromptAnswered(text=typed):
                self.close()
                return typed not in NO
            case _:
                pass
        return False

    async def cancel(self) -> None:
        """A key said to drop what a prompt asks for: the call is cancelled, and the run stops after this step."""
        if isinstance(self.open, Offer):
            self.close()
            return
        await self._session.stop(self._person.by)
        if isinstance(self._prompt, UnknownOutcome):
            tell(self._face, _STOPS_LATER)

    async def _fill(self, filling: Filling, typed: str) -> None:
        complaint = filling.take(typed)
        if not filling.is_full:
            self._ask(filling.view(complaint))
            return
        self.close()
        supplied = self._session.supply(self._person, filling.call_id, filling.data, code=filling.code)
        self._tell_refusal(await supplied)

    def _ask(self, view: PromptView) -> None:
        self._about = view.about
        self._face.ask(view)

    def _quick_yeses(self) -> int:
        return quick_yeses_of(self._session.state.calls.values(), self._person.channel)

    def _tell_refusal(self, stored: object) -> None:
        if isinstance(stored, Refused):
            tell(self._face, visible_line(stored.reason))
