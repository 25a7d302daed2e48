"""What the library agent understands without a model: rules from words to proposals."""

from agentcli.agents.library.offline.model import reckless_reply, reply

__all__ = ["reckless_reply", "reply"]
