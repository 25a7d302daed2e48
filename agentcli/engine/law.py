"""Which step comes next and what may run, as one value: simulations try what mistakes in it lead to."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from msgspec import Struct

from agentcli.engine.permits import Permit, permit
from agentcli.session.call import Call
from agentcli.session.next_step import next_step
from agentcli.session.state import State
from agentcli.session.steps import Step


class Law(Struct, frozen=True):
    """The table of steps, and what makes a permit of stored entries."""

    next_step: Callable[[State, datetime], Step] = next_step
    permit: Callable[[Call], Permit] = permit


LAW: Final = Law()
