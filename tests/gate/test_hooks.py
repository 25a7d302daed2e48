"""A hook speaks as Claude Code's hooks do; it can only tighten, and nonsense denies."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.hooks import (
    MAX_INPUT_BEFORE,
    MAX_REASON,
    HookFault,
    HookOutput,
    judge_hook,
    judge_rewrite,
    read_command,
    read_returned,
    wants_once_more,
)
from agentcli.gate.verdicts import Decision, RuleName, Verdict
from agentcli.tools.outcome import Category

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY


def permission(word: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word, **more}}


# fmt: off
SPOKEN: list[tuple[str, dict[str, Any], Decision, str]] = [
    # what is special         output                                                              decision  reason
    ("nothing",               {},                                                                 ALLOW,    ""),
    ("no-specific",           {"hookSpecificOutput": None},                                       ALLOW,    ""),
    ("allow",                 permission("allow"),                                                ALLOW,    ""),
    ("allow-why",             permission("allow", permissionDecisionReason="fine"),               ALLOW,    ""),
    ("ask",                   permission("ask", permissionDecisionReason="look"),                 ASK,      "look"),
    ("defer",                 permission("defer", permissionDecisionReason="later"),              ASK,      "later"),
    ("deny",                  permission("deny", permissionDecisionReason="no"),                  DENY,     "no"),
    ("deny-without-a-word",   permission("deny"),                                                 DENY,     ""),
    ("approve",               {"decision": "approve", "reason": "fine"},                          ALLOW,    ""),
    ("block",                 {"decision": "block", "reason": "no"},                              DENY,     "no"),
    ("block-without-a-word",  {"decision": "block"},                                              DENY,     ""),
    ("block-and-allow",       {"decision": "block", "reason": "no"} | permission("allow", permissionDecisionReason="fine"), DENY, "no"),
    ("approve-and-deny",      {"decision": "approve", "reason": "fine"} | permission("deny", permissionDecisionReason="no"), DENY, "no"),
    ("approve-and-ask",       {"decision": "approve"} | permission("ask"),                        ASK,      ""),
    ("stop",                  {"continue": False, "stopReason": "halt"},                          DENY,     "halt"),
    ("stop-with-a-reason",    {"continue": False, "reason": "halt"},                              DENY,     "halt"),
    ("stop-without-a-word",   {"continue": False},                                                DENY,     ""),
    ("stop-and-allow",        {"continue": False, "stopReason": "halt"} | permission("allow"),    DENY,     "halt"),
    ("go-on",                 {"continue": True},                                                 ALLOW,    ""),
    ("words-for-others",      {"systemMessage": "hello", "suppressOutput": True},                 ALLOW,    ""),
    ("more-context",          {"hookSpecificOutput": {"additionalContext": "it is late"}},        ALLOW,    ""),
]

NONSENSE = [
    # what is special           standard output
    ("cut-short",               '{"decision": "block"'),
    ("two-objects",             '{"decision": "approve"}{"decision": "block"}'),
    ("a-member-twice",          '{"decision": "block", "decision": "approve"}'),
    ("unknown-member",          '{"verdict": "deny"}'),
    ("one-level-off",           '{"permissionDecision": "deny"}'),
    ("one-level-off-below",     '{"hookSpecificOutput": {"decision": "block"}}'),
    ("unknown-word",            '{"decision": "deny"}'),
    ("unknown-permission",      '{"hookSpecificOutput": {"permissionDecision": "block"}}'),
    ("permission-in-capitals",  '{"hookSpecificOutput": {"permissionDecision": "Deny"}}'),
    ("permission-number",       '{"hookSpecificOutput": {"permissionDecision": 0}}'),
    ("permission-list",         '{"hookSpecificOutput": {"permissionDecision": ["deny"]}}'),
    ("decision-true",           '{"decision": true}'),
    ("reason-list",             '{"decision": "block", "reason": []}'),
    ("continue-text",           '{"continue": "false"}'),
    ("continue-number",         '{"continue": 0}'),
    ("continue-null",           '{"continue": null}'),
    ("specific-list",           '{"hookSpecificOutput": []}'),
    ("input-text",              '{"hookSpecificOutput": {"updatedInput": "{}"}}'),
    ("input-null",              '{"hookSpecificOutput": {"updatedInput": null}}'),
    ("input-list",              '{"hookSpecificOutput": {"updatedInput": []}}'),
    ("control-character",       '{"decision": "block", "reason": "\\u001b"}'),
]
# fmt: on


@pytest.mark.parametrize(
    ("output", "decision", "reason"), [row[1:] for row in SPOKEN], ids=[row[0] for row in SPOKEN]
)
def test_a_hook_is_understood(output: dict[str, Any], decision: Decision, reason: str) -> None:
    """A program and a function say the same in the same words, and the strictest of several words counts."""
    assert read_command(0, json.dumps(output), "") == HookOutput(decision, reason)
    assert read_returned(output) == HookOutput(decision, reason)


@pytest.mark.parametrize("stdout", [row[1] for row in NONSENSE], ids=[row[0] for row in NONSENSE])
def test_nonsense_is_a_fault(stdout: str) -> None:
    """What begins as JSON and is not what a hook says is never taken for silence."""
    with pytest.raises(HookFault, match=r"its output|updatedInput"):
        read_command(0, stdout, "")


@pytest.mark.parametrize(
    "stdout",
    [
        pytest.param("", id="empty"),
        pytest.param("\n", id="newline"),
        pytest.param("all is well", id="words"),
        pytest.param('"{"', id="a-text"),
        pytest.param("[1]", id="a-list"),
    ],
)
def test_output_that_does_not_begin_with_a_brace_says_nothing(stdout: str) -> None:
    """A hook may print what it likes, as long as it is no JSON object."""
    assert read_command(0, stdout, "loud warnings") == HookOutput()


def test_blanks_around_the_json_don_t_matter() -> None:
    """A hook may end its output with a newline, and begin it with one."""
    assert read_command(0, '\n  {"decision": "block"}\n', "").decision is DENY


@pytest.mark.parametrize(
    "stdout", ["", '{"decision": "approve"}', '{"nonsense'], ids=["silent", "approving", "broken"]
)
def test_exit_code_2_blocks_whatever_was_printed(stdout: str) -> None:
    """Standard error is the reason, and no JSON overrides it."""
    assert read_command(2, stdout, " too risky\n") == HookOutput(DENY, "too risky")


@pytest.mark.parametrize("exit_code", [1, 3, 126, 127, 255, -9, -15])
@pytest.mark.parametrize("stdout", ["", '{"decision": "approve"}'], ids=["silent", "approving"])
def test_any_other_exit_code_is_a_fault(exit_code: int, stdout: str) -> None:
    """A crash, a missing file and a signal are no leave, whatever was printed before."""
    with pytest.raises(HookFault, match=str(abs(exit_code))):
        read_command(exit_code, stdout, "")


def test_a_rewrite_is_kept_as_written() -> None:
    """The whole new input, in its order and with its numbers as they stand."""
    stdout = (
        '{"hookSpecificOutput": {"updatedInput": {"price": 1.50, "plate": "B-1"}, "updatedToolOutput": [ 1.0 ]}}'
    )
    says = read_command(0, stdout, "")
    assert (says.decision, says.input, says.output) == (ALLOW, '{"price":1.50,"plate":"B-1"}', "[1.0]")


def test_an_output_may_be_rewritten_to_null() -> None:
    """Null is an output; no output is none."""
    assert read_command(0, '{"hookSpecificOutput": {"updatedToolOutput": null}}', "").output == "null"
    assert read_command(0, '{"hookSpecificOutput": {}}', "").output is None


@pytest.mark.parametrize(
    "returned",
    [
        pytest.param(True, id="true"),
        pytest.param("allow", id="text"),
        pytest.param('{"decision": "block"}', id="json-text"),
        pytest.param([], id="list"),
        pytest.param(None, id="null"),
        pytest.param(object(), id="object"),
        pytest.param({"decision": object()}, id="object-inside"),
        pytest.param({"reason": "\ud800"}, id="half-a-surrogate"),
        pytest.param({"hookSpecificOutput": {"updatedInput": {"price": float("nan")}}}, id="no-number"),
        pytest.param({1j: 1}, id="complex-key"),
    ],
)
def test_a_function_returns_a_dict(returned: object) -> None:
    """What is no JSON object is a fault."""
    with pytest.raises(HookFault, match="returned"):
        read_returned(returned)


def test_a_function_that_returns_itself_within_itself_is_a_fault() -> None:
    """A dict without end is none."""
    endless: dict[str, Any] = {}
    endless["systemMessage"] = endless
    with pytest.raises(HookFault):
        read_returned(endless)


def test_a_function_may_use_python_s_values() -> None:
    """Decimals and numbers of Python become JSON."""
    says = read_returned({"hookSpecificOutput": {"updatedInput": {"price": Decimal("1.50"), "count": 2}}})
    assert says.input == '{"price":"1.50","count":2}'


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        pytest.param(HookOutput(), Verdict("hook", ALLOW, "the hook guard has no objection"), id="allow"),
        pytest.param(HookOutput(ASK), Verdict("hook", ASK, "the hook guard asks"), id="ask"),
        pytest.param(HookOutput(ASK, "late"), Verdict("hook", ASK, "the hook guard asks: late"), id="ask-why"),
        pytest.param(
            HookOutput(DENY), Verdict("hook", DENY, "blocked by the hook guard", Category.PERMISSION), id="deny"
        ),
        pytest.param(
            HookOutput(DENY, "no"),
            Verdict("hook", DENY, "blocked by the hook guard: no", Category.PERMISSION),
            id="deny-why",
        ),
    ],
)
def test_what_a_hook_says_is_a_verdict_like_any_other(says: HookOutput, verdict: Verdict) -> None:
    """The verdict names the hook, and its reason reaches whom it concerns."""
    assert judge_hook("guard", says) == verdict


@pytest.mark.parametrize(
    "says",
    [
        pytest.param(lambda reason: read_command(2, "", reason), id="stderr"),
        pytest.param(lambda reason: read_returned({"decision": "block", "reason": reason}), id="json"),
    ],
)
def test_a_reason_is_kept_to_a_length_that_can_be_shown(says: Callable[[str], HookOutput]) -> None:
    """Ten thousand characters, as Claude Code keeps them; blanks around it don't count."""
    assert says(f"  {'x' * MAX_REASON}\n").reason == "x" * MAX_REASON
    assert says("x" * MAX_REASON + "y").reason == "x" * MAX_REASON


