"""The floor of a command: a Typer program with as many commands that do nothing."""

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def nothing() -> None:
    """Do nothing."""


for number in range(18):
    app.command(f"command{number}")(nothing)

app()
