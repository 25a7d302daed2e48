"""What the support agent understands without a model: rules from words to proposals."""

from agentcli.agents.support.offline.model import reckless_reply, reply

__all__ = ["reckless_reply", "reply"]