@pytest.mark.parametrize(
    ("says", "decision", "reason"),
    [
        pytest.param(HookOutput(), ALLOW, "the hook guard changed the input (it was {})", id="allow"),
        pytest.param(HookOutput(ASK), ASK, "the hook guard changed the input (it was {}) and asks", id="ask"),
        pytest.param(
            HookOutput(ASK, "late"),
            ASK,
            "the hook guard changed the input (it was {}) and asks: late",
            id="ask-why",
        ),
    ],
)
def test_what_a_hook_asks_along_with_another_input_stays_asked(
    says: HookOutput, decision: Decision, reason: str
) -> None:
    """Its verdict belongs to the input that it made, whatever is said of that later."""
    assert judge_rewrite("guard", says, "{}") == Verdict(RuleName.HOOK_REWRITE, decision, reason)


@pytest.mark.parametrize(("length", "is_told"), [(MAX_INPUT_BEFORE, True), (MAX_INPUT_BEFORE + 1, False)])
def test_what_an_input_was_is_told_where_it_is_short(length: int, is_told: bool) -> None:
    """A reason is read in passing; the whole is in the record."""
    assert ("(it was " in judge_rewrite("guard", HookOutput(), "x" * length).reason) is is_told


def test_wanting_yet_another_input_is_asking() -> None:
    """A person settles what hooks can't agree on."""
    verdict = wants_once_more("guard")
    assert (verdict.rule, verdict.decision) == (RuleName.HOOK_REWRITE, ASK)


words = st.sampled_from(["allow", "ask", "deny", "defer", "approve", "block", "Deny", ""])
outputs = st.fixed_dictionaries(
    {},
    optional={
        "decision": words,
        "reason": st.text(max_size=5),
        "continue": st.booleans() | st.none() | st.integers(0, 1),
        "permissionDecision": words,
        "hookSpecificOutput": st.none()
        | st.fixed_dictionaries(
            {}, optional={"permissionDecision": words, "decision": words, "updatedInput": st.none()}
        ),
    },
)


@given(outputs)
def test_a_word_of_denial_is_never_taken_for_leave(output: dict[str, Any]) -> None:
    """Wherever a denial stands in the output, the call does not pass."""
    try:
        says = read_command(0, json.dumps(output), "")
    except HookFault:
        return
    denials = {"deny", "block", "Deny"}
    specific = output.get("hookSpecificOutput") or {}
    if denials & {output.get("decision"), output.get("permissionDecision"), *map(str, specific.values())}:
        assert says.decision is DENY
