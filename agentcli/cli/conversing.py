"""Opens the conversation of `chat`, and of `resume` at a terminal."""

from collections.abc import Sequence

from agentcli.cli.setup import command_line
from agentcli.config import Config, Flags
from agentcli.terminal.first_line import first_line
from agentcli.visible import visible_line
from agentcli.wiring.opening import Opening


def converse(
    opening: Opening, config: Config, flags: Flags, *, said: str | None = None, found: Sequence[str] = ()
) -> int:
    """Talk until the person leaves, and return the exit code.

    Args:
        said: What the person says first.
        found: Lines about what there is to go on with, safe to draw.
    """
    # What draws is only loaded here: a command line that can't be used ends without it.
    from agentcli.terminal.chat import chat  # noqa: PLC0415

    greeting = (first_line(opening.circumstances), *map(visible_line, opening.session.notes), *found)
    return chat(
        opening.session,
        opening.store,
        greeting=greeting,
        said=said,
        settings=config.terminal,
        resume=command_line(flags, "resume", opening.session.id),
    )
