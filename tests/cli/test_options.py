"""Options: records of them, and how what was typed is read."""

import inspect
from typing import Annotated, get_args

import pytest
import typer
from msgspec import Struct

from agentcli.cli.app import run
from agentcli.cli.apps import App, Loaded
from agentcli.cli.command_table import BY_NAME
from agentcli.cli.options import OnAsk, text_option, when_asked, whole_number, with_records


class Taste(Struct, frozen=True):
    """Two options."""

    sweet: Annotated[bool, typer.Option("--sweet")] = False
    spice: Annotated[list[str] | None, text_option("--spice", metavar="NAME", help="")] = None


def test_a_record_of_options_is_filled_from_the_command_line() -> None:
    """A command takes options as one record; on the command line each stands for itself."""
    seen: list[tuple[Taste, str]] = []
    app = App()

    @app.command()
    @with_records
    def cook(taste: Taste, dish: Annotated[str, text_option("--dish", metavar="NAME", help="")] = "soup") -> None:
        seen.append((taste, dish))

    command = typer.main.get_command(app)
    command.main(["--spice", "salt", "--sweet", "--spice", "pepper"], standalone_mode=False)
    command.main([], standalone_mode=False)
    assert seen == [(Taste(True, ["salt", "pepper"]), "soup"), (Taste(), "soup")]


def _parameters() -> list[tuple[str, object]]:
    """Every parameter of every command."""
    commands = [(name, command) for name, command in Loaded().items()]
    for name, command in list(commands):
        commands += [(f"{name} {inner}", one) for inner, one in getattr(command, "commands", {}).items()]
    return [(f"{name} {param.name}", param) for name, command in commands for param in command.params]


@pytest.mark.parametrize(
    ("name", "param"), _parameters(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_parameter_is_a_switch_or_names_its_parser(name: str, param: object) -> None:
    """Otherwise what was typed would be passed on unread."""
    kind = param.type_descriptor  # type: ignore[attr-defined]  # Typer's
    assert kind.annotation is bool or kind.parameter_info.parser is not None


@pytest.mark.parametrize("text", ["1", "42", "999999999"])
def test_whole_numbers(text: str) -> None:
    """A count above 0."""
    assert whole_number(text) == int(text)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "01", "1_0", "٣", "", "1234567890", " 1"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    """One way of writing it, in ASCII."""
    with pytest.raises(ValueError, match="not a whole number from 1 to 999,999,999"):
        whole_number(text)


def test_what_happens_to_questions_is_one_of_three_words() -> None:
    """Anything else is refused with the list."""
    assert [when_asked(word) for word in get_args(OnAsk)] == ["prompt", "wait", "decline"]
    with pytest.raises(ValueError, match="not one of prompt, wait, decline"):
        when_asked("Prompt")


def test_the_table_of_commands_can_be_added_to() -> None:
    """What is registered beside the table is found first; a name that nobody has is none."""
    commands = Loaded()
    assert list(commands) == list(BY_NAME)
    assert len(commands) == len(BY_NAME)
    commands["doctor"] = "another"
    assert commands["doctor"] == "another"
    del commands["doctor"]
    assert commands["doctor"] != "another"
    assert commands.get("nobody") is None


def test_a_command_that_is_a_coroutine_would_do_nothing() -> None:
    """Typer does not await: no command is one."""
    for _, command in Loaded().items():
        for one in (command, *getattr(command, "commands", {}).values()):
            assert not inspect.iscoroutinefunction(inspect.unwrap(one.callback)), one.name


def test_an_unknown_command_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    """The line goes to stderr."""
    assert run(["nobody"]) == 2
    assert capsys.readouterr().err.startswith("agentcli: no such command 'nobody'")
