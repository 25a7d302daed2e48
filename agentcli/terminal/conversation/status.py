"""The status line: what stands in it, and what is left out where there is no room. Pure."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from msgspec import Struct

from agentcli.counted import counted
from agentcli.gate.autonomy import Level
from agentcli.session.run import Run
from agentcli.session.state import State
from agentcli.terminal.drawing.fold import cell_width
from agentcli.visible import visible_line

GAP: Final = " · "


class Part(Struct, frozen=True):
    """A part of the line; of two parts the one with the higher `rank` goes first where room is short."""

    text: str
    rank: int


class Spent(Struct, frozen=True):
    """What a run has used; `cost_usd` is None once a price was unknown."""

    step: int
    of: int
    seconds: float
    tokens: int
    cost_usd: Decimal | None


class Unasked(Struct, frozen=True):
    """How many calls of a run nobody was asked about, and how many of the last minute; `at_most` 0 is no limit."""

    in_run: int = 0
    in_last_minute: int = 0
    at_most: int = 0


def status_parts(
    state: State, agent: str, spent: Spent | None, *, unasked: Unasked, asks_for_outcome: bool = False
) -> list[Part]:
    """Return the parts in the order in which they stand; those that come and go stand at the end.

    Where room is short the tokens go first, whose cost is told beside them, then what never changes.

    Args:
        spent: What the open run has used, or the last one; None before the first.
        unasked: What that run did by itself; shown while a tool has level 4.
        asks_for_outcome: Whether a person is asked what became of a call, which is a question too.
    """
    parts = [
        Part(f"level {int(state.level)}", 0),
        Part(visible_line(agent), 7),
        Part(visible_line(state.model), 8),
        *(() if spent is None else _spent_parts(spent)),
    ]
    waiting = asks_for_outcome + sum(call.waits_for_answer or call.waits_for_form for call in state.batch)
    # The question stands above the line, and nothing else tells that words are waiting.
    counts = [(waiting, "question", 2), (len(state.unheard), "message", 1)]
    parts += [Part(counted(count, what), rank) for count, what, rank in counts if count]
    if Level.ALONE in (state.level, *state.tool_levels.values()):
        parts += _unasked_parts(unasked)
    return parts


def fitting(parts: Sequence[Part], width: int) -> list[str]:
    """Return those parts that fit into the width together; the most important one in any case."""
    kept = list(parts)
    while len(kept) > 1 and cell_width(GAP.join(part.text for part in kept)) > width:
        kept.remove(max(reversed(kept), key=lambda part: part.rank))
    return [part.text for part in kept]


def spent_by(state: State, run: Run, now: datetime) -> Spent:
    """Return what a run has used by now; the step that is being worked on, or was when it failed, counts."""
    is_asking_model = state.run is run and state.current_call is None
    return Spent(
        step=max(1, min(run.steps + is_asking_model, run.limits.steps)),
        of=run.limits.steps,
        seconds=run.seconds(now),
        tokens=run.usage.total,
        cost_usd=run.cost_usd,
    )


def unasked_by(run: Run, now: datetime) -> Unasked:
    """Return what a run has done by itself; as the limit on calls a minute counts it."""
    return Unasked(run.ran_unasked, run.unasked_in_last_minute(now), run.limits.per_minute)


def _unasked_parts(unasked: Unasked) -> Iterator[Part]:
    if unasked.in_run:
        yield Part(f"{unasked.in_run} ran unasked", 2)
    # Within the first minute both are the same.
    if unasked.in_last_minute and (unasked.at_most or unasked.in_last_minute != unasked.in_run):
        of = f" of {unasked.at_most}" if unasked.at_most else ""
        yield Part(f"{unasked.in_last_minute}{of} in the last minute", 2)


def _spent_parts(spent: Spent) -> list[Part]:
    cost = "cost unknown" if spent.cost_usd is None else f"{spent.cost_usd:.4f} USD"
    # None were counted, and yet something has to be paid: a reply broke off before it said how many they are.
    is_counted = spent.tokens or spent.cost_usd is not None
    return [
        Part(f"step {spent.step} of {spent.of}", 3),
        Part(_clock(spent.seconds), 4),
        *((Part(f"{_short(spent.tokens)} tokens", 9),) if is_counted else ()),
        Part(cost, 5),
    ]


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def _short(number: int) -> str:
    """Return a number of tokens in at most five characters."""
    if number < 1_000:
        return str(number)
    if number < 99_950:
        return f"{number / 1_000:.1f}k"
    return f"{number / 1_000:.0f}k" if number < 999_500 else f"{number / 1_000_000:.1f}M"
