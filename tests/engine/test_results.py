"""A call that did not run has a result too: what was attempted, why not, and whether to try again."""

import hashlib
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from agentcli.engine.results import digest_result, encode_result, settled, withheld
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session.call import Call
from agentcli.session.entries import Answered, Decided
from agentcli.session.steps import Cause
from agentcli.tools.outcome import Category
from agentcli.tools.risk import Risk

CALL = Call("t1", "erase", '{ "id": 1 }', 1, 1)
ATTEMPTED = {"tool": "erase", "input": {"id": 1}}


def denied(*verdicts: Verdict) -> Call:
    entry = Decided("t1", "erase", '{"id":1}', "", Risk.IRREVERSIBLE, Level.LOOK, Decision.DENY, verdicts=verdicts)
    return replace(CALL, decided=entry)


def answered(reason: str, channel: str = "terminal") -> Call:
    return replace(CALL, answered=Answered("t1", 7, "declined", "ana", channel, 2.0, reason))


# fmt: off
BLOCKS: list[tuple[Cause, Call, str, str, bool, str]] = [
    # cause        call                status             category      retryable  message begins
    ("declined",   answered(""),       "declined",        "permission", False,     "the user declined this action"),
    ("declined",   answered("keep it"), "declined",       "permission", False,     "the user declined this action: keep it"),
    ("declined",   answered("nobody", "on-ask"), "declined", "permission", False,  "the user declined this action in advance: nobody"),
    ("cancelled",  CALL,               "cancelled",       "permission", False,     "the user stopped the run"),
    ("expired",    CALL,               "expired",         "permission", False,     "nobody answered"),
    ("blocked",    CALL,               "blocked",         "business",   False,     "a limit ended the run"),
    ("happened",   CALL,               "unknown_outcome", "transient",  False,     "the call took effect"),
    ("not",        CALL,               "fault",           "transient",  True,      "the call did not take effect"),
]
# fmt: on


@pytest.mark.parametrize(
    ("cause", "call", "status", "category", "retryable", "begins"), BLOCKS, ids=[row[2] + row[5] for row in BLOCKS]
)
def test_every_cause_has_its_block(
    cause: Cause, call: Call, status: str, category: str, retryable: bool, begins: str
) -> None:
    """Status, category, and words that say what is wrong, in the one form that blocks have."""
    entry = settled(call, cause)
    result: dict[str, Any] = msgspec.json.decode(entry.result)
    assert (entry.call_id, entry.origin, entry.status, entry.is_error) == ("t1", "core", status, True)
    assert result.pop("message").startswith(begins)
    assert list(result.items()) == [
        ("status", status),
        ("isError", True),
        ("errorCategory", category),
        ("isRetryable", retryable),
        ("attempted", ATTEMPTED),
        ("next", []),
    ]


def test_there_is_a_block_for_every_cause() -> None:
    """Nothing that keeps a call from running leaves it without a result."""
    assert {row[0] for row in BLOCKS} | {"denied"} == set(get_args(Cause))


def test_a_denial_speaks_with_the_words_of_the_first_rule_that_denied() -> None:
    """Its category, message, suggestions and status are what the model gets."""
    call = denied(
        Verdict("level", Decision.ALLOW, "level 4 allows irreversible calls"),
        Verdict("prerequisite", Decision.DENY, "Look first.", Category.PERMISSION, next=("look",)),
        Verdict("limit", Decision.DENY, "Too much.", Category.BUSINESS),
    )
    assert bytes(settled(call, "denied").result).decode() == (
        '{"status":"blocked","isError":true,"errorCategory":"permission","isRetryable":false,'
        '"message":"Look first.","attempted":{"tool":"erase","input":{"id":1}},"next":["look"]}'
    )


def test_a_bad_input_may_be_sent_again() -> None:
    """The verdict of the schema has its own status and is retryable."""
    verdict = Verdict("schema", Decision.DENY, "bad", Category.VALIDATION, retryable=True, status="invalid")
    entry = settled(denied(verdict), "denied")
    assert entry.status == "invalid"
    assert msgspec.json.decode(entry.result)["isRetryable"] is True


def test_a_denial_without_a_category_is_one_of_permission() -> None:
    """A rule that does not say which kind it is counts as the plainest no."""
    entry = settled(denied(Verdict("odd", Decision.DENY, "no")), "denied")
    assert msgspec.json.decode(entry.result)["errorCategory"] == "permission"


def test_what_was_attempted_is_the_input_as_it_would_have_run() -> None:
    """Where a decision froze it with its defaults, that is shown; before, what the model sent."""
    call = denied(Verdict("level", Decision.DENY, "no"))
    assert call.decided is not None
    frozen = msgspec.structs.replace(call.decided, input='{"id":1,"day":"2026-11-30"}')
    result = msgspec.json.decode(settled(replace(call, decided=frozen), "cancelled").result)
    assert result["attempted"]["input"] == {"id": 1, "day": "2026-11-30"}


def test_an_input_that_is_no_json_is_attempted_as_text() -> None:
    """What the model sent is told back to it, whatever it was."""
    result = msgspec.json.decode(settled(replace(CALL, input='{"id": 1'), "cancelled").result)
    assert result["attempted"]["input"] == '{"id": 1'


def test_a_withheld_result_says_that_the_call_ran() -> None:
    """The model must not repeat it only because it does not see what came of it."""
    result = msgspec.json.decode(withheld(CALL))
    assert (result["status"], result["errorCategory"], result["isRetryable"]) == ("withheld", "permission", False)
    assert result["message"].startswith("the call ran")
    assert result["attempted"] == ATTEMPTED


def test_the_digest_is_that_of_the_bytes() -> None:
    """It is taken over exactly what is stored."""
    raw = encode_result({"a": 1})
    assert bytes(raw) == b'{"a":1}'
    assert digest_result(raw) == hashlib.sha256(b'{"a":1}').hexdigest()


def test_a_result_that_json_can_not_hold_is_refused() -> None:
    """The executor makes a fault of it."""
    with pytest.raises(TypeError):
        encode_result({"a": object()})
