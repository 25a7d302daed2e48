"""Bounds on inputs that no level and no person at the prompt lifts."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from agentcli.gate.verdicts import Decision, RuleName, Verdict
from agentcli.tools.outcome import Category
from agentcli.tools.tool import Tool


def judge_limits(tool: Tool, values: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[Verdict]:
    """Say for each limit whether the input keeps it; a value that can't be compared does not."""
    for limit in tool.limits:
        value = values.get(limit.field)
        most = Decimal(options[limit.option]) if limit.most is None else limit.most
        if isinstance(value, Decimal | int) and not isinstance(value, bool) and value <= most:
            yield Verdict(RuleName.LIMIT, Decision.ALLOW, f"{limit.field} is at most {most}")
            continue
        is_told = f"{limit.field} is not given" if value is None else f"{limit.field} is {value}"
        hint = f" Use {' or '.join(limit.next)} instead." if limit.next else ""
        yield Verdict(
            RuleName.LIMIT,
            Decision.DENY,
            f"{is_told}; the limit is {most}.{hint}",
            Category.BUSINESS,
            next=limit.next,
        )
