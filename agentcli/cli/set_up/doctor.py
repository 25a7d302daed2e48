"""`agentcli doctor`: is everything there that agentcli needs?"""

import os
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

import typer
from msgspec.structs import asdict

from agentcli.cli.apps import App
from agentcli.cli.exits import Exit
from agentcli.cli.options import AgentOptions, AsJson, with_records
from agentcli.cli.set_up.checks import Finding, check_all, check_encoding, check_terminal
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.writing import output
from agentcli.cli.writing.columns import aligned
from agentcli.config import ConfigError, Flags
from agentcli.terminal.drawing.fold import fold
from agentcli.terminal.faces.printed import terminal_size
from agentcli.visible import visible_line

app = App()

_INDENT: Final = "      "


@app.command(
    epilog="""\b
Examples:
  agentcli doctor
  agentcli --db /path/to/other.db doctor --json"""
)
@with_records
def doctor(ctx: typer.Context, agent: AgentOptions, as_json: AsJson = False) -> int:
    """Check config, agents, hooks, key, terminal, encoding, store, clock and log, and say what to do.

    The exit code is 1 where something is wrong.
    """
    found = list(_findings(flags_of(ctx, agent)))
    if as_json:
        output.json_line([asdict(finding) for finding in found])
    else:
        output.write("".join(f"{line}\n" for line in told(found, _room())))
    return Exit.DONE if all(finding.ok for finding in found) else Exit.FAILED


def told(found: Sequence[Finding], width: int | None) -> Iterator[str]:
    """Yield the findings as lines that are safe to draw, each with what to do below it.

    Args:
        width: Cells to fold them to; None leaves each on its line.
    """
    lines = aligned([_cells(finding) for finding in found], cut=False)
    for finding, line in zip(found, lines, strict=True):
        yield from _folded(line, width)
        if finding.advice:
            yield from _folded(f"    → {visible_line(finding.advice)}", width)


def _folded(line: str, width: int | None) -> list[str]:
    return [line] if width is None else [piece.rstrip() for piece in fold(line, width, _INDENT)]


def _room() -> int | None:
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return terminal_size().columns if is_terminal else None


def _findings(flags: Flags) -> Iterator[Finding]:
    try:
        config = set_up(flags)
    except ConfigError as error:
        yield Finding(
            "config", False, str(error), "put it right: nothing runs, and no more is checked, until then"
        )
        yield check_terminal(os.environ)
        yield check_encoding()
        return
    yield Finding("config", True, config.sources.file or "no file, so the defaults hold")
    yield from check_all(config, os.environ, datetime.now(UTC))


def _cells(finding: Finding) -> tuple[str, ...]:
    return ("ok" if finding.ok else "wrong", finding.check, finding.detail)
