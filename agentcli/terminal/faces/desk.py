"""What the line, its draft and the open question do with keys; no screen, no keyboard, no clock of its own."""

from typing import assert_never

from msgspec import Struct

from agentcli.terminal import happened as h
from agentcli.terminal.faces.hints import (
    AGAIN,
    ALL_SHOWN,
    DRAFT,
    EDITING,
    HIDDEN,
    SENT,
    UNCHANGED,
    Hint,
)
from agentcli.terminal.keys import EFFECTS, Effect, Key, ctrl_c, where
from agentcli.terminal.picking import Picking
from agentcli.terminal.question import answer as a
from agentcli.terminal.question.arming import Arming, Standing
from agentcli.terminal.question.asking import Asking, View
from agentcli.terminal.question.frame import QuestionView
from agentcli.terminal.question.prompted import PromptView
from agentcli.tools.json_text import JsonFault, read_json
from agentcli.visible import visible_line


class Move(Struct, frozen=True):
    """What follows from a key: what happened, the line from now on, and whether its text is remembered.

    A `line` of None leaves the line as it is.
    """

    happened: h.Happened | None = None
    line: str | None = None
    is_remembered: bool = False


class Desk:
    """The line and the question at which a person works.

    `times_asked` counts what was asked so far; `aside` are drafts that come back into the line.
    """

    def __init__(self) -> None:
        self.times_asked = 0
        self.arming = Arming()
        self.asking: Asking | None = None
        self.picking: Picking | None = None
        self.is_at_work = False
        self.aside: list[str] = []
        self._edited = ("", "")
        self._hint: Hint = ()
        self._ctrl_c_at: float | None = None

    @property
    def is_draft(self) -> bool:
        """Whether the line holds text that can't answer the open question."""
        if self.asking is None or self.asking.is_editing:
            return False
        line = self.arming.line
        return line in (Standing.EARLIER, Standing.LATE) or (line is Standing.PASTED and not self.asking.is_field)

    @property
    def hint(self) -> Hint:
        """What there is to say about the line, the open list or the last key; empty for nothing."""
        if self.picking is not None:
            return self.picking.keys if self.asking is None else HIDDEN
        if self.asking is not None and self.asking.is_editing:
            return self._hint or EDITING
        return self._hint or (DRAFT if self.is_draft else ())

    def open(self, view: View, text: str) -> None:
        """A question or a prompt opens over the text that stands in the line."""
        self.times_asked += 1
        before = self.asking if isinstance(view, PromptView) and view.follows else None
        self.asking = Asking(view, follows=before is not None and before.all_shown)
        self.arming = self.arming.opened(text) if before is None else self.arming.followed(text)
        if isinstance(view, QuestionView):
            self.arming = self.arming.hurried(view.quick_yeses)

    def close(self, text: str) -> Move:
        """The question is gone; a draft that was set aside comes back into an empty line."""
        self.asking = None
        self.arming = self.arming.closed(text)
        move = self._cleared(text)
        self.arming = self.arming.restored() if move.line else self.arming
        return move

    def key_begins(self) -> None:
        """A key is about to be handled."""
        self._hint = ()

    def say(self, hint: Hint) -> None:
        """Say something about the line, until the next key."""
        self._hint = hint

    def pick(self, picking: Picking | None) -> None:
        """A list opens or closes; it hides a question."""
        self.picking = picking
        self.cover()

    def cover(self) -> None:
        """What is asked is out of sight, and has to be painted anew before it can be answered."""
        self.arming = self.arming.disturbed()
        if self.asking is not None:
            self.asking.is_painted = False

    def come_back(self) -> None:
        """The person had something else before them; what was begun as an answer until then is none any more."""
        self.cover()
        self.arming = self.arming.hidden()
        takes_words = self.asking is not None and not self.asking.is_field and not self.asking.is_editing
        if takes_words and self.arming.line is Standing.ANSWER:
            self.arming = self.arming.restored()

    def set_aside(self, text: str) -> Move:
        """Keep the draft until the question is answered."""
        self.aside.append(text)
        return Move(line="")

    def turn(self, by: int) -> None:
        """Show another page of the question."""
        if self.asking is not None and not self.asking.turn(by):
            self._hint = ALL_SHOWN

    def go_back(self, text: str) -> Move:
        """The field before is to be filled in once more; text that stands in the line is kept where it is."""
        asking = self.asking
        if text or asking is None or not isinstance(asking.view, PromptView) or asking.is_answered:
            return Move()
        asking.is_answered = asking.view.may_go_back
        return Move(h.PromptTakenBack(asking.view.about) if asking.view.may_go_back else None)

    def enter(self, text: str, now: float) -> Move:
        """Enter was pressed on a line."""
        if self.asking is None:
            return self._enter_message(text)
        match self.asking.view:
            case PromptView() as prompt:
                return self._enter_prompted(self.asking, prompt, text)
            case QuestionView() as question if self.asking.is_editing:
                return self._enter_edited(question, text, now)
            case QuestionView() as question:
                return self._enter_answer(self.asking, question, text, now)
            case never:
                assert_never(never)

    def stop(self, key: Key, text: str, now: float) -> Move:
        """One of the keys that stop or leave was pressed."""
        if self.asking is not None and self.asking.is_editing and key is not Key.CTRL_D:
            return self._leave_input(self.asking.view)
        place = where(has_text=bool(text), is_asking=self.asking is not None, is_at_work=self.is_at_work)
        if key is Key.CTRL_C:
            key = ctrl_c(now, self._ctrl_c_at)
        effect = EFFECTS[place][key]
        if effect is Effect.CLEAR_LINE:
            return Move(line="", is_remembered=not self.is_answer(text))
        if effect in (Effect.NOTHING, Effect.DELETE):
            return Move()
        self._ctrl_c_at = now if key is Key.CTRL_C else None
        question = None if self.asking is None else self.asking.view
        if effect is Effect.CANCEL and isinstance(question, QuestionView):
            return self._answer(question, h.Cancelled(), now)
        return Move(h.KeyPressed(effect))

    def is_answer(self, text: str) -> bool:
        """Whether a line that is given up was an answer, or what a form asked for: neither is remembered."""
        if self.asking is None:
            return self.arming.line is Standing.LATE
        if self.asking.is_field:
            return self.arming.line not in (Standing.EARLIER, Standing.LATE)
        return not isinstance(a.read_answer(text, may_raise=True), a.Words | a.Command)

    def _enter_answer(self, asking: Asking, view: QuestionView, text: str, now: float) -> Move:
        standing, all_shown = self.arming.standing, asking.all_shown
        if standing is Standing.ANSWER and not asking.is_painted:
            # With the key before, whatever it was, the question went out of sight.
            standing = Standing.TOO_FAST
        said = a.read_line(text, standing, all_shown=all_shown, may_raise=view.may_raise, may_edit=view.may_edit)
        match said:
            case a.AskAgain(why):
                self._hint = AGAIN[why]
                return Move(line="")
            case a.ShowAll():
                self.turn(1)
                return Move(line="")
            case a.Edit():
                asking.is_editing = True
                # What was refused is there to be mended.
                code, edited = self._edited
                return Move(line=edited if code == view.code else view.input)
            case a.Command(command):
                return Move(h.CommandEntered(command), line="", is_remembered=True)
            case a.Words(words, kind):
                return self._said(words, kind)
            case a.Approve() | a.ApproveAndRaise() | a.Decline():
                return self._answer(view, said, now)
            case never:
                assert_never(never)

    def _enter_prompted(self, asking: Asking, view: PromptView, text: str) -> Move:
        if asking.is_answered:
            return Move()
        match a.read_prompted(text, self.arming.standing, view.answers, all_shown=asking.all_shown):
            case a.AskAgain(why):
                self._hint = AGAIN[why]
                # What a form asks for may be long: it stays to be sent once all was seen.
                return Move(line="" if view.answers else None)
            case a.Typed(typed):
                asking.is_answered = True
                return Move(h.PromptAnswered(view.about, typed), line="")
            case a.Command(command):
                return Move(h.CommandEntered(command), line="", is_remembered=True)
            case a.Words(words, kind):
                return self._said(words, kind)
            case never:
                assert_never(never)

    def _said(self, words: str, kind: Standing) -> Move:
        """Words beside what is asked; where that fills the screen, only a hint tells that they were no answer."""
        self._hint = () if kind is Standing.ANSWER else SENT
        return Move(h.WordsEntered(words, kind), line="", is_remembered=True)

    def _enter_message(self, text: str) -> Move:
        match a.read_message(text, self.arming.standing):
            case a.AskAgain(a.Why.CLOSED):
                self._hint = AGAIN[a.Why.CLOSED]
                return Move(line="")
            case a.AskAgain():
                return Move()
            case a.Command(command):
                return Move(h.CommandEntered(command), self._take_back(), is_remembered=True)
            case a.Words(words):
                return Move(h.WordsEntered(words), self._take_back(), is_remembered=True)
            case never:
                assert_never(never)

    def _enter_edited(self, view: QuestionView, text: str, now: float) -> Move:
        if not text.strip():
            return self._leave_input(view)
        fault = _fault_in(text)
        if fault is not None:
            self._hint = (f"not a JSON object: {fault}", fault, _at(fault), "no JSON")
            return Move()
        self._edited = (view.code, text)
        return self._answer(view, h.Edited(text.strip()), now)

    def _leave_input(self, view: View) -> Move:
        self.open(view, "")
        self._hint = UNCHANGED
        return Move(line="")

    def _answer(self, view: QuestionView, said: h.Said, now: float) -> Move:
        painted_at = None if self.asking is None else self.asking.painted_at
        seconds = 0.0 if painted_at is None else now - painted_at
        is_yes = isinstance(said, a.Approve | a.ApproveAndRaise)
        self.arming = self.arming.answered(yes=is_yes, seconds=seconds)
        line = self.close("").line
        return Move(h.AnswerGiven(view.call_id, view.code, said, seconds), line or "")

    def _cleared(self, text: str) -> Move:
        return Move() if text or not self.aside else Move(line=self._take_back())

    def _take_back(self) -> str:
        """Return what was set aside, which is a draft again from here on."""
        text = "\n".join(self.aside)
        self.aside.clear()
        return text


def _fault_in(text: str) -> str | None:
    """Return why an edited input is no JSON object, or None."""
    try:
        value = read_json(text)
    except JsonFault as fault:
        return visible_line(str(fault)).removeprefix("not valid JSON: ")
    return None if isinstance(value, dict) else "it has no members"


def _at(fault: str) -> str:
    """Return where a fault is, as far as it says so."""
    where = fault.rpartition(" at character ")[2]
    return fault if where == fault else f"no JSON at character {where}"
