"""A call runs once, with the input that was decided and shown, or not at all."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from agentcli.engine.permits import NotPermitted, Permit, permit
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session.call import Call, digest_of
from agentcli.session.entries import Answered, Asked, Decided, Finished, Started, Suspended
from agentcli.tools.risk import Risk

INPUT = '{"id":1}'
ASKS = Verdict("level", Decision.ASK, "level 2 asks for irreversible calls")


def decided(decision: Decision, **changed: Any) -> Decided:
    plain = Decided(
        call_id="t1",
        tool="erase",
        input=INPUT,
        digest=digest_of("erase", INPUT),
        risk=Risk.IRREVERSIBLE,
        level=Level.PROPOSE,
        decision=decision,
        verdicts=(ASKS,),
        preview=("will erase #1",),
    )
    return msgspec.structs.replace(plain, **changed)


def answered(answer: Any, asked: int = 7) -> Answered:
    return Answered("t1", asked, answer, "ana", "terminal", 2.0)


def asked(**changed: Any) -> Asked:
    plain = Asked("t1", digest_of("erase", INPUT), ("will erase #1",), (ASKS,))
    return msgspec.structs.replace(plain, **changed)


FINISHED = Finished("t1", "tool", "ok", msgspec.Raw(b"{}"), is_error=False, digest="")

ALLOWED = Call("t1", "erase", INPUT, 1, 1, decided=decided(Decision.ALLOW), fresh=True)
APPROVED = replace(
    ALLOWED, decided=decided(Decision.ASK), asked=asked(), asked_seq=7, answered=answered("approved")
)


ALLOWED_AFTER_A_YES = replace(APPROVED, decided=decided(Decision.ALLOW))


@pytest.mark.parametrize(
    "call", [ALLOWED, APPROVED, ALLOWED_AFTER_A_YES], ids=["allowed", "approved", "allowed-after-a-yes"]
)
def test_what_code_allowed_or_a_person_approved_may_run(call: Call) -> None:
    """The permit names the call, its tool, and its input by digest."""
    assert permit(call) == Permit("t1", "erase", digest_of("erase", INPUT))


def test_what_may_be_repeated_may_run_again() -> None:
    """A read, or a call under the same idempotency key, that an earlier process had started."""
    read = replace(ALLOWED, decided=decided(Decision.ALLOW, risk=Risk.READ), started=Started("t1", ""))
    keyed = replace(ALLOWED, started=Started("t1", "", key="k"))
    assert permit(read) == permit(keyed) == permit(ALLOWED)


# fmt: off
REFUSED = [
    # what is special              call
    ("undecided",                  replace(ALLOWED, decided=None)),
    ("denied",                     replace(ALLOWED, decided=decided(Decision.DENY))),
    ("stale",                      replace(ALLOWED, fresh=False)),
    ("has-its-result",             replace(ALLOWED, output=b"{}")),
    ("finished-and-held",          replace(ALLOWED, finished=FINISHED)),
    ("started",                    replace(ALLOWED, started=Started("t1", ""))),
    ("waits-for-a-form",           replace(ALLOWED, suspended=Suspended("t1", "?", msgspec.Raw(b"{}")))),
    ("its form was declined",      replace(ALLOWED, suspended=Suspended("t1", "?", msgspec.Raw(b"{}")), suspended_seq=9, answered=answered("declined", 9))),
    ("left-behind",                replace(ALLOWED, started=Started("t1", "", key="k"), overdue=True)),
    ("allowed-after-a-no",         replace(APPROVED, decided=decided(Decision.ALLOW), answered=answered("declined"))),
    ("allowed-after-expiry",       replace(APPROVED, decided=decided(Decision.ALLOW), answered=answered("expired"))),
    ("asked-not-yet",              replace(APPROVED, asked=None, answered=None)),
    ("not-yet-answered",           replace(APPROVED, answered=None)),
    ("declined",                   replace(APPROVED, answered=answered("declined"))),
    ("cancelled",                  replace(APPROVED, answered=answered("cancelled"))),
    ("expired",                    replace(APPROVED, answered=answered("expired"))),
    ("edited",                     replace(APPROVED, answered=answered("edited"))),
    ("an-odd-answer",              replace(APPROVED, answered=answered("Approved"))),
    ("a-true-answer",              replace(APPROVED, answered=answered(True))),
    ("no-answer-in-the-answer",    replace(APPROVED, answered=answered(None))),
    ("answer-to-an-earlier-question", replace(APPROVED, answered=answered("approved", asked=5))),
    ("denied-after-a-yes",         replace(APPROVED, decided=decided(Decision.DENY))),
    ("stale-after-a-yes",          replace(APPROVED, fresh=False)),
    ("other-input-than-shown",     replace(APPROVED, asked=asked(digest="other"))),
    ("other-preview-than-shown",   replace(APPROVED, asked=asked(preview=("will erase #2",)))),
    ("other-reasons-than-shown",   replace(APPROVED, asked=asked(verdicts=()))),
]
# fmt: on


@pytest.mark.parametrize("call", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_nothing_else_may_run(call: Call) -> None:
    """Only what stands in the journal, as it was shown, is a permission; anything odd is none."""
    with pytest.raises(NotPermitted, match="t1"):
        permit(call)


def test_a_permit_is_used_once() -> None:
    """A second run needs a second permit."""
    given = permit(ALLOWED)
    given.spend(digest_of("erase", INPUT))
    with pytest.raises(NotPermitted, match="has been used"):
        given.spend(digest_of("erase", INPUT))


@pytest.mark.parametrize(
    "digest",
    [
        pytest.param(lambda: digest_of("erase", '{"id":2}'), id="another-input"),
        pytest.param(lambda: digest_of("erase", '{"id": 1}'), id="written-otherwise"),
        pytest.param(lambda: digest_of("note", INPUT), id="another-tool"),
        pytest.param(lambda: "", id="none"),
    ],
)
def test_a_permit_is_for_one_input_of_one_tool(digest: Callable[[], str]) -> None:
    """Swapped arguments are refused, and the permit is still whole for what it is for."""
    given = permit(ALLOWED)
    with pytest.raises(NotPermitted, match="another input"):
        given.spend(digest())
    given.spend(digest_of("erase", INPUT))


def test_tool_and_input_do_not_run_into_each_other() -> None:
    """No name and input can be cut differently to give the same digest."""
    assert digest_of("ab", "c") != digest_of("a", "bc")
