"""Statuses and error types as failures, with words for a person."""

from collections.abc import Mapping

import pytest

from agentcli.models.failures import (
    KIND_OF_STATUS,
    KIND_OF_TYPE,
    ServiceError,
    cut_off,
    kind_of,
    malformed,
    refused,
    retry_after_s,
    too_slow,
    unreachable,
    unsendable,
)
from agentcli.session.ports import FailureKind, ReplyFailed

HOST = "api.example.test"


def words(status: int, error_type: str | None = None, message: str = "") -> str:
    return refused(ServiceError(status=status, type=error_type, message=message), HOST, "ANTHROPIC_API_KEY").text


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (300, FailureKind.REJECTED),
        (400, FailureKind.REJECTED),
        (401, FailureKind.UNAUTHORIZED),
        (403, FailureKind.UNAUTHORIZED),
        (404, FailureKind.REJECTED),
        (408, FailureKind.OVERLOADED),
        (413, FailureKind.REJECTED),
        (429, FailureKind.OVERLOADED),
        (499, FailureKind.REJECTED),
        (500, FailureKind.OVERLOADED),
        (502, FailureKind.UNREACHABLE),
        (503, FailureKind.OVERLOADED),
        (504, FailureKind.UNREACHABLE),
        (529, FailureKind.OVERLOADED),
        (599, FailureKind.OVERLOADED),
    ],
)
def test_the_status_of_a_response_decides(status: int, kind: FailureKind) -> None:
    """What the body says changes nothing about what a status means."""
    assert kind_of(status, None) is kind_of(status, "overloaded_error") is kind


@pytest.mark.parametrize(("error_type", "kind"), [*KIND_OF_TYPE.items(), (None, FailureKind.CUT_OFF)])
def test_inside_a_stream_the_type_decides(error_type: str | None, kind: FailureKind) -> None:
    """A response that began with a good status has only its type to go by."""
    assert kind_of(200, error_type) is kind


@pytest.mark.parametrize(
    ("message", "end"),
    [("no such model", ": no such model."), ("Is it right?", ": Is it right?"), ("No.", ": No."), ("", ").")],
)
@pytest.mark.parametrize("status", [400, 403])
def test_what_the_service_says_ends_as_a_sentence(status: int, message: str, end: str) -> None:
    """Another one follows it."""
    assert words(status, message=message).endswith(end)


def test_no_failure_that_a_person_must_mend_is_tried_again() -> None:
    """A bad key or a bad request stays bad."""
    mended = [*KIND_OF_STATUS.items(), *KIND_OF_TYPE.items()]
    assert {kind for _, kind in mended if not kind.retryable} == {FailureKind.UNAUTHORIZED, FailureKind.REJECTED}
    assert not kind_of(400, None).retryable


@pytest.mark.parametrize(
    ("status", "what_to_do"),
    [
        (401, "Set a valid one"),
        (429, "Try again later"),
        (529, "Try again later"),
        (413, "Start a new session"),
        (307, "set ANTHROPIC_BASE_URL to the final address"),
    ],
)
def test_a_text_says_what_to_do(status: int, what_to_do: str) -> None:
    """A failure names the host and the status, and what a person can do."""
    text = words(status)
    assert HOST in text
    assert f"({status})" in text
    assert what_to_do in text


@pytest.mark.parametrize("status", [200, 400, 403])
def test_the_services_own_words_are_kept_where_they_help(status: int) -> None:
    """A rejected request says why, on one line and cut to a length that can be read."""
    text = words(
        status, "invalid_request_error" if status == 400 else None, "max_tokens:\n too  large " + "x" * 400
    )
    assert "max_tokens: too large xxx" in text
    assert "\n" not in text
    assert len(text) < 450
    assert words(status).endswith(").")


@pytest.mark.parametrize("error_type", ["Not A Type", "x" * 65, "\x1b[31mred", ""])
def test_a_type_that_is_none_is_not_shown(error_type: str) -> None:
    """Only a word that looks like a type of the service gets into the text."""
    assert words(500, error_type) == words(500)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, None),
    ],
)
def test_a_wait_is_a_number_of_seconds_or_nothing(headers: Mapping[str, str], seconds: float | None) -> None:
    """Milliseconds are the more exact wish; what is no sensible number is no wish."""
    assert retry_after_s(headers) == seconds


@pytest.mark.parametrize(
    "failure",
    [unreachable(HOST), too_slow(HOST), unsendable(HOST), cut_off(HOST, "req_1"), malformed(HOST, "why", "req_1")],
    ids=lambda failure: failure.failure,
)
def test_every_text_names_the_host(failure: ReplyFailed) -> None:
    """A person sees who it was about."""
    assert HOST in failure.text
