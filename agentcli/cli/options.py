"""Options that several commands share, in records that a command takes as one parameter."""

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Literal, get_args, get_type_hints

import typer
from msgspec import Struct

from agentcli.visible import valid_unicode


def path_option(*names: str, help: str) -> Any:
    """Return an option for a path, whose bytes need not be text."""
    return typer.Option(*names, help=help, metavar="FILE", parser=str)


def text_option(*names: str, metavar: str, help: str) -> Any:
    """Return an option for text, which is made valid Unicode here."""
    return typer.Option(*names, help=help, metavar=metavar, parser=valid_unicode)


def text_argument(metavar: str, help: str) -> Any:
    """Return an argument for text, which is made valid Unicode here."""
    return typer.Argument(help=help, metavar=metavar, parser=valid_unicode)


def whole_number(text: str) -> int:
    """Return the number from 1 to 999,999,999 that the text says.

    Raises:
        ValueError: It says none.
    """
    if not re.fullmatch("[1-9][0-9]{0,8}", text, re.ASCII):
        raise ValueError(f"{text!r} is not a whole number from 1 to 999,999,999")
    return int(text)


def when_asked(text: str) -> str:
    """Return one of the words that `--on-ask` takes.

    Raises:
        ValueError: It is another.
    """
    words = get_args(OnAsk)
    if text not in words:
        raise ValueError(f"{text!r} is not one of {', '.join(words)}")
    return text


OnAsk = Literal["prompt", "wait", "decline"]
AsJson = Annotated[bool, typer.Option("--json", help="write JSON, for programs")]


class Globals(Struct, frozen=True):
    """What stands before the command."""

    config: str | None = None
    db: str | None = None


class AgentOptions(Struct, frozen=True):
    """Which agent, with which model, and how much it may do alone."""

    agent: Annotated[
        str | None,
        text_option("--agent", "-a", metavar="NAME", help="expenses, support, library, briefs, or one of yours"),
    ] = None
    autonomy: Annotated[
        str | None,
        text_option(
            "--autonomy",
            "-l",
            metavar="0-4",
            help="0 talks only, 1 may look, 2 asks before changes, 3 before what can't be undone, 4 never",
        ),
    ] = None
    tool_level: Annotated[
        list[str] | None,
        text_option("--tool-level", metavar="TOOL=N", help="a level of its own for a tool; repeatable"),
    ] = None
    model: Annotated[
        str | None,
        text_option("--model", "-m", metavar="NAME", help="auto, offline, replay:FILE, or a Claude model's name"),
    ] = None


class RunOptions(Struct, frozen=True):
    """What holds for the runs of this command."""

    require_approval: Annotated[
        bool, typer.Option("--require-approval", help="ask before every call, reads too")
    ] = False
    max_steps: Annotated[
        int | None,
        typer.Option("--max-steps", metavar="N", parser=whole_number, help="the most model replies in a run"),
    ] = None
    record: Annotated[str | None, path_option("--record", help="keep the model's replies in a file")] = None
    plain: Annotated[bool, typer.Option("--plain", help="redraw nothing; for screen readers")] = False


class ScriptOptions(Struct, frozen=True):
    """What a script wishes of questions and output."""

    on_ask: Annotated[
        OnAsk | None,
        typer.Option(
            "--on-ask",
            metavar="prompt|wait|decline",
            parser=when_asked,
            help="prompt at a terminal, else wait: the question stays open, exit code 3; decline says no to "
            "questions and forms, and leaves only an unknown outcome open",
        ),
    ] = None
    stream: Annotated[bool, typer.Option("--stream", help="with --json: text and inputs as they form")] = False
    as_json: AsJson = False


class SessionOptions(Struct, frozen=True):
    """Which session to go on with, instead of a new one."""

    session: Annotated[
        str | None, text_option("--session", metavar="ID", help="go on with this session; a prefix will do")
    ] = None
    go_on: Annotated[bool, typer.Option("--continue", "-c", help="go on with the newest session")] = False


def with_records(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Let a command take options as records: on the command line every field of one is an option."""
    signature = inspect.signature(command, eval_str=True)
    records: dict[str, type[Struct]] = {
        name: one.annotation for name, one in signature.parameters.items() if _is_record(one.annotation)
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        parameters += _options_of(records[name]) if name in records else [parameter]

    @wraps(command)
    def from_options(**given: Any) -> int | None:
        made = {
            name: record(**{field: given.pop(field) for field in record.__struct_fields__})
            for name, record in records.items()
        }
        return command(**made, **given)

    keywords = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    from_options.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]  # read by Typer
    return from_options


def _is_record(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Struct)


def _options_of(record: type[Struct]) -> list[inspect.Parameter]:
    hints = get_type_hints(record, include_extras=True)
    # Every field has a default: nothing that is shared by commands has to be said.
    return [
        inspect.Parameter(field, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[field])
        for field, default in zip(record.__struct_fields__, record.__struct_defaults__, strict=True)
    ]
