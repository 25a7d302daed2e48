"""Figures as ratios to a floor taken in the same run: machines differ and are noisy, ratios less so."""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One line of the table; `spread` is half the distance between the quartiles of the ratios, in percent.

    It is 0 for what is counted and not timed.
    """

    what: str
    value: str
    floor: str
    ratio: float
    at_most: float | None
    spread: float
    how: str

    @property
    def row(self) -> str:
        bound = "–" if self.at_most is None else f"{self.at_most:g} ×"
        met = "" if self.at_most is None or self.ratio <= self.at_most else " (missed)"
        spread = f"±{self.spread:.0f} %" if self.spread else "–"
        cells = (self.what, self.value, self.floor, f"{self.ratio:.2f} ×{met}", bound, spread, self.how)
        return f"| {' | '.join(cells)} |"


HEADER = "| what | ours | floor | ratio | at most | spread | how |\n|---|---|---|---|---|---|---|"


def compared(
    what: str,
    ours: Callable[[], float],
    floor: Callable[[], float],
    *,
    at_most: float | None,
    how: str,
    floor_is: str,
    rounds: int = 7,
    unit: str = "ms",
) -> Figure:
    """Take both in turn, so that a busy moment hits both, and return the median of the ratios."""
    pairs = []
    for _ in range(rounds):
        gc.collect()
        pairs.append((ours(), floor()))
    return figure_of(what, pairs, at_most=at_most, how=how, floor_is=floor_is, unit=unit)


def figure_of(
    what: str,
    pairs: Sequence[tuple[float, float]],
    *,
    at_most: float | None,
    how: str,
    floor_is: str,
    unit: str = "ms",
) -> Figure:
    """Return the figure of what was taken in turn, ours and the floor."""
    ratios = [one / other for one, other in pairs]
    scale = {"ms": 1e3, "MB": 1.0}[unit]
    value = statistics.median(one for one, _ in pairs) * scale
    base = statistics.median(other for _, other in pairs) * scale
    return Figure(
        what,
        f"{value:.3g} {unit}",
        f"{base:.3g} {unit} ({floor_is})",
        statistics.median(ratios),
        at_most,
        spread(ratios),
        f"{how}, median of {len(pairs)}",
    )


def spread(ratios: list[float]) -> float:
    """Return half the distance between the quartiles, in percent of the median."""
    if len(ratios) < 2:
        return 0.0
    lower, middle, upper = statistics.quantiles(ratios, n=4)
    return 50 * (upper - lower) / middle


def wall_s(work: Callable[[], object]) -> float:
    """Return the seconds that the work takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
