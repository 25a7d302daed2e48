"""Which key calls what; all other keys edit the line as they do everywhere."""

from typing import Final

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from agentcli.terminal.faces.input_line import InputLine
from agentcli.terminal.keys import Key

_PRINTABLE: Final = [chr(code) for code in range(ord(" "), ord("~") + 1)]
"""The characters of ASCII; the library binds some of them to commands where a line is read only."""


def bind(line: InputLine) -> KeyBindings:
    """Return the bindings."""
    bindings = KeyBindings()
    _bind_line(bindings, line)
    _bind_lists(bindings, line)
    _bind_leaving(bindings, line)
    return bindings


def _bind_line(bindings: KeyBindings, line: InputLine) -> None:
    @bindings.add("enter")
    def _(event: KeyPressEvent) -> None:
        line.entered()

    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        line.new_line()

    @bindings.add("c-j")
    def _(event: KeyPressEvent) -> None:
        line.fed()

    @bindings.add(Keys.Any)
    def _(event: KeyPressEvent) -> None:
        line.typed(event.data * event.arg)

    @bindings.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        line.pasted(event.data)

    @bindings.add("tab", filter=Condition(lambda: not line.is_picking))
    def _(event: KeyPressEvent) -> None:
        line.completed()

    @bindings.add("c-r")
    def _(event: KeyPressEvent) -> None:
        line.searched()

    @bindings.add("backspace", filter=Condition(lambda: line.is_picking))
    def _(event: KeyPressEvent) -> None:
        line.erased()

    @bindings.add("c-u", filter=Condition(lambda: line.is_draft))
    def _(event: KeyPressEvent) -> None:
        line.set_aside()


def _bind_lists(bindings: KeyBindings, line: InputLine) -> None:
    is_picking = Condition(lambda: line.is_picking)
    is_asking = Condition(lambda: line.is_asking)

    for character in _PRINTABLE:

        @bindings.add(character, filter=is_picking)
        def _(event: KeyPressEvent) -> None:
            line.typed(event.data * event.arg)

    @bindings.add("down", filter=is_picking)
    @bindings.add("c-n", filter=is_picking)
    @bindings.add("tab", filter=is_picking)
    def _(event: KeyPressEvent) -> None:
        line.move(1)

    @bindings.add("up", filter=is_picking)
    @bindings.add("c-p", filter=is_picking)
    @bindings.add("c-s", filter=is_picking)
    @bindings.add("s-tab", filter=is_picking)
    def _(event: KeyPressEvent) -> None:
        line.move(-1)

    @bindings.add("pagedown", filter=is_picking)
    def _(event: KeyPressEvent) -> None:
        line.leap(1)

    @bindings.add("pageup", filter=is_picking)
    def _(event: KeyPressEvent) -> None:
        line.leap(-1)

    @bindings.add("pagedown", filter=is_asking)
    def _(event: KeyPressEvent) -> None:
        line.turn(1)

    @bindings.add("pageup", filter=is_asking)
    def _(event: KeyPressEvent) -> None:
        line.turn(-1)

    @bindings.add("s-tab", filter=is_asking)
    def _(event: KeyPressEvent) -> None:
        line.gone_back()


def _bind_leaving(bindings: KeyBindings, line: InputLine) -> None:
    @bindings.add("c-c")
    def _(event: KeyPressEvent) -> None:
        line.stopped(Key.CTRL_C)

    @bindings.add("escape")
    def _(event: KeyPressEvent) -> None:
        line.stopped(Key.ESC)

    @bindings.add("c-d", filter=Condition(lambda: line.is_picking or line.is_empty))
    def _(event: KeyPressEvent) -> None:
        line.stopped(Key.CTRL_D)

    @bindings.add("c-g", filter=Condition(lambda: line.is_picking))
    def _(event: KeyPressEvent) -> None:
        line.stopped(Key.ESC)

    @bindings.add("c-z")
    def _(event: KeyPressEvent) -> None:
        line.suspend()

    @bindings.add("c-o")
    @bindings.add("escape", "#")
    @bindings.add("c-s", filter=Condition(lambda: not line.is_picking))
    def _(event: KeyPressEvent) -> None:
        """Nothing: they would put a control character into the line, take it away unsent, or search in it."""
