"""The results that code writes for calls that did not run, or whose outcome a person had to tell."""

import hashlib
from typing import Any, assert_never

import msgspec

from agentcli.gate.verdicts import Ruling
from agentcli.session.call import Call
from agentcli.session.entries import Answered, Finished
from agentcli.session.origin import ON_ASK
from agentcli.session.steps import Cause
from agentcli.tools.json_value import encode_value
from agentcli.tools.outcome import DECLINED, DECLINED_IN_ADVANCE, Category, refusal
from agentcli.tools.proposal import Proposal


def encode_result(result: Any) -> msgspec.Raw:
    """Return a result, or what undoing it needs, as JSON; raises as `encode_value` does."""
    return msgspec.Raw(encode_value(result))


def digest_result(result: msgspec.Raw) -> str:
    """Return the SHA-256 of a result's bytes."""
    return hashlib.sha256(bytes(result)).hexdigest()


def settled(call: Call, cause: Cause) -> Finished:
    """Return the result of a call that is settled without running it."""
    status, result = _block(call, cause)
    raw = encode_result(result)
    return Finished(call.call_id, "core", status, raw, is_error=True, digest=digest_result(raw))


def withheld(call: Call, reason: str = "") -> msgspec.Raw:
    """Return what the model gets of a result that a hook keeps from it: the call ran all the same."""
    said = f" ({reason})" if reason else ""
    message = f"the call ran, but its result is withheld by a hook{said}; don't repeat it, tell the user"
    return encode_result(_refused("withheld", message, _attempt(call))[1])


def _attempt(call: Call) -> Proposal:
    return Proposal(call.tool, call.as_sent)


def _block(call: Call, cause: Cause) -> tuple[str, dict[str, Any]]:
    attempted = _attempt(call)
    match cause:
        case "denied":
            assert call.decided is not None
            verdict = Ruling(call.decided.verdicts).denial
            assert verdict is not None
            category = verdict.category or Category.PERMISSION
            return verdict.status, refusal(
                verdict.status,
                category,
                verdict.reason,
                attempted,
                retryable=verdict.retryable,
                next=verdict.next,
            )
        case "declined":
            return _refused("declined", _declined(call.answered), attempted)
        case "cancelled":
            return _refused("cancelled", "the user stopped the run before this call", attempted)
        case "expired":
            return _refused("expired", "nobody answered the question about this call in time", attempted)
        case "blocked":
            message = "a limit ended the run before this call, and the user said something else since"
            return "blocked", refusal("blocked", Category.BUSINESS, message, attempted)
        case "happened":
            message = "the call took effect, as the user confirmed, but its result was lost; don't repeat it"
            return "unknown_outcome", refusal("unknown_outcome", Category.TRANSIENT, message, attempted)
        case "not":
            message = "the call did not take effect, as the user confirmed"
            return "fault", refusal("fault", Category.TRANSIENT, message, attempted, retryable=True)
        case _:
            assert_never(cause)


def _declined(answered: Answered | None) -> str:
    if answered is None:
        return DECLINED
    said = DECLINED_IN_ADVANCE if answered.channel == ON_ASK else DECLINED
    return f"{said}: {answered.reason}" if answered.reason else said


def _refused(status: str, message: str, attempted: Proposal) -> tuple[str, dict[str, Any]]:
    return status, refusal(status, Category.PERMISSION, message, attempted)
