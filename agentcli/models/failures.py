"""Why there is no usable reply: statuses and error types as failures, with words for a person."""

import math
import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from agentcli.session.ports import FailureKind, ReplyFailed

_LONGEST_MESSAGE: Final = 300
_LONGEST_BEGINNING: Final = 60
_ENDS: Final = (".", "!", "?", "…")
_ERROR_TYPE: Final = re.compile(r"[a-z][a-z_]{0,63}")

_U, _O, _R = FailureKind.UNAUTHORIZED, FailureKind.OVERLOADED, FailureKind.REJECTED

KIND_OF_STATUS: Final[Mapping[int, FailureKind]] = {
    401: _U, 403: _U,
    408: _O, 409: _O, 425: _O, 429: _O,
    502: FailureKind.UNREACHABLE, 504: FailureKind.UNREACHABLE,
}  # fmt: skip

KIND_OF_TYPE: Final[Mapping[str, FailureKind]] = {
    "authentication_error":  _U,
    "permission_error":      _U,
    "billing_error":         _R,
    "invalid_request_error": _R,
    "not_found_error":       _R,
    "request_too_large":     _R,
    "rate_limit_error":      _O,
    "overloaded_error":      _O,
    "api_error":             _O,
    "timeout_error":         _O,
    "conflict_error":        _O,
}  # fmt: skip


class NoReply(Exception):
    """There is no usable reply; `failure` says why."""

    def __init__(self, failure: ReplyFailed) -> None:
        super().__init__(failure.failure)
        self.failure = failure


class ServiceError(Struct, frozen=True, kw_only=True):
    """What the service itself says went wrong; `status` is that of the response, 200 inside a stream."""

    status: int
    type: str | None
    message: str = ""
    request_id: str | None = None
    retry_after_s: float | None = None


def refused(error: ServiceError, host: str, credential: str) -> ReplyFailed:
    """Return the failure for a response that is an error, or for an error inside a stream."""
    kind = kind_of(error.status, error.type)
    return ReplyFailed(
        kind,
        _in_words(kind, error, host, credential),
        status=error.status,
        request_id=error.request_id,
        retry_after_s=error.retry_after_s,
    )


def kind_of(status: int, error_type: str | None) -> FailureKind:
    """Return what an error's status means or, inside a stream that began well, its type."""
    if 200 <= status < 300:
        return KIND_OF_TYPE.get(error_type or "", FailureKind.CUT_OFF)
    return KIND_OF_STATUS.get(status, _O if status >= 500 else _R)


def unreachable(host: str) -> ReplyFailed:
    """Return the failure for a connection that did not come about."""
    return ReplyFailed(
        FailureKind.UNREACHABLE,
        f"{host} can't be reached. Check the network, a proxy and ANTHROPIC_BASE_URL; --model offline needs none.",
    )


def too_slow(host: str) -> ReplyFailed:
    """Return the failure for a service that did not answer in time."""
    return ReplyFailed(FailureKind.UNREACHABLE, f"{host} did not answer in time. Try again later.")


def unsendable(host: str) -> ReplyFailed:
    """Return the failure for a request that can't be put on the wire as the environment wants it."""
    return ReplyFailed(
        FailureKind.REJECTED,
        f"The request to {host} can't be sent. Check ANTHROPIC_BASE_URL, ANTHROPIC_CUSTOM_HEADERS, "
        "the proxy variables and SSL_CERT_FILE.",
    )


def cut_off(host: str, request_id: str | None) -> ReplyFailed:
    """Return the failure for a reply that broke off before its end."""
    return ReplyFailed(
        FailureKind.CUT_OFF, f"The reply from {host} broke off before its end.", request_id=request_id
    )


def malformed(host: str, why: str, request_id: str | None) -> ReplyFailed:
    """Return the failure for an answer that is no reply of the Messages API."""
    return ReplyFailed(
        FailureKind.MALFORMED,
        f"The answer from {host} is no reply of the Messages API: {why}. Is ANTHROPIC_BASE_URL right?",
        request_id=request_id,
    )


def another_service(host: str, content_type: str, beginning: str, request_id: str | None) -> ReplyFailed:
    """Return the failure for a good answer of another type: who gives it doesn't speak the Messages API.

    Args:
        beginning: How the body begins, of any length.
    """
    shown = _shortened(beginning, _LONGEST_BEGINNING)
    came = f", beginning “{shown}”" if shown else ""
    return ReplyFailed(
        FailureKind.REJECTED,
        f"{host} does not speak the Messages API: it answers with {content_type} and not with a stream of "
        f"events{came}. Set ANTHROPIC_BASE_URL to the right address.",
        request_id=request_id,
    )


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks to wait, from `retry-after-ms` or a number in `retry-after`."""
    for name, per_second in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / per_second
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def _in_words(kind: FailureKind, error: ServiceError, host: str, credential: str) -> str:
    known_type = error.type if error.type and _ERROR_TYPE.fullmatch(error.type) else None
    mark = f"({', '.join(filter(None, (str(error.status), known_type)))})"
    message = _shortened(error.message)
    # More sentences follow, and services end theirs as they like.
    said = f": {message}{'' if message.endswith(_ENDS) else '.'}" if message else "."
    match kind, error.status:
        case FailureKind.UNAUTHORIZED, 401:
            return f"{host} refuses {credential} {mark}. Set a valid one; --model offline needs none."
        case FailureKind.UNAUTHORIZED, _:
            return f"{host} does not permit this with {credential} {mark}{said}"
        case FailureKind.OVERLOADED, 429:
            return f"{host} takes no more requests for now {mark}. Try again later."
        case FailureKind.OVERLOADED | FailureKind.UNREACHABLE, _:
            return f"{host} is overloaded or down {mark}. Try again later."
        case FailureKind.CUT_OFF, _:
            return f"{host} broke the reply off {mark}{said}"
        case _, 413:
            return f"The conversation is larger than {host} takes {mark}. Start a new session."
        case _, status if 300 <= status < 400:
            return (
                f"{host} redirects elsewhere {mark}. Redirects are not followed, so that the conversation goes "
                "nowhere unasked: set ANTHROPIC_BASE_URL to the final address."
            )
        case _:
            return f"{host} rejects the request {mark}{said}"


def _shortened(message: str, most: int = _LONGEST_MESSAGE) -> str:
    message = " ".join(message.split())
    return message if len(message) <= most else message[:most] + " …"
