"""A comparison as lines: calls down, levels across, below it what changed and what it took. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from agentcli.gate.verdicts import Decision
from agentcli.lab.compare import Compared, ComparedCall, Comparison, OutcomeAtLevel
from agentcli.lab.effects import ChangedRow, Row
from agentcli.lab.sandbox import SIMULATED
from agentcli.terminal.drawing.fold import cell_width, fold
from agentcli.terminal.drawing.render import short_json
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.visible import visible_line

LEAST_LABEL: Final = 22
"""Cells below which calls and levels are put below each other instead of side by side."""

MOST_CELL: Final = 20
"""Cells after which what a level did is folded."""

GAP: Final = "  "
_ANSWERS: Final = {"approved": "yes", "declined": "no"}
_LABEL_JSON: Final = 120
_INDENT: Final = "   "
_PIECE: Final = re.compile("[^ ,]*[ ,]?")
_STYLES: Final = {Decision.ALLOW: Style.GOOD, Decision.ASK: Style.CARE, Decision.DENY: Style.BAD}


def drawn(compared: Compared, width: int) -> list[Line]:
    """Return the whole comparison, in lines of at most `width` cells."""
    comparison = compared.comparison
    compares = len(comparison.levels) > 1
    heading = (comparison.agent, comparison.model, *compared.policy, f"“{comparison.message}”")
    return [
        *_folded(" · ".join(map(visible_line, heading)), width, style=Style.STRONG),
        (),
        *_calls(comparison, width),
        *_changes(comparison, width),
        *_figures(compared, width),
        *([(), *_folded(_where_they_part(comparison), width)] if compares else []),
    ]


def cell(call: ComparedCall | None, own: ComparedCall | None) -> Span:
    """Return what one level did at one place.

    Args:
        own: The call that the row is about; one that is another says so itself.
    """
    if call is None:
        return Span("–", Style.FAINT)
    text = str(call.decision)
    if call.answer is not None:
        text += f"→{_ANSWERS.get(call.answer, call.answer)}"
    if call.answer == "approved" and call.status == "blocked":
        # Something it rested on was no longer so when it was to run.
        text += "→deny"
    if call.status == SIMULATED:
        text += " (would run)"
    if own is None or (call.tool, bytes(call.input)) != (own.tool, bytes(own.input)):
        text += f": {_label(call)}"
    return Span(text, _STYLES[call.decision])


def _calls(comparison: Comparison, width: int) -> Iterator[Line]:
    levels = comparison.levels
    rows = max((len(level.decisions) for level in levels), default=0)
    if rows == 0:
        yield from _folded("no calls at any level", width)
        return
    table = [[_at(level, row) for level in levels] for row in range(rows)]
    owns = [next(call for call in row if call is not None) for row in table]
    cells = [[cell(call, own) for call in row] for row, own in zip(table, owns, strict=True)]
    widths = [_column_width(column) for column in zip(*cells, strict=True)]
    longest = max(cell_width(f"{len(owns)}  {_label(own)}") for own in owns)
    label = min(width - sum(widths) - len(widths) * len(GAP), max(longest, LEAST_LABEL))
    for number, (own, row) in enumerate(zip(owns, cells, strict=True), start=1):
        if label < LEAST_LABEL:
            yield from _stacked(f"{number}  {_label(own)}", levels, row, width)
            continue
        if number == 1:
            yield _side_by_side([""], [[f"level {int(level.level)}"] for level in levels], label, widths)[0]
        yield from _row(f"{number}  {_label(own)}", row, label, widths)


def _column_width(cells: Sequence[Span]) -> int:
    return max(len("level 0"), *(min(cell_width(one.text), MOST_CELL) for one in cells))


def _row(label: str, cells: Sequence[Span], label_width: int, widths: Sequence[int]) -> Iterator[Line]:
    columns = [fold(one.text, width) for one, width in zip(cells, widths, strict=True)]
    lines = _side_by_side(_fold_call(label, label_width), columns, label_width, widths)
    for spans in lines:
        first, *rest = spans
        yield (first, *(Span(span.text, one.style) for span, one in zip(rest, cells, strict=False)))


def _side_by_side(
    label: list[str], columns: Sequence[list[str]], label_width: int, widths: Sequence[int]
) -> list[Line]:
    height = max(len(label), *map(len, columns))
    lines: list[Line] = []
    for row in range(height):
        parts = [_padded(label[row] if row < len(label) else "", label_width)]
        parts += [
            GAP + _padded(column[row] if row < len(column) else "", width)
            for column, width in zip(columns, widths, strict=True)
        ]
        while len(parts) > 1 and not parts[-1].strip():
            parts.pop()
        parts[-1] = parts[-1].rstrip()
        lines.append(tuple(map(Span, parts)))
    return lines


def _stacked(label: str, levels: Sequence[OutcomeAtLevel], cells: Sequence[Span], width: int) -> Iterator[Line]:
    for line in _fold_call(label, width):
        yield (Span(line.rstrip()),)
    for level, one in zip(levels, cells, strict=True):
        for line in fold(f"   level {int(level.level)}  {one.text}", width, "     "):
            yield (Span(line.rstrip(), one.style),)


def _changes(comparison: Comparison, width: int) -> Iterator[Line]:
    alike: dict[tuple[str, ...], list[int]] = {}
    for level in comparison.levels:
        alike.setdefault(tuple(_effect(effect) for effect in level.effects), []).append(int(level.level))
    yield ()
    for lines, numbers in alike.items():
        yield from _folded(f"changed at {_levels(numbers)}: {'' if lines else 'nothing'}".rstrip(), width, "  ")
        for line in lines:
            yield from _folded(f"  {line}", width, "    ")


def _effect(effect: ChangedRow) -> str:
    where = f"{effect.table} {effect.id}"
    if effect.before is None and effect.after is not None:
        return f"{where}: new {_shown(effect.after)}"
    if effect.after is None and effect.before is not None:
        return f"{where}: gone {_shown(effect.before)}"
    before, after = effect.before or {}, effect.after or {}
    differs = [name for name in after if before.get(name) != after[name]]
    return f"{where}: " + ", ".join(
        f"{name} {_value(before.get(name))} → {_value(after[name])}" for name in differs
    )


def _figures(compared: Compared, width: int) -> Iterator[Line]:
    yield ()
    for level in compared.comparison.levels:
        usage = level.usage
        tokens = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens
        cost = "cost unknown" if usage.cost_usd is None else f"{usage.cost_usd} USD"
        text = f"level {int(level.level)}  asked {level.asked} · steps {level.steps} · tokens {tokens:,} · {cost}"
        ending = visible_line(compared.endings[level.level].words)
        yield from _folded(f"{text} · {ending}", width, "         ")


def _where_they_part(comparison: Comparison) -> str:
    row = comparison.first_difference
    if row is None:
        return "all levels decide alike"
    return f"they part at call {row}"


def _at(level: OutcomeAtLevel, row: int) -> ComparedCall | None:
    return level.decisions[row] if row < len(level.decisions) else None


def _label(call: ComparedCall) -> str:
    return f"{visible_line(call.tool)} {short_json(bytes(call.input).decode(), _LABEL_JSON)}"


def _shown(row: Row) -> str:
    return ", ".join(f"{name} {_value(value)}" for name, value in row.items())


def _value(value: object) -> str:
    return visible_line(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _levels(numbers: Sequence[int]) -> str:
    spelled = ", ".join(map(str, numbers))
    return f"level {spelled}" if len(numbers) == 1 else f"levels {spelled}"


def _folded(text: str, width: int, indent: str = "", style: Style = Style.PLAIN) -> Iterator[Line]:
    for line in fold(text, width, indent):
        yield (Span(line.rstrip(), style),)


def _fold_call(text: str, width: int) -> list[str]:
    """Return a call in lines that are broken between the members of its input."""
    lines = [""]
    for piece in _PIECE.findall(text):
        if cell_width(lines[-1] + piece) > width and lines[-1].strip():
            lines.append(_INDENT)
        lines[-1] += piece
    return [part for line in lines for part in fold(line, width, _INDENT)]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_width(text))
