"""What `audit stats` writes about calls, and for the config."""

import tomllib

import pytest

from agentcli.cli.record.fared import advice_lines, config_lines, current_level, where_they_go
from agentcli.config import Config
from agentcli.config.files import parse_file
from agentcli.config.reading import read_config
from agentcli.gate.autonomy import Level
from agentcli.session.advice import Advice
from agentcli.session.decisions import DecisionRecord
from agentcli.session.evidence import gather
from agentcli.terminal.drawing.styled import Style, plain
from agentcli.tools.risk import Risk
from tests.session.records import allowed, approved, decision, declined

PATH = "/home/ana/config.toml"


def config(text: str) -> Config:
    file = parse_file(PATH, text.encode())
    read = read_config(file.document, file.sources.error)
    return Config(autonomy=read.autonomy, sources=file.sources)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("", Level.PROPOSE),
        ("[autonomy]\nlevel = 1", Level.LOOK),
        ("[autonomy]\nlevel = 1\n[autonomy.tools]\nadd = 3", Level.BOUNDED),
        ("[autonomy]\nlevel = 0\n[autonomy.tools]\nadd = 3", Level.TALK),
        ("[autonomy.tools]\ndrop = 4", Level.PROPOSE),
    ],
)
def test_the_level_of_a_tool_is_its_own_or_the_sessions(text: str, level: Level) -> None:
    """As the gate sees it."""
    assert current_level(config(text))("add") is level


@pytest.mark.parametrize(
    ("records", "line"),
    [
        ([allowed()], "  level 3  1 proposed, 1 allowed"),
        ([decision(level=Level.LOOK)], "  level 1  1 proposed, 1 denied"),
        (
            [approved(seconds=0.4), approved(seconds=3.0), declined(seconds=2.0)],
            "  level 2  3 proposed, 3 asked, 2 approved, 1 declined, answered after 2.0 s (median), 0.4 s at the fastest, "
            "1 in less than a second",
        ),
        (
            [allowed(took_effect=False), allowed(ran=False, took_effect=False, is_in_doubt=True)],
            "  level 3  2 proposed, 2 allowed, 1 failed, 1 of unknown outcome",
        ),
        ([approved(answer="edited")], "  level 2  1 proposed, 1 asked, 1 edited"),
    ],
)
def test_what_is_none_is_not_counted_out(records: list[DecisionRecord], line: str) -> None:
    """Only what there is."""
    assert [plain(one) for one in advice_lines(gather(records), ())] == ["add · write", line]


def test_what_follows_stands_below_its_tool() -> None:
    """Tool by tool, level by level."""
    evidence = gather([approved("b"), allowed("b"), decision("a", Level.LOOK, Risk.READ)])
    advice = [Advice("b", Level.PROPOSE, "step back"), Advice("zzz", None, "nothing")]
    assert [plain(line) for line in advice_lines(evidence, advice)] == [
        "a · read",
        "  level 1  1 proposed, 1 allowed",
        "b · write",
        "  level 2  1 proposed, 1 asked, 1 approved, answered after 2.0 s (median), 2.0 s at the fastest",
        "  level 3  1 proposed, 1 allowed",
        "  → step back",
    ]


@pytest.mark.parametrize(
    ("risk", "level", "style"),
    [
        (Risk.WRITE, Level.BOUNDED, Style.GOOD),
        (Risk.WRITE, Level.PROPOSE, Style.CARE),
        (Risk.IRREVERSIBLE, Level.BOUNDED, Style.CARE),
        (Risk.WRITE, None, Style.PLAIN),
        (Risk.READ, None, Style.PLAIN),
    ],
    ids=["more room", "less", "less, at level 4", "as it is", "as it is, reads"],
)
def test_more_room_and_less_look_different(risk: Risk, level: Level | None, style: Style) -> None:
    """A step back is never drawn as a step on."""
    *_, line = advice_lines(gather([decision(risk=risk)]), [Advice("add", level, "so")])
    assert (plain(line), line[0].style) == ("  → so", style)


def test_a_tools_name_is_made_visible() -> None:
    """A model may call it anything."""
    lines = [plain(line) for line in advice_lines(gather([allowed("\x1b[2J")]), ())]
    assert lines[0] == "⟨U+001B⟩[2J · write"


RAISE, LOWER, WAIT = (
    Advice("add", Level.BOUNDED, ""),
    Advice("note_x", Level.PROPOSE, ""),
    Advice("drop", None, ""),
)


@pytest.mark.parametrize(
    ("text", "advice", "lines"),
    [
        ("", [], []),
        ("", [WAIT], []),
        ("[autonomy.tools]\nx = 1", [WAIT], []),
        ("", [RAISE, WAIT, LOWER], ["[autonomy.tools]", "add = 3", "note_x = 2"]),
        ("[autonomy]\nlevel = 1", [RAISE], ["[autonomy.tools]", "add = 3"]),
        ("[autonomy.tools]", [RAISE], ["add = 3"]),
        ("", [Advice("zählen", Level.BOUNDED, "")], ["[autonomy.tools]", '"zählen" = 3']),
    ],
)
def test_lines_for_the_config_are_toml(text: str, advice: list[Advice], lines: list[str]) -> None:
    """The table's head is there unless the file has it."""
    assert config_lines(config(text), advice) == lines
    assert tomllib.loads("\n".join(lines)) is not None


@pytest.mark.parametrize(
    ("text", "lines", "where"),
    [
        ("[limits]\nsteps = 6", ["[autonomy.tools]", "add = 3"], f"lines go to the end of {PATH}"),
        ("autonomy.level = 2", ["[autonomy.tools]", "add = 3"], f"lines go to the end of {PATH}"),
        ("\n[autonomy.tools]\nx = 1\n[limits]", ["add = 3"], f"lines go below [autonomy.tools], line 2 of {PATH}"),
        ("autonomy.tools.x = 1\n[limits]", ["autonomy.tools.add = 3"], f"lines go below line 1 of {PATH}"),
        ("[autonomy]\ntools.x = 1\nlevel = 3", ["tools.add = 3"], f"lines go below line 2 of {PATH}"),
        ("[autonomy]\ntools = {x = 1}", ["add = 3"], f"between the braces of autonomy.tools, line 2 of {PATH}"),
        ("\nautonomy = {level = 2}", ["add = 3"], f"between the braces of autonomy.tools, line 2 of {PATH}"),
    ],
    ids=["no such table", "the table above", "the table", "dotted", "dotted in a table", "inline", "inline above"],
)
def test_lines_are_as_the_file_writes_such_levels(text: str, lines: list[str], where: str) -> None:
    """Put where it is said they go, they give the tool its level."""
    assert config_lines(config(text), [RAISE]) == lines
    told = where_they_go(config(text))
    assert where in told
    if "braces" not in told:
        there = text.split("\n")
        line = config(text).sources.line(("autonomy", "tools"))
        place = len(there) if line is None else line
        whole = config("\n".join([*there[:place], *lines, *there[place:]]))
        assert whole.autonomy.tools["add"] is Level.BOUNDED


def test_where_the_lines_go_is_said() -> None:
    """Which file, and which line of it."""
    assert where_they_go(Config()).startswith("these lines go to the end of your config file")
    assert where_they_go(config("model = 'offline'")) == f"these lines go to the end of {PATH}"
    assert f"below [autonomy.tools], line 3 of {PATH}" in where_they_go(config("\n\n[autonomy.tools]\nx = 1\n"))
