"""Failures that tools of the agents that ship end with: what the domain refuses, what can't be undone any more."""

from agentcli.tools.outcome import Category, ToolFailure, category_of


def refused(status: str, message: str) -> ToolFailure:
    """Return the failure with a well-known status; another input may help where the input is to blame.

    Raises:
        ValueError: The status is not well known, so its category is not either.
    """
    category = category_of(status)
    if category is None:
        raise ValueError(f"the category of {status!r} is not known")
    return ToolFailure(status, category, message, retryable=category is Category.VALIDATION)


def changed_since(message: str) -> ToolFailure:
    """Return the failure of an undo that would take back more than its own write."""
    return ToolFailure("changed_since", Category.BUSINESS, message)
