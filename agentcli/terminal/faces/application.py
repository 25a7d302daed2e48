"""The application that reads the keys and draws the layout, as prompt-toolkit runs it."""

from collections.abc import Callable
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.layout import Layout

from agentcli.terminal.faces.bindings import bind
from agentcli.terminal.faces.erasing import FoldAwareRenderer
from agentcli.terminal.faces.input_line import InputLine
from agentcli.terminal.faces.linear import LinearOutput
from agentcli.terminal.faces.output import SteadyOutput

_KEY_GAP_S: Final = 0.05  # what follows Esc later than this is a key of its own


def application_of(
    layout: Layout,
    line: InputLine,
    input: Input,
    output: SteadyOutput | LinearOutput,
    rendered: Callable[[], None],
) -> Application[None]:
    """Return the application; it draws when it is told to, and calls `rendered` after each time."""
    app: Application[None] = Application(
        layout=layout,
        key_bindings=bind(line),
        clipboard=line.clipboard,
        input=input,
        output=output,
        erase_when_done=True,
        max_render_postpone_time=None,
        terminal_size_polling_interval=None,
        include_default_pygments_style=False,
        after_render=lambda _: rendered(),
    )
    if isinstance(output, SteadyOutput):
        app.renderer = FoldAwareRenderer(app.renderer.style, output)
    app.ttimeoutlen = app.timeoutlen = _KEY_GAP_S
    app.key_processor.before_key_press += lambda _: line.key_begins()
    app.key_processor.after_key_press += lambda _: line.key_ends()
    return app
