"""`agentcli doctor`: is everything there that agentcli needs?"""

import os
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime

import typer

from agentcli.cli import output
from agentcli.cli.apps import App
from agentcli.cli.checks import Finding, check_all, check_encoding, check_terminal
from agentcli.cli.columns import aligned
from agentcli.cli.exits import Exit
from agentcli.cli.options import AgentOptions, AsJson, with_records
from agentcli.cli.setup import flags_of, set_up
from agentcli.config import ConfigError, Flags
from agentcli.visible import visible_line

app = App()


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
        for finding, line in zip(found, aligned([_cells(finding) for finding in found], cut=False), strict=True):
            output.write(f"{line}\n" + (f"    → {visible_line(finding.advice)}\n" if finding.advice else ""))
    return Exit.DONE if all(finding.ok for finding in found) else Exit.FAILED


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
