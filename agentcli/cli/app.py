"""The root of the command line: what stands before the command, and how whatever it ends with is told."""

import re
import shlex
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
import typer.main

from agentcli import __version__
from agentcli.cli.apps import App, Commands
from agentcli.cli.exits import Exit, explain
from agentcli.cli.options import Globals, path_option
from agentcli.cli.usage import PROGRAM, wrong_usage
from agentcli.cli.writing import output
from agentcli.terminal.faces.printed import streams_given_back

_PLAIN_COMMAND: Final = re.compile(f"`{PROGRAM} (?!-)")

app = App(cls=Commands)


@app.callback(
    invoke_without_command=True,
    epilog="""\b
Examples:
  agentcli chat --autonomy 2
  agentcli run --model offline "Add 300 for groceries"
  agentcli COMMAND --help""",
)
def agentcli(
    ctx: typer.Context,
    config: Annotated[str | None, path_option("--config", help="the config file, instead of yours")] = None,
    db: Annotated[str | None, path_option("--db", help="the store, instead of yours")] = None,
    version: Annotated[bool, typer.Option("--version", help="say which version this is, and exit")] = False,
) -> None:
    """A terminal agent you can hand real tools to: code, not the prompt, decides what it may do."""
    ctx.obj = Globals(config, db)
    if version:
        output.answer(f"{PROGRAM} {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        output.write(ctx.get_help() + "\n")


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; no failure goes any further."""
    output.use_any_encoding()
    try:
        command: Any = typer.main.get_command(app)
        with streams_given_back():
            code = command.main(list(arguments), prog_name=PROGRAM, standalone_mode=False)
        return int(code or Exit.DONE)
    except typer.TyperException as error:
        output.note(wrong_usage(error))
        return Exit.USAGE
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  # a person never sees a traceback
        problem = explain(error)
        if problem.message:
            advice = _PLAIN_COMMAND.sub(lambda _: f"`{_called(arguments)} ", problem.message)
            output.note(f"{PROGRAM}: {advice}")
        return problem.code


def _called(arguments: Sequence[str]) -> str:
    """Return the program with the config and the store that it was called with, as the next command needs them."""
    before: list[str] = []
    words = iter(arguments)
    for word in words:
        name, is_joined, _ = word.partition("=")
        if name not in ("--config", "--db"):
            break
        before += [word] if is_joined else [word, next(words, "")]
    return shlex.join([PROGRAM, *before])
