"""One run: what it has used up, and which of its limits it has reached."""

from collections import deque
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from msgspec import Struct, field

from agentcli.session.allowance import RunLimits, Usage
from agentcli.tools.json_text import Json, JsonFault, Number, compact, read_json
from agentcli.tools.risk import Risk

NO_USAGE: Final = Usage()
MINUTE: Final = timedelta(minutes=1)


LIMIT_NAMES: Final[Mapping[str, str]] = {
    "steps":        "step limit",
    "tokens":       "token limit",
    "cost_usd":     "cost limit",
    "seconds":      "time limit",
    "asks":         "limit on questions",
    "irreversible": "limit on irreversible calls",
    "per_minute":   "limit on calls a minute",
}  # fmt: skip


class Run(Struct):
    """The tally of an open run. `cost_usd` is None once the price of a reply was unknown."""

    number: int
    limits: RunLimits
    started_at: datetime
    cause: str
    steps: int = 0
    usage: Usage = NO_USAGE
    cost_usd: Decimal | None = Decimal(0)
    asks: int = 0
    irreversible: int = 0
    pauses: int = 0
    malformed: int = 0
    ran_unasked: int = 0
    unasked_at: deque[datetime] = field(default_factory=deque)
    declined: set[tuple[str, str]] = field(default_factory=set)
    text: str = ""
    away: timedelta = timedelta(0)
    waiting_since: datetime | None = None

    def remember_decline(self, tool: str, input_text: str) -> None:
        """Keep what a person said no to, for as long as the run lasts."""
        self.declined.add(_sameness(tool, input_text))

    def was_declined(self, tool: str, input_text: str) -> bool:
        """Tell whether a person has said no to the same call, in whatever order and with 50.0 written for 50."""
        return bool(self.declined) and _sameness(tool, input_text) in self.declined

    def begin_waiting(self, at: datetime) -> None:
        """From here on a person is waited for, and the time is not counted."""
        if self.waiting_since is None:
            self.waiting_since = at

    def end_waiting(self, at: datetime) -> None:
        """The person has answered."""
        if self.waiting_since is not None:
            self.away += at - self.waiting_since
            self.waiting_since = None

    def skip(self, since: datetime, at: datetime) -> None:
        """Leave out a time in which no process held the session."""
        if self.waiting_since is None:
            self.away += at - since

    def seconds(self, now: datetime) -> float:
        """Return the seconds the run has worked; waiting for a person does not count."""
        end = self.waiting_since or now
        return max(0.0, (end - self.started_at - self.away).total_seconds())

    def count_call(self, risk: Risk, *, unasked: bool, at: datetime) -> None:
        """A call runs; `unasked` is whether no person was asked about it."""
        self.irreversible += risk is Risk.IRREVERSIBLE
        self.ran_unasked += unasked
        if unasked:
            self.unasked_at.append(at)
            while at - self.unasked_at[0] >= MINUTE:
                self.unasked_at.popleft()

    def unasked_in_last_minute(self, now: datetime) -> int:
        """Return how many calls ran unasked in the last sixty seconds."""
        return sum(1 for at in self.unasked_at if now - at < MINUTE)


def limit_text(limit: str) -> str:
    """Return what is said when a limit ends a run."""
    return f"Stopped: {LIMIT_NAMES[limit]} reached"


def limit_before_request(run: Run, now: datetime) -> str | None:
    """Return the limit that keeps the run from asking the model once more, if any."""
    return "steps" if run.steps >= run.limits.steps else _limit_on_usage(run, now)


def limit_before_question(run: Run) -> str | None:
    """Return the limit that keeps the run from asking a person about one more call, or once more, if any."""
    return "asks" if run.asks >= run.limits.asks else None


def limit_before_call(run: Run, now: datetime, *, risk: Risk | None) -> str | None:
    """Return the limit that keeps the run from deciding one more call, if any.

    The step limit is none of them: the calls of the last reply still run. A limit on a kind of call holds up
    only calls that could be of that kind.

    Args:
        risk: That of the tool; None for a tool that nobody registered, which is refused anyway.
    """
    usage = _limit_on_usage(run, now)
    if usage is not None or risk is None:
        return usage
    if risk is Risk.IRREVERSIBLE and run.irreversible >= run.limits.irreversible:
        return "irreversible"
    if 0 < run.limits.per_minute <= run.unasked_in_last_minute(now):
        return "per_minute"
    return None


def _limit_on_usage(run: Run, now: datetime) -> str | None:
    if run.usage.total >= run.limits.tokens:
        return "tokens"
    if run.cost_usd and run.cost_usd >= Decimal(run.limits.cost_usd):
        return "cost_usd"
    if run.seconds(now) >= run.limits.seconds:
        return "seconds"
    return None


def _sameness(tool: str, input_text: str) -> tuple[str, str]:
    try:
        return tool, compact(_plain(read_json(input_text)))
    except JsonFault:
        return tool, input_text


def _plain(value: Json) -> Json:
    """Return the value with its members in one order, and without noughts that say nothing: 50.0 is 50."""
    match value:
        case dict():
            return {name: _plain(value[name]) for name in sorted(value)}
        case list():
            return [_plain(item) for item in value]
        case Number() if "." in value and "e" not in value.lower():
            return Number(value.rstrip("0").rstrip("."))
        case _:
            return value
