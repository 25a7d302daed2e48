"""`agentcli demo`: play a scripted demo, check it, or record it."""

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from agentcli.cli.apps import App
from agentcli.cli.exits import Exit, WrongUsage
from agentcli.cli.options import AsJson, path_option, text_argument
from agentcli.cli.replacing import Writes, require_writable, write_file
from agentcli.cli.talk.conversing import EXITS
from agentcli.cli.writing import output
from agentcli.lab.playing import LeftEarly, Played, Stage, play
from agentcli.lab.recording import cast, drawn, record
from agentcli.lab.script import Script
from agentcli.lab.shelf import Demo, NoSuchDemo, find_demo, shipped_demos
from agentcli.lab.stage import StageLoop
from agentcli.lab.verdict import differences
from agentcli.terminal.drawing.fold import cell_width, fold
from agentcli.terminal.drawing.styled import has_colour, is_dumb
from agentcli.terminal.faces.linear import open_linear
from agentcli.terminal.faces.output import open_output
from agentcli.terminal.faces.plain import is_one_terminal
from agentcli.terminal.faces.printed import beneath, terminal_size
from agentcli.visible import visible_line

MOST_SPEED: Final = 100.0
LEAST_TITLE: Final = 24
"""Cells below which a title stands below its demo's name."""

GAP: Final = "  "

app = App()


def speed_of(text: str) -> float:
    """Return the speed that the text says.

    Raises:
        ValueError: It says none, or one that nobody could follow.
    """
    speed = float(text) if text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdigit() else 0.0
    if not 0.0 < speed <= MOST_SPEED:
        raise ValueError(f"{text!r} is not a number above 0 and up to {MOST_SPEED:.0f}")
    return speed


@app.command(
    epilog="""\b
Examples:
  agentcli demo
  agentcli demo asks-twice --speed 2
  agentcli demo --check
  agentcli demo my-demo.toml --check --cast my-demo.cast"""
)
def demo(  # noqa: PLR0913  # an option each
    script: Annotated[str | None, text_argument("SCRIPT", "a demo's name, or a TOML file")] = None,
    *,
    listed: Annotated[bool, typer.Option("--list", help="list the demos that ship")] = False,
    source: Annotated[bool, typer.Option("--print", help="show the script itself")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="play it without pauses, and fail unless it comes out as it says")
    ] = False,
    speed: Annotated[
        float | None, typer.Option("--speed", metavar="N", parser=speed_of, help="how many times as fast")
    ] = None,
    cast_file: Annotated[str | None, path_option("--cast", help="record it as an asciicast")] = None,
    svg: Annotated[str | None, path_option("--svg", help="draw what could be read as a picture")] = None,
    as_json: AsJson = False,
) -> int:
    """Play a scripted demo in the real terminal view, on data of its own.

    Without a script the demos that ship are listed, or all of them checked.
    """
    try:
        demos = shipped_demos() if script is None else [find_demo(script)]
    except NoSuchDemo as error:
        raise WrongUsage(str(error)) from error
    is_recorded = cast_file is not None or svg is not None
    is_listed = listed or (script is None and not (check or source or is_recorded))
    checking = "--check" if check else "a recording"
    _require_one_use({"--list": listed, "--print": source, checking: check or is_recorded})
    if script is None and (source or is_recorded):
        raise WrongUsage(f"{'--print shows' if source else '--cast and --svg record'} one demo: name it")
    is_played = not (is_listed or source or check or is_recorded)
    if speed is not None and not is_played:
        raise WrongUsage("--speed is for a demo that is played at a terminal")
    if as_json and is_played:
        raise WrongUsage("a demo is played for people; --json goes with --check, --list and --print")
    if source:
        return _print(demos[0], as_json=as_json)
    if is_listed:
        _list(demos, as_json=as_json)
        return Exit.DONE
    try:
        if check or is_recorded:
            return _check(demos, cast_file, svg, as_json=as_json)
        return _play(demos[0], speed or 1.0)
    except LeftEarly as left:
        return EXITS.get(left.parting, Exit.FAILED)


def _require_one_use(uses: Mapping[str, bool]) -> None:
    wanted = [option for option, is_wanted in uses.items() if is_wanted]
    if len(wanted) > 1:
        raise WrongUsage(f"{' and '.join(wanted)} ask for different things; leave one of them out")


