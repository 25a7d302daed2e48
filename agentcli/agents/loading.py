"""What an agent brings along and a session may never need: it is read or imported when it is first asked for."""

import importlib
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from agentcli.agents.agent import OfflineRules
from agentcli.tools.offline import Exchange, OfflineReply
from agentcli.tools.tool import Tables

if TYPE_CHECKING:
    from agentcli.agents.view import ReadView, View


def prompt_beside(file: str) -> Callable[[], str]:
    """Return what reads `prompt.md` in the folder of a module's `__file__`."""
    return lambda: Path(file).with_name("prompt.md").read_text(encoding="utf-8")


def rules_in(module: str, name: str) -> OfflineRules:
    """Return offline rules that import themselves, by the name that they have in their module."""

    def rules(exchange: Exchange) -> OfflineReply:
        reply: OfflineReply = getattr(importlib.import_module(module), name)(exchange)
        return reply

    return rules


def view_in(module: str) -> "ReadView":
    """Return what reads an agent's view, by the function `view` in a module."""

    def read_view(tables: Tables, today: date) -> "View":
        seen: View = importlib.import_module(module).view(tables, today)
        return seen

    return read_view
