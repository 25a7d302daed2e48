"""On what terms a session runs: model, levels, limits and options, from the config or from a program."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from agentcli.agents.agent import Agent
from agentcli.config import Config
from agentcli.config.records import Limits
from agentcli.engine.hooks import Hooks
from agentcli.engine.listening import Price
from agentcli.engine.parts import NO_HOOKS
from agentcli.engine.settings import DEFAULT_LIMITS
from agentcli.gate.autonomy import Level
from agentcli.models import prices
from agentcli.session.allowance import RunLimits
from agentcli.wiring.agents import options_of, wants_sample
from agentcli.wiring.hooks import hooks_of
from agentcli.wiring.levels import Levels
from agentcli.wiring.models import BuildModel, build_here


class Terms(Struct, frozen=True, kw_only=True):
    """What holds for a session while this process has it.

    `said_level` and `said_tools` tell which levels the command line itself names: they hold as they are, where
    a session is gone on with; the others are never higher than the saved ones.
    """

    model: str
    levels: Levels
    price: Price
    said_level: bool = False
    said_tools: frozenset[str] = frozenset()
    require_approval: bool = False
    limits: RunLimits = DEFAULT_LIMITS
    max_tokens: int = 4096
    expires_after: timedelta | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    sample: bool = True
    mirror: str = ""
    hooks: Hooks = NO_HOOKS
    build: BuildModel = build_here

    def asking_for_everything(self) -> "Terms":
        """Return the terms with every call asked about, reads too."""
        return replace(self, require_approval=True)


def terms_of(config: Config, agent: Agent, model: str) -> Terms:
    """Return the terms that a config sets for one agent and the model that was chosen."""
    autonomy, minutes = config.autonomy, config.approval.expires_minutes
    # A level for another agent's tool is no business of this session.
    tools = {tool: Level(level) for tool, level in autonomy.tools.items() if tool in agent.toolset.by_name}
    return Terms(
        model=model,
        levels=Levels(Level(autonomy.level), tools),
        price=price_of(config),
        said_level=config.sources.of("autonomy.level") == "--autonomy",
        said_tools=frozenset(
            tool for tool in tools if config.sources.of(f"autonomy.tools.{tool}").startswith("--tool-level")
        ),
        require_approval=config.approval.require,
        limits=run_limits_of(config.limits),
        max_tokens=config.max_tokens,
        expires_after=timedelta(minutes=minutes) if minutes else None,
        options=options_of(config, agent),
        sample=wants_sample(config, agent),
        mirror=config.audit.file,
        hooks=hooks_of(config),
    )


def run_limits_of(limits: Limits) -> RunLimits:
    """Return the limits of the config as a journal holds them: the amount as text, all else as it is."""
    return RunLimits(**{**msgspec.structs.asdict(limits), "cost_usd": format(limits.cost_usd, "f")})


def price_of(config: Config) -> Price:
    """Return the function that says what a model's reply cost; a price in the config overrules a known one."""
    own = {
        model: prices.Price(price.input, price.output, price.cache_read, price.cache_write)
        for model, price in config.prices.items()
    }
    table = {**prices.KNOWN_PRICES, **own}
    return lambda model, usage: prices.cost_usd(model, usage, table)
