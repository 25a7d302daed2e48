"""What the expense agent understands without a model: rules from words to proposals."""

from agentcli.agents.expenses.offline.model import reply
from agentcli.agents.expenses.offline.reckless import reply as reckless_reply

__all__ = ["reckless_reply", "reply"]
