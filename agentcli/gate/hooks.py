"""What a hook's output means for a call: it can only tighten, and one that gates fails closed.

The JSON is that of Claude Code's hooks, so that existing scripts run unchanged; two things differ on purpose:
`allow` never loosens what a rule said, and a hook that crashes, is late or talks nonsense denies.
"""

from typing import Any, Final, assert_never

import msgspec
from msgspec import Struct

from agentcli.gate.verdicts import Decision, RuleName, Verdict
from agentcli.tools.json_text import JsonFault, compact, read_json
from agentcli.tools.json_value import encode_value
from agentcli.tools.outcome import Category

BLOCKED: Final = 2
"""The exit code with which a command blocks; its standard error is the reason."""

CHANGED_AFTER_ANSWER: Final = Verdict(
    RuleName.HOOK_REWRITE, Decision.ASK, "a hook changed the input after the answer"
)

MAX_REASON: Final = 10_000
"""Characters of a hook's reason that are kept."""

MAX_INPUT_BEFORE: Final = 160
"""Characters of an input up to which it is told beside what a hook made of it."""


class HookOutput(Struct, frozen=True):
    """What one hook answered about a call: a decision, and perhaps another input or output, as JSON text."""

    decision: Decision = Decision.ALLOW
    reason: str = ""
    input: str | None = None
    output: str | None = None


class HookFault(Exception):
    """A hook did not do what hooks do; what it gates is denied."""


def judge_hook(name: str, says: HookOutput) -> Verdict:
    """Return the verdict of a hook's output."""
    match says.decision:
        case Decision.DENY:
            reason = f"blocked by the hook {name}" + (f": {says.reason}" if says.reason else "")
            return Verdict(RuleName.HOOK, says.decision, reason, Category.PERMISSION)
        case Decision.ASK:
            reason = f"the hook {name} asks" + (f": {says.reason}" if says.reason else "")
            return Verdict(RuleName.HOOK, says.decision, reason)
        case Decision.ALLOW:
            return Verdict(RuleName.HOOK, says.decision, f"the hook {name} has no objection")
        case _:
            assert_never(says.decision)


def judge_rewrite(name: str, says: HookOutput, before: str) -> Verdict:
    """Return the verdict that stays with the input a hook made; what it asked with it stays asked.

    Args:
        before: The input as it was sent, which is told where it is short.
    """
    told = f" (it was {before})" if len(before) <= MAX_INPUT_BEFORE else ""
    changed = f"the hook {name} changed the input{told}"
    if says.decision is Decision.ALLOW:
        return Verdict(RuleName.HOOK_REWRITE, says.decision, changed)
    asks = f"{changed} and asks" + (f": {says.reason}" if says.reason else "")
    return Verdict(RuleName.HOOK_REWRITE, Decision.ASK, asks)


def wants_once_more(name: str) -> Verdict:
    """Return the verdict of a hook that wants another input in place of one that hooks made already."""
    reason = f"the hook {name} asks: it wants to change the input once more"
    return Verdict(RuleName.HOOK_REWRITE, Decision.ASK, reason)


def read_command(exit_code: int, stdout: str, stderr: str) -> HookOutput:
    """Return what a hook command said.

    Args:
        exit_code: Below 0 it is the number of the signal that ended the program.

    Raises:
        HookFault: Any exit code but 0 and 2, or output that begins with `{` and is not what it should be.
    """
    if exit_code == BLOCKED:
        return HookOutput(Decision.DENY, _short(stderr))
    if exit_code < 0:
        raise HookFault(f"signal {-exit_code} ended it")
    if exit_code != 0:
        raise HookFault(f"it ended with exit code {exit_code}")
    if not stdout.lstrip().startswith("{"):
        return HookOutput()
    try:
        spoken = read_json(stdout.strip())
    except JsonFault as fault:
        raise HookFault(f"its output is no JSON: {fault}") from fault
    return read_hook_json(spoken)


def read_returned(returned: Any) -> HookOutput:
    """Return what a hook function said, which returns as a dict what a command would print.

    Raises:
        HookFault: It returned something else.
    """
    try:
        text = encode_value(returned).decode()
    except (TypeError, ValueError, RecursionError) as error:
        raise HookFault("it returned something that is no JSON") from error
    if not text.startswith("{"):
        raise HookFault("it returned neither None nor a dict")
    return read_command(0, text, "")


def read_hook_json(spoken: Any) -> HookOutput:
    """Return what a hook's JSON says, printed by a command or returned by a Python function.

    Raises:
        HookFault: A value has the wrong type, or a decision is not one of the known words.
    """
    try:
        said = msgspec.convert(spoken, _Output)
    except msgspec.ValidationError as error:
        raise HookFault(f"its output does not fit: {error}") from error
    specific = said.hookSpecificOutput or _Specific()
    voices = [(Decision.ALLOW, "")]
    if said.go_on is False:
        voices.append((Decision.DENY, said.stopReason or said.reason or ""))
    if specific.permissionDecision is not None:
        voices.append((_WORDS[specific.permissionDecision], specific.permissionDecisionReason or ""))
    if said.decision is not None:
        voices.append((_WORDS[said.decision], said.reason or ""))
    decision, reason = max(voices, key=lambda voice: voice[0].strictness)
    return HookOutput(decision, _short(reason), _object(specific.updatedInput), _any(specific.updatedToolOutput))


_WORDS: Final = {
    "approve": Decision.ALLOW,
    "allow": Decision.ALLOW,
    "defer": Decision.ASK,
    "ask": Decision.ASK,
    "deny": Decision.DENY,
    "block": Decision.DENY,
}


# Unknown members are a fault: a verdict that stands one level off must not be taken for silence.
class _Specific(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hookEventName: str | None = None  # noqa: N815  # the names are Claude Code's
    additionalContext: Any = None  # noqa: N815
    permissionDecision: str | None = None  # noqa: N815
    permissionDecisionReason: str | None = None  # noqa: N815
    updatedInput: Any = msgspec.UNSET  # noqa: N815
    updatedToolOutput: Any = msgspec.UNSET  # noqa: N815

    def __post_init__(self) -> None:
        if self.permissionDecision is not None and self.permissionDecision not in _PERMISSIONS:
            raise ValueError(f"permissionDecision {self.permissionDecision!r} is not known")


class _Output(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hookSpecificOutput: _Specific | None = None  # noqa: N815  # the names are Claude Code's
    decision: str | None = None
    reason: str | None = None
    go_on: bool = msgspec.field(default=True, name="continue")
    stopReason: str | None = None  # noqa: N815  # as above
    systemMessage: Any = None  # noqa: N815
    suppressOutput: Any = None  # noqa: N815

    def __post_init__(self) -> None:
        if self.decision is not None and self.decision not in ("approve", "block"):
            raise ValueError(f"decision {self.decision!r} is not known")


_PERMISSIONS: Final = frozenset({"allow", "ask", "deny", "defer"})


def _short(reason: str) -> str:
    return reason.strip()[:MAX_REASON]


def _object(value: Any) -> str | None:
    if value is msgspec.UNSET:
        return None
    if not isinstance(value, dict):
        raise HookFault("updatedInput is not an object")
    return compact(value)


def _any(value: Any) -> str | None:
    return None if value is msgspec.UNSET else compact(value)
