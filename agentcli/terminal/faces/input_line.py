"""The input line: what keys do to its text, how a word is completed, and what is recalled into it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition

from agentcli.terminal.faces.desk import Desk, Move
from agentcli.terminal.faces.hints import Hint
from agentcli.terminal.faces.pastes import Line, Pastes, whole_cut
from agentcli.terminal.faces.remembered import Remembered
from agentcli.terminal.faces.watch import Watch
from agentcli.terminal.keys import Key
from agentcli.terminal.picking import Choice, Picking
from agentcli.terminal.question.prompted import PromptView
from agentcli.terminal.surroundings import Vocabulary
from agentcli.visible import valid_unicode, visible_line

HISTORY: Final = "history"
COMPLETING: Final = "completing"
NO_COMPLETION: Final[Hint] = ("nothing here begins so", "nothing begins so")
DRAFT_KEPT: Final[Hint] = ("your draft comes back after this one", "the draft comes back")
NO_HISTORY: Final[Hint] = ("nothing was entered yet",)


class InputLine:
    """What is typed; a list that is open has all keys instead.

    `lines_ended` counts the lines before this one; `suspend` is what Ctrl-Z does.
    """

    def __init__(
        self,
        desk: Desk,
        is_input_waiting: Callable[[], bool],
        follow: Callable[[Move], None],
        clock: Callable[[], float],
        history: Path | None = None,
    ) -> None:
        self.vocabulary = Vocabulary()
        self.lines_ended = 0
        self.suspend: Callable[[], object] = _nothing
        self._has_begun = False
        self._desk, self._follow, self._clock = desk, follow, clock
        self._pastes = Pastes()
        self._remembered = Remembered(history, whole=self._pastes.unfold)
        # While a list is open, keys that would edit the line do nothing.
        is_closed = Condition(lambda: self.is_picking)
        self.buffer = Buffer(multiline=True, history=self._remembered, read_only=is_closed)
        self.watch = Watch(desk, self.buffer, is_input_waiting)
        self.clipboard = InMemoryClipboard()
        self._take: Callable[[str], None] = self._recall
        self._measure()

    @property
    def text(self) -> str:
        """What the line says, with what is folded in it; in an input that is edited nothing is."""
        text = self.buffer.text
        return valid_unicode(text if self._is_editing else self._pastes.unfold(text))

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in the line."""
        return not self.buffer.text

    @property
    def is_asking(self) -> bool:
        """Whether a question has the keys besides the line."""
        return self._desk.asking is not None and not self.is_picking

    @property
    def is_draft(self) -> bool:
        """Whether the line holds text that can't answer the open question."""
        return self._desk.is_draft and not self.is_picking

    @property
    def is_picking(self) -> bool:
        """Whether a list is open."""
        return self._desk.picking is not None

    @property
    def _all_typed(self) -> str:
        """All that stands in the line or may come back into it."""
        kept = (*self._desk.aside, self.clipboard.get_data().text, *self._remembered.newest_first)
        return "\n".join((self.buffer.text, *kept))

    @property
    def _is_editing(self) -> bool:
        return self._desk.asking is not None and self._desk.asking.is_editing

    def begin(self) -> None:
        """What was typed ahead has been read."""
        self._has_begun = True

    def key_begins(self) -> None:
        """A key is about to be handled."""
        self._measure()
        self.watch.key_begins()

    def key_ends(self) -> None:
        """A key was handled; of the mark of a paste it has left all or nothing."""
        before, index, cut_before = self._before
        after, cut = self._as_it_stands, self.clipboard.get_data()
        line = self._pastes.kept_whole(before, after) if index == self.buffer.working_index else after
        if line != after:
            self.buffer.document = Document(line.text, line.cursor)
            if cut is not cut_before:
                self.clipboard.set_text(whole_cut(cut.text, before, after, line))
        self.watch.key_ends()

    def become(self, move: Move) -> None:
        """Have the line that follows from a key, and remember the one before where it is to be."""
        if move.line is not None:
            self.lines_ended += not move.line
            if move.is_remembered:
                self.buffer.append_to_history()
            self.buffer.reset(Document(move.line, len(move.line)))
            self._measure()

    def entered(self) -> None:
        """Enter."""
        picking = self._desk.picking
        if picking is None:
            self._follow(self._desk.enter(self.text, self._clock()))
            return
        self._desk.pick(None)
        if picking.chosen is not None:
            self._take(picking.chosen)

    def typed(self, text: str) -> None:
        """Characters."""
        if self._desk.picking is not None:
            self._desk.picking.typed(text)
            return
        self.watch.typed(text)
        self._cut_selected()
        self.buffer.insert_text(text)

    def pasted(self, text: str) -> None:
        """Pasted text; a big one is folded, but not where it is JSON that is being changed."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        if self._desk.picking is not None:
            self._desk.picking.typed(plain.partition("\n")[0])
            return
        self._cut_selected()
        self.buffer.insert_text(plain if self._is_editing else self._pastes.fold(plain, self._all_typed))

    def erased(self) -> None:
        """Backspace in a list."""
        if self._desk.picking is not None:
            self._desk.picking.erased()

    def new_line(self) -> None:
        """A line break in the text."""
        if not self.is_picking:
            self.buffer.newline(copy_margin=False)

    def fed(self) -> None:
        """Ctrl-J is a line break; but typed before the line was there it was an Enter, turned by the terminal."""
        if self._has_begun:
            self.new_line()
        else:
            self.entered()

    def given_up(self) -> Iterator[str]:
        """Yield what is told of each draft that is not sent any more; all are remembered, and no answer is one."""
        text = self.buffer.text
        line = "" if self._is_editing or self._desk.is_answer(text) else text
        for draft in filter(str.strip, (*self._desk.aside, line)):
            self._remembered.append_string(draft)
            kept = ", but Ctrl-R finds it" if self._remembered.keeps(draft) else ""
            yield f"not sent{kept}: {visible_line(valid_unicode(draft))}"

    def set_aside(self) -> None:
        """The draft is to come back after the answer."""
        self._follow(self._desk.set_aside(self.buffer.text))

    def turn(self, by: int) -> None:
        """Another page of the question."""
        self._desk.turn(by)

    def gone_back(self) -> None:
        """Back to the field before."""
        self._follow(self._desk.go_back(self.text))

    def move(self, by: int) -> None:
        """Down or up in the list."""
        if self._desk.picking is not None:
            self._desk.picking.move(by)

    def leap(self, pages: int) -> None:
        """Far down or up in the list."""
        if self._desk.picking is not None:
            self._desk.picking.leap(pages)

    def stopped(self, key: Key) -> None:
        """One of the keys that stop or leave; in a list they all leave it."""
        if self.is_picking:
            self._desk.pick(None)
        else:
            self._follow(self._desk.stop(key, self.text, self._clock()))

    def completed(self) -> None:
        """The word before the cursor is to be completed, or there is a choice of words."""
        # Loaded with the first word that is completed, not with the first prompt.
        from agentcli.terminal.slash.completing import complete, complete_choice  # noqa: PLC0415

        before, offered = self.buffer.document.text_before_cursor, _offered(self._desk)
        is_choice = offered and not before.startswith("/")
        completion = complete_choice(before, offered) if is_choice else complete(before, self.vocabulary)
        if not completion.words:
            self._desk.say(NO_COMPLETION)
        elif len(completion.common) > len(completion.begun):
            self.buffer.insert_text(completion.common[len(completion.begun) :])
        else:
            begun = len(completion.begun)
            choices = [Choice(word, completion.labels.get(word, word)) for word in completion.words]
            self.pick(COMPLETING, choices, lambda word: self.buffer.insert_text(f"{word[begun:]} "))

    def searched(self) -> None:
        """The lines that were entered before are to be searched."""
        if self._desk.picking is not None:
            self._desk.picking.move(1)
            return
        choices = [Choice(line, " ".join(line.split())) for line in self._remembered.newest_first]
        if choices:
            self.pick(HISTORY, choices, self._recall_over_draft)
        else:
            self._desk.say(NO_HISTORY)

    def pick(self, title: str, choices: Sequence[Choice], take: Callable[[str], None]) -> None:
        """Open a list; `take` gets the value of what is picked from it, if anything is."""
        self._desk.pick(Picking(title, choices))
        self._take = take

    def _cut_selected(self) -> None:
        """What was selected with Shift and arrows gives way to what is put in."""
        selected = self.buffer.selection_state
        if selected is not None and selected.shift_mode:
            self.buffer.cut_selection()

    def _recall_over_draft(self, line: str) -> None:
        """Recall a line; a draft that stands there comes back after it."""
        draft = self.buffer.text
        is_answer = self._desk.asking is not None and not self.is_draft
        if draft.strip() and not is_answer and draft.rstrip() not in self._remembered.newest_first:
            self._desk.set_aside(draft)
            self._desk.say(DRAFT_KEPT)
        self._recall(line)

    def _recall(self, line: str) -> None:
        self.buffer.document = Document(line, len(line))
        self._measure()

    def _measure(self) -> None:
        """What a key makes of the line is measured against what stands in it now."""
        self._before = (self._as_it_stands, self.buffer.working_index, self.clipboard.get_data())

    @property
    def _as_it_stands(self) -> Line:
        return Line(self.buffer.text, self.buffer.cursor_position)


def _offered(desk: Desk) -> tuple[str, ...]:
    """Return what an open form offers to choose from."""
    view = None if desk.asking is None else desk.asking.view
    return view.choices if isinstance(view, PromptView) else ()


def _nothing() -> None:
    """Do nothing."""
