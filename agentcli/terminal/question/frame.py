"""The question as a person sees it: framed, folded, paged; drawn from the call, never from the model's words."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from agentcli.counted import counted
from agentcli.terminal.drawing.fold import cell_width, fit, fold
from agentcli.terminal.drawing.render import MOST_JSON, short_json
from agentcli.terminal.drawing.spelling import THAT_IS, spelled_texts, spelled_value, with_spelling
from agentcli.terminal.drawing.styled import Line, Span, Style
from agentcli.terminal.question.card import GUTTER, SET_IN, Card, Feet, framed, lay_out_card
from agentcli.tools.json_text import Json, JsonFault, compact, read_json
from agentcli.tools.risk import Risk
from agentcli.visible import count_hidden, visible, visible_line

_NAME_WIDTH: Final = 8
_INDENT: Final = "    "
_LONG: Final = 200
_GAP: Final = " " * 6
_ANSWERS: Final = "? (y/n)"
_LEAST_PAGE: Final = 2  # lines: one of the question, and the foot

# The foot of a page, in full and ever shorter for narrow screens.
_MORE: Final = (
    "page {number} of {of} · v more of it · n no, why",
    "{number}/{of} · v more · n no",
    "{number}/{of} · v more",
)

_RISK_STYLES: Final = {Risk.READ: Style.GOOD, Risk.WRITE: Style.CARE, Risk.IRREVERSIBLE: Style.BAD}


class QuestionView(Struct, frozen=True, kw_only=True):
    """Everything about one open question that a person is shown.

    `sent` is the input as the model sent it, `input` as it will run, both JSON text. `position` counts from 1
    among the `of` calls of the reply. `earlier` is the preview of an earlier asking that no longer holds. With
    `is_undo` the call is a person's own, which takes back the one that is named. `may_raise` and `may_edit` offer
    `a` and `e`. `quick_yeses` is how many of the answers before came so quickly; it is not drawn.
    """

    call_id: str
    tool: str
    sent: str
    input: str
    risk: Risk
    position: int
    of: int
    code: str
    preview: tuple[str, ...] = ()
    is_undoable: bool = False
    reasons: tuple[str, ...] = ()
    may_raise: bool = False
    may_edit: bool = True
    earlier: tuple[str, ...] | None = None
    is_undo: bool = False
    quick_yeses: int = 0


def lay_out(view: QuestionView, *, width: int, height: int) -> Card:
    """Return the question folded to `width` cells and paged to `height` lines, answer line included."""
    answer = _answer_lines(view, width, most=max(1, height // 3), at_all=height - _LEAST_PAGE)
    feet = Feet(_keys(view), _MORE, tuple(_last(view)))
    return lay_out_card(_body(view, width), feet, answer, width=width, height=height)


def lay_out_whole(view: QuestionView, *, width: int) -> tuple[Line, ...]:
    """Return all that is shown of a question, for those who answer elsewhere: no keys, and nothing that asks."""
    return tuple(framed(_body(view, width), width))


def _keys(view: QuestionView) -> str:
    raised = " · a yes, and from now on" if view.may_raise else ""
    changed = " · e change it" if view.may_edit else ""
    return f"y yes{raised} · n no, why · v all of it{changed}"


def _last(view: QuestionView) -> Iterator[str]:
    """Yield the foot of the last page; every key that is taken is named on the narrowest screen too."""
    yield "page {number} of {of} · {keys}"
    raised, changed = ("a",) * view.may_raise, ("e",) * view.may_edit
    yield "{number}/{of} · " + " · ".join(("y yes", *raised, "n no, why", "v", *changed))
    yield "{number}/{of} · " + " ".join(("y", *raised, "n", "v", *changed))


def _answer_lines(view: QuestionView, width: int, *, most: int, at_all: int) -> tuple[Line, ...]:
    """Return the line that asks, its JSON shortened until it takes no more than `most` lines.

    The tool's name, which stands in the frame in full, is only cut where it would take more than `at_all` lines.
    """
    asks = f"{'Undo' if view.is_undo else 'Allow'} {visible_line(view.tool)}"
    for size in (MOST_JSON, 150, 100, 70, 50, 30, 20, 10):
        lines = fold(f"{asks} {short_json(view.sent, size)}{_ANSWERS}", width, SET_IN)
        if len(lines) <= most:
            break
    else:
        lines = fold(f"{asks}{_ANSWERS}", width, SET_IN)
        if len(lines) > at_all:
            lines = [fit(asks, max(width - len(_ANSWERS), 1)) + _ANSWERS]
    return tuple((Span(line, Style.STRONG),) for line in lines)


def _body(view: QuestionView, width: int) -> Iterator[tuple[str, Style]]:
    place = f"call {view.position} of {view.of}"
    yield f"{view.risk} · {visible_line(view.tool)} · {place} · code {view.code}", _RISK_STYLES[view.risk]
    members = _members(view.input)
    for text in _fields(members):
        yield text, Style.PLAIN
    yield from _effect(view, width, spelled_texts(members))
    if view.reasons:
        yield f"asked because: {'; '.join(map(visible_line, view.reasons))}", Style.PLAIN
        for line in with_spelling(view.reasons):
            yield line, Style.CARE
    texts = (name + _as_text(value) for name, value in members)
    hidden = sum(map(count_hidden, (*texts, *view.preview, *view.reasons, *(view.earlier or ()))))
    if hidden:
        are = "character is" if hidden == 1 else "characters are"
        yield f"{hidden} hidden {are} shown as ⟨marks⟩", Style.BAD


def _effect(view: QuestionView, width: int, above: Mapping[str, str]) -> Iterator[tuple[str, Style]]:
    gone = [line for line in view.earlier or () if line not in view.preview]
    for line in (*(f"no longer: {visible_line(line)}" for line in gone), *with_spelling(gone)):
        yield line, Style.CARE
    end = (
        "changes nothing"
        if view.risk is Risk.READ
        else "can be undone"
        if view.is_undoable
        else "cannot be undone"
    )
    shown = [visible_line(line) for line in view.preview]
    beside = f"{shown[0]}{_GAP}{end}" if shown else end
    fits = cell_width(GUTTER.text + beside) <= width
    for line in [beside, *shown[1:]] if fits else [*shown, end]:
        yield line, Style.PLAIN
    for line in with_spelling(view.preview, above):
        yield line, Style.CARE


def _members(text: str) -> list[tuple[str, Json]]:
    try:
        value = read_json(text)
    except JsonFault:
        value = text
    return list(value.items()) if isinstance(value, dict) else [("input", value)]


def _fields(members: list[tuple[str, Json]]) -> Iterator[str]:
    """Yield the lines that show every member of the input in full."""
    names = [visible_line(name) for name, _ in members]
    column = max([_NAME_WIDTH, *map(cell_width, names)])
    for name, (_, member) in zip(names, members, strict=True):
        lines = _value_lines(member)
        pad = " " * (column - cell_width(name))
        yield f"  {name}{pad} {next(lines)}"
        yield from (_INDENT + line for line in lines)
        other = spelled_value(member)
        if other is not None:
            yield f"{_INDENT}{THAT_IS}{other}"


def _value_lines(value: Json) -> Iterator[str]:
    """Yield a value so that no other looks the same: text bare unless it could be taken for something else."""
    if not isinstance(value, str) or not _is_bare(value):
        yield visible_line(compact(value))
        return
    breaks = value.count("\n")
    if breaks or len(value) > _LONG:
        yield f"⟨{counted(len(value), 'character')}, {counted(breaks + 1, 'line')}⟩"
    yield from visible(value).split("\n")


def _is_bare(text: str) -> bool:
    return type(text) is str and not text.startswith(('"', "[", "{")) and not _is_json(text)


def _is_json(text: str) -> bool:
    try:
        read_json(text)
    except JsonFault:
        return not text.strip()
    return True


def _as_text(value: Json) -> str:
    return value if isinstance(value, str) else compact(value)
