"""A case can be withdrawn, exactly, unless somebody has changed it since; a refund can't be taken back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.tools.outcome import Category, ToolFailure
from agentcli.visible import is_blank
from tests.agents.bench import Bench

texts = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12).filter(
    lambda text: not is_blank(text)
)
cents = st.integers(1, 10**12).map(lambda units: f"{units // 100}.{units % 100:02}")
cases = st.fixed_dictionaries(
    {"customer_id": texts, "reason": texts}, optional={"order_id": texts, "amount": cents}
)


@given(st.lists(cases, max_size=3), cases)
def test_to_escalate_and_undo_leaves_the_same_book(earlier: list[dict[str, Any]], members: dict[str, Any]) -> None:
    """A case that was opened is gone after the undo, and nothing else is."""
    bench = Bench(shipped("support"), sample=True)
    for case in earlier:
        bench.run("escalate_to_human", **case)
    before = bench.rows()
    done = bench.do("escalate_to_human", **members)
    assert bench.rows() != before
    bench.undo("escalate_to_human", done, **members)
    assert bench.rows() == before


def test_a_withdrawn_number_is_not_used_again() -> None:
    """Whoever has written down `case 1` never finds another one under it."""
    bench = Bench(shipped("support"))
    members = {"customer_id": "C-1", "reason": "wants a person"}
    bench.undo("escalate_to_human", bench.do("escalate_to_human", **members), **members)
    assert bench.run("escalate_to_human", **members)["case"]["case_id"] == 2


@pytest.mark.parametrize(
    "meanwhile",
    ["UPDATE support_cases SET reason = 'is angry by now'", "DELETE FROM support_cases"],
    ids=["changed", "gone"],
)
def test_a_case_changed_since_is_not_withdrawn(meanwhile: str) -> None:
    """What somebody did about it afterwards would be lost."""
    bench = Bench(shipped("support"))
    members = {"customer_id": "C-1", "reason": "wants a person"}
    done = bench.do("escalate_to_human", **members)
    bench.tables.execute(meanwhile)
    before = bench.rows()
    with pytest.raises(ToolFailure, match="case 1 was changed or withdrawn since") as refused:
        bench.undo("escalate_to_human", done, **members)
    assert (refused.value.status, refused.value.category) == ("changed_since", Category.BUSINESS)
    assert bench.rows() == before


def test_a_refund_has_no_undo() -> None:
    """Money that went back is gone: the tool counts as irreversible and declares no way back."""
    assert shipped("support").toolset["process_refund"].undo is None
