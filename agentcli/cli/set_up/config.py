"""`agentcli config`: what holds and where it came from."""

import os

import typer

from agentcli.cli.apps import App
from agentcli.cli.options import AgentOptions, AsJson, with_records
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.writing import output
from agentcli.config import config_path, rows, user_places, write_example
from agentcli.visible import visible_line

_SOURCES = 40  # the column where sources begin

app = App()


@app.callback()
def config() -> None:
    """Show what holds and where it came from, and write a config file to begin with."""


@app.command(
    epilog="""\b
Examples:
  agentcli config show
  AGENTCLI_MODEL=offline agentcli config show --autonomy 3"""
)
@with_records
def show(ctx: typer.Context, agent: AgentOptions, as_json: AsJson = False) -> None:
    """Show every key with its value and where that came from: a flag, a variable, the file, or the default."""
    shown = rows(set_up(flags_of(ctx, agent)))
    if as_json:
        output.json_line([{"key": row.key, "value": row.value, "source": row.source} for row in shown])
        return
    for row in shown:
        setting = visible_line(f"{row.key} = {row.literal}")
        output.write(f"{setting:<{_SOURCES}}  # {visible_line(row.source)}\n")


@app.command(
    epilog="""\b
Examples:
  agentcli config init
  agentcli --config mine.toml config init"""
)
def init(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Write a config file with every key and its default, for you to edit; one that exists is left alone."""
    path = _path(ctx)
    write_example(path)
    if as_json:
        output.json_line({"path": path})
    else:
        output.answer(f"written: {path}")


@app.command(
    epilog="""\b
Examples:
  ${EDITOR:-vi} "$(agentcli config path)"
  agentcli config path --json"""
)
def path(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Say where the config file is looked for."""
    if as_json:
        output.json_line({"path": _path(ctx)})
    else:
        output.answer(_path(ctx))


def _path(ctx: typer.Context) -> str:
    return config_path(flags_of(ctx), os.environ, user_places())[0]
