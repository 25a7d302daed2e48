"""Whether a demo came out as its script says, as lines of a diff. Pure."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from agentcli.lab.directing import CallPlayed, TurnPlayed
from agentcli.lab.playing import Played
from agentcli.lab.script import Effect, Expected, Script, Turn
from agentcli.visible import visible_line

_LONGEST: Final = 300


def differences(script: Script, played: Played) -> list[str]:
    """Return what is otherwise than the script says; `-` is what it says, `+` what came. Safe to draw."""
    lines: list[str] = []
    for number, turn in enumerate(script.turn):
        came = played.turns[number] if number < len(played.turns) else TurnPlayed()
        found = list(_turn_differences(turn, came))
        lines += [f"turn {number + 1}: {visible_line(turn.say)}", *found] if found else []
    for number, effect in enumerate(script.effect):
        result = played.effects[number] if number < len(played.effects) else {}
        found = list(_effect_differences(effect, result))
        lines += [f"effect {number + 1}: {effect.tool}", *found] if found else []
    return [*lines, *(f"! {visible_line(problem)}" for problem in played.problems)]


def _turn_differences(turn: Turn, came: TurnPlayed) -> Iterator[str]:
    if turn.expect is not None:
        yield from _call_differences(turn.expect, came.calls)
    if turn.text not in came.text:
        yield f"- text with {_shown(turn.text)}"
        yield f"+ {_shown(came.text)}"
    for answer in came.unused:
        yield f"- {visible_line(answer.tool)} is asked about, and answered {_shown(answer.line)}"


def _call_differences(expected: Sequence[Expected], came: Sequence[CallPlayed]) -> Iterator[str]:
    for row in range(max(len(expected), len(came))):
        wanted = expected[row] if row < len(expected) else None
        found = came[row] if row < len(came) else None
        if wanted is not None and found is not None and _fits(wanted, found):
            continue
        if wanted is not None:
            yield f"- {_call(wanted.tool, wanted.decision, wanted.answer)}"
        if found is not None:
            yield f"+ {_call(found.tool, found.decision, found.answer)}"


def _fits(wanted: Expected, found: CallPlayed) -> bool:
    answered = wanted.answer in (None, found.answer)
    return (wanted.tool, wanted.decision) == (found.tool, found.decision) and answered


def _effect_differences(effect: Effect, result: dict[str, Any]) -> Iterator[str]:
    # As JSON, in which a date is text.
    for name, value in msgspec.json.decode(msgspec.json.encode(effect.result)).items():
        if result.get(name) != value:
            yield f"- {name} = {_shown(value)}"
            yield f"+ {name} = {_shown(result.get(name))}"


def _call(tool: str, decision: str, answer: str | None) -> str:
    return visible_line(f"{tool} {decision}" + (f" → {answer}" if answer else ""))


def _shown(value: object) -> str:
    text = visible_line(msgspec.json.encode(value).decode())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
