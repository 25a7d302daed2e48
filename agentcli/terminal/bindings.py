"""Which key calls what; all other keys edit the line as they do everywhere."""

from typing import Protocol

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from agentcli.terminal.keys import Key


class Keyboarded(Protocol):
    """What the keys act on."""

    @property
    def is_asking(self) -> bool:
        """Whether a question is on the screen."""
        ...

    @property
    def is_line_empty(self) -> bool:
        """Whether nothing stands in the input line."""
        ...

    @property
    def is_draft(self) -> bool:
        """Whether the line holds text that can't answer the open question."""
        ...

    def entered(self) -> None:
        """Enter."""
        ...

    def typed(self, text: str) -> None:
        """Characters for the line."""
        ...

    def pasted(self, text: str) -> None:
        """Pasted text for the line."""
        ...

    def set_aside(self) -> None:
        """The draft is to come back after the answer."""
        ...

    def turn(self, by: int) -> None:
        """Another page of the question."""
        ...

    def stopped(self, key: Key) -> None:
        """One of the keys that stop or leave."""
        ...


def bind(on: Keyboarded) -> KeyBindings:
    """Return the bindings."""
    bindings = KeyBindings()
    is_asking = Condition(lambda: on.is_asking)
    is_empty = Condition(lambda: on.is_line_empty)
    is_draft = Condition(lambda: on.is_draft)

    @bindings.add("enter")
    def _(event: KeyPressEvent) -> None:
        on.entered()

    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.newline(copy_margin=False)

    @bindings.add(Keys.Any)
    def _(event: KeyPressEvent) -> None:
        on.typed(event.data * event.arg)

    @bindings.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        on.pasted(event.data)

    @bindings.add("c-u", filter=is_draft)
    def _(event: KeyPressEvent) -> None:
        on.set_aside()

    @bindings.add("pagedown", filter=is_asking)
    def _(event: KeyPressEvent) -> None:
        on.turn(1)

    @bindings.add("pageup", filter=is_asking)
    def _(event: KeyPressEvent) -> None:
        on.turn(-1)

    @bindings.add("c-c")
    def _(event: KeyPressEvent) -> None:
        on.stopped(Key.CTRL_C)

    @bindings.add("escape")
    def _(event: KeyPressEvent) -> None:
        on.stopped(Key.ESC)

    @bindings.add("c-d", filter=is_empty)
    def _(event: KeyPressEvent) -> None:
        on.stopped(Key.CTRL_D)

    @bindings.add("c-z")
    def _(event: KeyPressEvent) -> None:
        """Nothing: it would put a control character into the line."""

    return bindings
