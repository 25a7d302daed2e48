"""What a runner works with."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from agentcli.engine.executor import Executor
from agentcli.engine.gatekeeper import Gatekeeper
from agentcli.engine.hooks import Hooks
from agentcli.engine.journal import Journal
from agentcli.engine.law import LAW, Law
from agentcli.engine.listening import Price
from agentcli.engine.settings import Settings
from agentcli.session.ports import Clock, Model
from agentcli.tools.tool import Tool

NO_HOOKS: Final = Hooks()


class Parts(Struct, frozen=True, kw_only=True):
    """The journal of one session, who proposes, decides and runs its calls, and by which settings.

    `is_draining` says whether starting runs waits, in the whole store.
    """

    journal: Journal
    model: Model
    tools: Sequence[Tool]
    executor: Executor
    gatekeeper: Gatekeeper
    clock: Clock
    settings: Settings
    price: Price
    hooks: Hooks = NO_HOOKS
    law: Law = LAW
    is_draining: Callable[[], bool] = lambda: False

    @property
    def tools_by_name(self) -> Mapping[str, Tool]:
        """The tools under their names."""
        return {tool.name: tool for tool in self.tools}
