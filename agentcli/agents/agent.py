"""What an agent is: its tools, its prompt, its tables, and what it understands without a model."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from agentcli.tools.offline import Exchange, OfflineReply, Settled
from agentcli.tools.tool import Migration, Place
from agentcli.tools.toolset import Toolset

if TYPE_CHECKING:
    from agentcli.agents.view import ReadView

OfflineRules = Callable[[Exchange], OfflineReply]


def understand_calls_only(exchange: Exchange) -> OfflineReply:
    """Answer for an agent without offline rules of its own: it takes calls, and tells their results."""
    settled = [event for event in exchange.events if isinstance(event, Settled)]
    if settled and isinstance(exchange.events[-1], Settled):
        return OfflineReply("\n".join(map(_outcome, settled)))
    if not exchange.offered:
        return OfflineReply("At this level I have no tools, so I can only talk.")
    names = sorted(exchange.offered)
    examples = [f"`call {names[number % len(names)]} {{…}}`" for number in range(3)]
    return OfflineReply(
        "Offline I am rules, not intelligence, and this agent has no sentences of its own. I understand calls: "
        f"{', '.join(dict.fromkeys(examples))}; several are joined by ` & `."
    )


def _outcome(settled: Settled) -> str:
    message = settled.result.get("message")
    return f"{settled.proposal.tool}: {settled.result.get('status')}" + (f" ({message})" if message else "")


def _no_prompt() -> str:
    return ""


def _nothing_wrong(options: Mapping[str, Any]) -> tuple[str, str] | None:
    return None


class Agent(Struct, frozen=True, kw_only=True):
    """One agent, one that ships or one of a person's own.

    Attributes:
        load_prompt: Returns the system prompt; called when a session needs it, not before.
        offline: What it says and proposes where no model is asked.
        reckless: The same by an agent that ignores its instructions, to see the gate at work.
        migrations: What makes its tables, in order; each runs once a store, under its number (from 1).
        put_sample: Writes its sample data down; runs once a store, after the migrations.
        options: Its options with their defaults.
        sandbox_options: Options that hold instead where the world outside is to be left alone.
        check_options: Returns the name of an option and what is wrong with it, or None.
        tables: Its tables and their primary keys.
        view: Reads what a person is shown of its book; None for an agent that keeps none here.
    """

    name: str
    toolset: Toolset
    load_prompt: Callable[[], str] = _no_prompt
    offline: OfflineRules = understand_calls_only
    reckless: OfflineRules = understand_calls_only
    migrations: tuple[Migration, ...] = ()
    put_sample: Callable[[Place], None] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    sandbox_options: Mapping[str, Any] = field(default_factory=dict)
    check_options: Callable[[Mapping[str, Any]], tuple[str, str] | None] = _nothing_wrong
    tables: Mapping[str, str] = field(default_factory=dict)
    view: "ReadView | None" = None

    def __post_init__(self) -> None:
        """Refuse what would fail only once a session needs it."""
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"name is {self.name!r} and has to be a text")
        if not isinstance(self.toolset, Toolset):
            raise TypeError(f"toolset is {self.toolset!r} and has to be a Toolset")
        if not callable(self.load_prompt):
            raise TypeError(f'load_prompt is {self.load_prompt!r} and has to be a function, such as lambda: "…"')
