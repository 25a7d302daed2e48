"""`agentcli classify`: what a problem response means."""

import json
import os
import re
import sys
from typing import Annotated

import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import WrongUsage
from agentcli.cli.options import AsJson, text_option
from agentcli.cli.setup import flags_of, set_up
from agentcli.cli.writing import output
from agentcli.problems import MAX_BODY_BYTES, PAIRS, with_added
from agentcli.problems import classify as classify_response
from agentcli.terminal.faces.printed import beneath

_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)

app = App()


@app.command(
    epilog="""\b
Examples:
  agentcli classify --status 422 --content-type application/problem+json FILE
  curl -s URL | agentcli classify --status 409 --content-type TYPE"""
)
def classify(
    ctx: typer.Context,
    status: Annotated[str, text_option("--status", metavar="CODE", help="the response's HTTP status")],
    content_type: Annotated[
        str | None, text_option("--content-type", metavar="TYPE", help="its Content-Type header")
    ] = None,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="its body; - is standard input", parser=str)] = "-",
    as_json: AsJson = False,
) -> None:
    """Put an HTTP problem response into a review category.

    Type and status decide, never the prose: what the body says besides is in no output. The result is JSON in
    any case, and the exit code is 0 for every body. More pairs of type and status come from [[problems]] in the
    config.
    """
    pairs = with_added(PAIRS, set_up(flags_of(ctx)).problems)
    number = int(status) if _NUMBER.fullmatch(status) else status
    review = classify_response(number, content_type, _body(file), pairs=pairs)
    output.write(json.dumps(review, sort_keys=True) + "\n")


def _body(file: str) -> bytes:
    """Return the body, or as much of it as shows that it is too large."""
    try:
        if file == "-":
            stdin = beneath(sys.stdin)
            return stdin.buffer.read(MAX_BODY_BYTES + 1) if stdin is not None else b""
        with open(file, "rb") as stream:
            return stream.read(MAX_BODY_BYTES + 1)
    except OSError as error:
        raise WrongUsage(f"{os.fsdecode(file)}: {error.strerror}") from error
