"""The keys of the config with their defaults, as frozen records."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from msgspec import Struct

from agentcli.config.kinds import (
    Address,
    Amount,
    AutonomyLevel,
    Command,
    Count,
    CountOrNone,
    Currency,
    FilePath,
    Function,
    Name,
    Names,
    NeededFilePath,
    Seconds,
    Switch,
    WholeMinutes,
    WholeSeconds,
    WithoutTerminal,
)
from agentcli.config.sources import Sources
from agentcli.gate.autonomy import Level
from agentcli.problems import Pair


class Autonomy(Struct, frozen=True):
    """How much runs without a person: in the session, and for each tool that has a level of its own."""

    level: AutonomyLevel = Level.PROPOSE
    tools: Mapping[str, AutonomyLevel] = {}


class Limits(Struct, frozen=True):
    """What one run may use up; of `per_minute` 0 says that there is no such limit."""

    steps: Count = 6
    tokens: Count = 200_000
    cost_usd: Amount = Decimal("1.00")
    seconds: WholeSeconds = 600
    asks: CountOrNone = 20
    irreversible: CountOrNone = 3
    per_minute: CountOrNone = 0


class Approval(Struct, frozen=True):
    """When a person is asked, how long a question waits (0 minutes: for ever), what needs no terminal."""

    require: Switch = False
    expires_minutes: WholeMinutes = 0
    without_terminal: WithoutTerminal = "write"


class StoreFile(Struct, frozen=True):
    """Where the store lies; empty in the file, filled in once the config is loaded."""

    path: FilePath = ""


class AuditMirror(Struct, frozen=True):
    """The file that each decision is copied to; empty: none."""

    file: FilePath = ""


class LogFile(Struct, frozen=True):
    """Where the log is written; empty in the file, filled in once the config is loaded."""

    file: FilePath = ""


class Terminal(Struct, frozen=True):
    """How a person is told that something waits, and whether the screen may be redrawn."""

    bell: Switch = True
    notify: Switch = False
    plain: Switch = False


class Price(Struct, frozen=True):
    """What a model costs, in USD per million tokens."""

    input: Amount
    output: Amount
    cache_read: Amount
    cache_write: Amount


class Hook(Struct, frozen=True):
    """A command or a Python function that sees the calls of some tools; no tools named: of all."""

    tools: Names = ()
    command: Command = ()
    python: Function = ""
    timeout: Seconds = 5

    def __post_init__(self) -> None:
        if bool(self.command) == bool(self.python):
            raise ValueError("a hook needs one of 'command' and 'python'")


class Hooks(Struct, frozen=True):
    """What is asked before a call runs, and what may rewrite a result before the model sees it."""

    pre_tool: tuple[Hook, ...] = ()
    post_tool: tuple[Hook, ...] = ()


class ExpensesOptions(Struct, frozen=True):
    """The options of the agent `expenses`; without an import folder nothing can be imported."""

    sample: Switch = True
    currency: Currency = "USD"
    import_folder: FilePath = ""


class SupportOptions(Struct, frozen=True):
    """The options of the agent `support`."""

    sample: Switch = True
    refund_limit: Amount = Decimal("500")


class LibraryOptions(Struct, frozen=True):
    """The options of the agent `library`."""

    sample: Switch = True


class BriefsOptions(Struct, frozen=True):
    """The options of the agent `briefs`; an empty address stands for the API that agentcli embeds."""

    sample: Switch = True
    api_url: Address = ""
    timeout_s: Seconds = 10
    proxy: Switch = False


class OwnAgent(Struct, frozen=True):
    """An agent of the user's own: the Python file of its tools and the text file of its prompt."""

    tools: NeededFilePath
    prompt: FilePath = ""


class Agents(Struct, frozen=True):
    """The options of the agents that ship, and the agents of the user's own by their names."""

    expenses: ExpensesOptions = ExpensesOptions()
    support: SupportOptions = SupportOptions()
    library: LibraryOptions = LibraryOptions()
    briefs: BriefsOptions = BriefsOptions()
    own: Mapping[str, OwnAgent] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Every agent that there is."""
        return (*SHIPPED, *self.own)


SHIPPED: Final = tuple(name for name in Agents.__struct_fields__ if name != "own")


class Config(Struct, frozen=True):
    """Everything a user can set, and where each value came from."""

    agent: Name = "expenses"
    model: Name = "auto"
    max_tokens: Count = 4096
    autonomy: Autonomy = Autonomy()
    limits: Limits = Limits()
    approval: Approval = Approval()
    store: StoreFile = StoreFile()
    audit: AuditMirror = AuditMirror()
    log: LogFile = LogFile()
    terminal: Terminal = Terminal()
    prices: Mapping[str, Price] = {}
    hooks: Hooks = Hooks()
    problems: tuple[Pair, ...] = ()
    agents: Agents = Agents()
    sources: Sources = Sources()
