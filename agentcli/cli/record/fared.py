"""What `audit stats` writes: how calls fared, what follows, and the lines that a person puts into the config."""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from agentcli.config import Config
from agentcli.config.errors import dotted
from agentcli.gate.autonomy import Level, effective_level
from agentcli.session.advice import LAST_TO_ASK, Advice
from agentcli.session.evidence import Evidence, Tally
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.tools.risk import Risk
from agentcli.visible import visible_line

COUNTED: Final = (
    *("proposed", "allowed", "asked", "denied", "approved", "declined", "edited", "failed", "undone", "unknown"),
)
WORDS: Final = {"unknown": "of unknown outcome"}
TABLE: Final = ("autonomy", "tools")
HEAD: Final = "[autonomy.tools]"
FORMS: Final = ("", "tools.", "autonomy.tools.")
"""How a level begins: below the head of its table, of the table above, and of none."""

PROBE: Final = '"?" = 0'


class Fared(msgspec.Struct, frozen=True):
    """What `audit stats --json` writes."""

    tools: Sequence[Tally]
    advice: Sequence[Advice]


def current_level(config: Config) -> Callable[[str], Level]:
    """Return what tells the level that a tool has by the config."""
    session, tools = Level(config.autonomy.level), config.autonomy.tools
    return lambda tool: effective_level(session, Level(tools[tool]) if tool in tools else None)


def advice_lines(evidence: Evidence, advice: Sequence[Advice]) -> Iterator[Line]:
    """Yield what is shown, tool by tool, safe to draw."""
    follows = {one.tool: one for one in advice}
    for tool in dict.fromkeys(tally.tool for tally in evidence.tallies):
        tallies = [tally for tally in evidence.tallies if tally.tool == tool]
        yield (Span(visible_line(tool), Style.STRONG), Span(f" · {tallies[-1].risk}", Style.FAINT))
        for tally in tallies:
            yield (Span(f"  level {tally.level}  {', '.join(_counts(tally))}"),)
        if tool in follows:
            yield _follows(follows[tool], tallies[-1].risk)


def config_lines(config: Config, advice: Sequence[Advice]) -> list[str]:
    """Return the lines that give tools the levels advised, as the file writes such levels already."""
    levels = [f"{dotted((one.tool,))} = {int(one.level)}" for one in advice if one.level is not None]
    line, form = _where(config)
    lines = [f"{form or ''}{level}" for level in levels]
    return [HEAD, *lines] if lines and line is None else lines


def where_they_go(config: Config) -> str:
    """Return where the lines belong."""
    line, form = _where(config)
    file = config.sources.file or "your config file (`agentcli config init` writes one)"
    if line is None:
        return f"these lines go to the end of {file}"
    if form is None:
        return f"these levels go between the braces of autonomy.tools, line {line} of {file}, with commas"
    below = f"below {HEAD}, line" if not form else "below line"
    return f"these lines go {below} {line} of {file}; a tool that is there already has one line"


def _where(config: Config) -> tuple[int | None, str | None]:
    """Return below which line levels of tools go (None: a new table), and how each begins (None: in braces)."""
    text = config.sources.text.splitlines()
    line = config.sources.line(TABLE)
    if line is None:
        is_open = _says([*text, HEAD, PROBE])
        return (None, "") if is_open else (config.sources.line(TABLE[:1]), None)
    forms = (form for form in FORMS if _says([*text[:line], form + PROBE, *text[line:]]))
    return line, next(forms, None)


def _says(lines: Sequence[str]) -> bool:
    """Tell whether lines are TOML in which a probe stands in the table of the tools' levels."""
    try:
        return "?" in tomllib.loads("\n".join(lines))[TABLE[0]][TABLE[1]]
    except (tomllib.TOMLDecodeError, KeyError):
        return False


def _counts(tally: Tally) -> Iterator[str]:
    counts = msgspec.structs.asdict(tally)
    for name in COUNTED:
        if counts[name]:
            yield f"{counts[name]} {WORDS.get(name, name)}"
    if tally.median_s is not None and tally.fastest_s is not None:
        yield f"answered after {tally.median_s:.1f} s (median), {tally.fastest_s:.1f} s at the fastest"
    if tally.quick:
        yield f"{tally.quick} in less than a second"


def _follows(advice: Advice, risk: Risk) -> Line:
    is_step_back = advice.level is LAST_TO_ASK.get(risk)
    style = Style.PLAIN if advice.level is None else Style.CARE if is_step_back else Style.GOOD
    return (Span(f"  → {advice.why}", style),)