def _print(demo: Demo, *, as_json: bool) -> Exit:
    try:
        source = demo.path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"{demo.path}: can't be read as UTF-8 text") from error
    if as_json:
        output.json_line({"name": demo.name, "source": source})
    else:
        output.answer(source.rstrip("\n"))
    return Exit.DONE


def _list(demos: Sequence[Demo], *, as_json: bool) -> None:
    scripts = [(demo.name, demo.read()) for demo in demos]
    if as_json:
        output.json_line(
            [
                {"name": name, "title": script.title, "agent": script.agent, "levels": script.levels}
                for name, script in scripts
            ]
        )
        return
    for line in listing(scripts, terminal_size().columns):
        output.write(f"{line.rstrip()}\n")


def listing(scripts: Sequence[tuple[str, Script]], width: int) -> Iterator[str]:
    """Yield a line for each demo, its title folded beside it or, where that leaves no room, below it."""
    heads = [
        (visible_line(name), script.agent, f"level {', '.join(map(str, script.levels))}")
        for name, script in scripts
    ]
    widths = [max(map(cell_width, column)) for column in zip(*heads, strict=True)]
    for head, (_, script) in zip(heads, scripts, strict=True):
        cells = zip(head, widths, strict=True)
        beside = "".join(cell + " " * (most - cell_width(cell) + len(GAP)) for cell, most in cells)
        title, room = visible_line(script.title), width - len(beside)
        if room >= LEAST_TITLE:
            first, *rest = fold(title, room)
            yield beside + first
            yield from (" " * len(beside) + line for line in rest)
        else:
            yield from fold(GAP.join(head), width, GAP)
            yield from fold(GAP + title, width, GAP)


def _check(demos: Sequence[Demo], cast_file: str | None, svg: str | None, *, as_json: bool) -> int:
    for path, what in ((cast_file, Writes.CAST), (svg, Writes.PICTURE)):
        if path is not None:
            require_writable(path, what)
    found: list[dict[str, object]] = []
    for demo in demos:
        recording = record(demo.read())
        if cast_file is not None:
            write_file(cast_file, Writes.CAST, cast(recording))
        if svg is not None:
            write_file(svg, Writes.PICTURE, drawn(recording))
        for played in recording.played:
            differs = differences(recording.script, played)
            found.append({"name": demo.name, "level": int(played.level), "differences": differs})
            if not as_json:
                _tell(demo, played, differs)
    if as_json:
        output.json_line(found)
    return Exit.FAILED if any(one["differences"] for one in found) else Exit.DONE


def _tell(demo: Demo, played: Played, differs: Sequence[str]) -> None:
    """Say how it came out; the differences are safe to draw."""
    came = "differs" if differs else "as it says"
    output.answer(f"{demo.name}, level {int(played.level)}: {came}")
    for line in differs:
        output.write(f"  {line}\n")


def _play(demo: Demo, speed: float) -> int:
    script = demo.read()
    if not is_one_terminal(sys.stdin, sys.stdout):
        raise WrongUsage("to play it takes a terminal; without one there are --check, --cast and --svg")
    stage = _here(StageLoop(speed))
    with _keys_unseen(), asyncio.Runner(loop_factory=lambda: stage.loop) as runner:
        everything = runner.run(play(script, stage))
    differs = [(played, differences(script, played)) for played in everything]
    for played, lines in differs:
        if lines:
            _tell(demo, played, lines)
    return Exit.FAILED if any(lines for _, lines in differs) else Exit.DONE


def _here(loop: StageLoop) -> Stage:
    """Return this terminal to play at; a dumb one is only written on."""
    stdout, colour = beneath(sys.stdout), has_colour(os.environ, is_terminal=True)
    if is_dumb(os.environ):
        return Stage(loop, open_linear(stdout, os.environ, notifies=False), colour=False)
    return Stage(loop, open_output(stdout, colour=colour), colour=colour)


@contextmanager
def _keys_unseen() -> Iterator[None]:
    """Keep what is typed off the screen while the script types; Ctrl-C still ends it."""
    import termios  # noqa: PLC0415  # POSIX only, as terminals of this kind are

    fd = beneath(sys.stdin).fileno()
    before = termios.tcgetattr(fd)
    quiet = termios.tcgetattr(fd)
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    try:
        termios.tcsetattr(fd, termios.TCSANOW, quiet)
        yield
    finally:
        # What was typed meanwhile was meant for nobody.
        termios.tcsetattr(fd, termios.TCSAFLUSH, before)
