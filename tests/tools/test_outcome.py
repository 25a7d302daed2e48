"""What comes back from a call is data of one form, written in one place."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from agentcli.tools.outcome import (
    STATUS_CATEGORIES,
    Category,
    Outcomes,
    ToolFailure,
    category_of,
    failure,
    input_as_json,
    refusal,
    success,
)
from agentcli.tools.proposal import Proposal

LOOK_UP = Outcomes(
    statuses={"ok": None, "order_not_found": Category.VALIDATION},
    fields=("order", "customer"),
    keeps_fields=frozenset(),
)


def written(result: Mapping[str, Any]) -> str:
    """A block as the model gets it."""
    return msgspec.json.encode(result).decode()


def test_a_refusal_has_the_form_that_is_promised() -> None:
    """The keys of a blocked call, their order, and its input as the model wrote it."""
    attempted = Proposal("process_refund", '{"customer_id": "C-2", "order_id": "O-2001", "amount": 50.00}')
    block = refusal(
        "blocked",
        Category.PERMISSION,
        "Identity of customer C-2 is not verified. Look the customer up first.",
        attempted,
        next=["get_customer"],
    )
    assert written(block) == (
        '{"status":"blocked","isError":true,"errorCategory":"permission","isRetryable":false,'
        '"message":"Identity of customer C-2 is not verified. Look the customer up first.",'
        '"attempted":{"tool":"process_refund","input":{"customer_id":"C-2","order_id":"O-2001","amount":50.00}},'
        '"next":["get_customer"]}'
    )


def test_a_refusal_may_be_worth_another_try() -> None:
    """What the model can put right is marked as retryable; without a suggestion, `next` is an empty list."""
    block = refusal("invalid", Category.VALIDATION, "…", Proposal("poke", "{}"), retryable=True)
    assert block["isRetryable"] is True
    assert block["next"] == []


def test_a_success_has_every_key_that_results_of_its_tool_have() -> None:
    """The status comes first, then all data fields, null where nothing was said, then what tells of errors."""
    result = success(LOOK_UP, {"order": {"id": "O-1"}})
    assert written(result) == (
        '{"status":"ok","order":{"id":"O-1"},"customer":null,'
        '"isError":false,"errorCategory":null,"isRetryable":false,"message":null}'
    )


def test_a_failure_has_the_same_keys_and_no_data() -> None:
    """Where the status is no success, the data fields are there and null."""
    result = failure("order_not_found", Category.VALIDATION, "No order O-9.", retryable=True, outcomes=LOOK_UP)
    assert written(result) == (
        '{"status":"order_not_found","order":null,"customer":null,'
        '"isError":true,"errorCategory":"validation","isRetryable":true,"message":"No order O-9."}'
    )
    assert list(result) == list(success(LOOK_UP, {}))


def test_a_failure_may_keep_what_its_tool_says_it_keeps() -> None:
    """A review keeps what was found; everything else is null."""
    outcomes = Outcomes(fields=("review", "brief"))
    result = failure(
        "review",
        Category.BUSINESS,
        "See the review.",
        retryable=False,
        outcomes=outcomes,
        kept={"review": {"a": 1}},
    )
    assert list(result) == ["status", "review", "brief", "isError", "errorCategory", "isRetryable", "message"]
    assert (result["review"], result["brief"]) == ({"a": 1}, None)


def test_a_success_can_not_pass_for_an_error_nor_hide_one() -> None:
    """What a tool says about errors inside its data does not count."""
    result = success(Outcomes(), {"isError": True, "errorCategory": "business", "isRetryable": True, "x": 1})
    assert (result["isError"], result["errorCategory"], result["isRetryable"]) == (False, None, False)


def test_a_success_may_have_another_status_and_a_message() -> None:
    """A declared success keeps its own name, and may say something."""
    result = success(Outcomes(), {"status": "accepted", "message": "It is on its way."})
    assert list(result.items())[:1] == [("status", "accepted")]
    assert result["message"] == "It is on its way."


@pytest.mark.parametrize(
    ("status", "category"),
    [
        *(pytest.param(status, category, id=status) for status, category in STATUS_CATEGORIES.items()),
        pytest.param("expense_not_found", Category.VALIDATION, id="expense_not_found"),
        pytest.param("file_not_found", Category.VALIDATION, id="file_not_found"),
        pytest.param("ok", None, id="ok"),
        pytest.param("accepted", None, id="accepted"),
        pytest.param("not_found_again", None, id="not-at-the-end"),
    ],
)
def test_a_known_status_has_one_category(status: str, category: Category | None) -> None:
    """Whatever tool ends so, the kind of failure is the same."""
    assert category_of(status) is category


def test_the_well_known_statuses_are_those_that_are_promised() -> None:
    """The table of statuses and categories, written out."""
    assert {status: str(category) for status, category in STATUS_CATEGORIES.items()} == {
        "malformed": "validation",
        "book_on_loan": "business",
        "not_on_loan": "business",
        "member_has_fines": "business",
        "exceeds_order": "business",
        "review": "business",
        "service_disruption": "transient",
    }


def test_a_tool_failure_keeps_its_facts() -> None:
    """A tool says by name what failed, of which kind, and whether trying again may help."""
    raised = ToolFailure("taken", "business", "The slot is taken.")
    assert (raised.status, raised.category, raised.message, raised.retryable) == (
        "taken",
        Category.BUSINESS,
        "The slot is taken.",
        False,
    )
    assert ToolFailure("down", "transient", "Later.", retryable=True).retryable is True


def test_a_tool_failure_of_an_unknown_kind_is_the_tool_s_bug() -> None:
    """There are four kinds of failure, and no others."""
    with pytest.raises(ValueError, match="fatal"):
        ToolFailure("taken", "fatal", "…")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param('{ "id" : 1.50 }', '{"id":1.50}', id="as-json"),
        pytest.param('{"id": 1, "id": 2}', json.dumps('{"id": 1, "id": 2}'), id="a-member-twice"),
        pytest.param("delete it", '"delete it"', id="no-json"),
    ],
)
def test_what_was_attempted_is_shown_as_it_came(text: str, shown: str) -> None:
    """An input stands in a block as the JSON that it is, or as text where it is none."""
    assert written({"input": input_as_json(text)}) == f'{{"input":{shown}}}'
