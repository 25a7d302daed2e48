"""What was said last in a session that somebody goes on with. Pure."""

from collections.abc import Iterator

from agentcli.session.state import State
from agentcli.terminal.drawing.fold import fit
from agentcli.terminal.drawing.reply import SET_IN
from agentcli.terminal.drawing.telling import SAID
from agentcli.visible import visible_line


def recalled_lines(state: State, width: int) -> Iterator[str]:
    """Yield the last words that were heard and what was answered, a line each that is safe to draw."""
    heard = [message.text for no, message in state.messages.items() if no not in state.unheard]
    if not heard:
        return
    yield "1 message so far:" if len(heard) == 1 else f"{len(heard)} messages so far; the last:"
    yield _on_one_line(SAID, heard[-1], width)
    if state.run is None and state.ended is not None and state.ended.text.strip():
        yield _on_one_line(SET_IN, state.ended.text, width)


def _on_one_line(mark: str, text: str, width: int) -> str:
    return fit(mark + visible_line(" ".join(text.split())), width)
