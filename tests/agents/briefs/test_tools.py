"""Drafts: looking at them, editing them, taking an edit back, and what is shown before one is submitted."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.tools.outcome import Category, ToolFailure
from agentcli.tools.risk import Risk
from agentcli.tools.tool import Acts
from tests.agents.bench import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench(shipped("briefs"), sample=True)


V_2 = {"brief_id": "V-2", "title": "The whole tour", "seconds": 600, "captions": True, "revision": 1}
NOT_FOUND = "There is no brief V-9. Use list_briefs to see the ids that there are."


def test_the_sample_is_five_briefs_one_of_them_too_long(bench: Bench) -> None:
    """V-1 to V-5, in this order."""
    briefs = bench.run("list_briefs")["briefs"]
    assert [brief["brief_id"] for brief in briefs] == ["V-1", "V-2", "V-3", "V-4", "V-5"]
    assert briefs[1] == V_2


def test_without_the_sample_there_is_none() -> None:
    """The table is there and holds nothing."""
    assert Bench(shipped("briefs")).run("list_briefs")["briefs"] == []


def test_what_each_tool_risks_and_where_it_acts() -> None:
    """Only to submit reaches outside, and it can't be undone."""
    tools = {tool.name: (tool.risk, tool.acts) for tool in shipped("briefs").toolset}
    assert tools == {
        "list_briefs": (Risk.READ, Acts.IN_STORE),
        "get_brief": (Risk.READ, Acts.IN_STORE),
        "edit_brief": (Risk.WRITE, Acts.IN_STORE),
        "submit_brief": (Risk.IRREVERSIBLE, Acts.ELSEWHERE),
    }


def test_one_brief_is_shown(bench: Bench) -> None:
    """With all that there is to it."""
    assert bench.run("get_brief", brief_id="V-2")["brief"] == V_2


@pytest.mark.parametrize(("tool", "members"), [("get_brief", {}), ("edit_brief", {"seconds": 90})])
def test_a_brief_that_there_is_not(bench: Bench, tool: str, members: dict[str, Any]) -> None:
    """Another id may help, and where to look is said."""
    before = bench.rows()
    result = bench.run(tool, brief_id="V-9", **members)
    assert (result["status"], result["errorCategory"], result["isRetryable"]) == (
        "brief_not_found",
        "validation",
        True,
    )
    assert (result["message"], result["brief"]) == (NOT_FOUND, None)
    assert bench.rows() == before


def test_an_edit_changes_what_was_named_and_raises_the_revision(bench: Bench) -> None:
    """The rest of the brief, and all others, stay as they are."""
    others = bench.run("list_briefs")["briefs"]
    edited = bench.run("edit_brief", brief_id="V-2", seconds=90, captions=False)["brief"]
    assert edited == {**V_2, "seconds": 90, "captions": False, "revision": 2}
    assert bench.run("list_briefs")["briefs"] == [others[0], edited, *others[2:]]


REFUSED = [
    pytest.param({}, "nothing to change", id="nothing"),
    pytest.param({"seconds": 0}, "'seconds' has to be a whole number >= 1", id="no-time"),
    pytest.param({"seconds": 86_401}, "'seconds' has to be a whole number <= 86400", id="more-than-a-day"),
    pytest.param({"seconds": 1.5}, "'seconds' has to be a whole number", id="half-a-second"),
    pytest.param({"seconds": True}, "'seconds' has to be a whole number", id="true-is-no-number"),
    pytest.param({"seconds": "90"}, "'seconds' has to be a whole number", id="a-number-as-text"),
    pytest.param({"captions": 1}, "'captions' has to be true or false", id="a-number-for-a-switch"),
    pytest.param({"title": " "}, "'title' is empty or blank", id="blank"),
    pytest.param({"title": "x" * 201}, "'title' has to be text", id="a-long-title"),
    pytest.param({"revision": 7}, "revision", id="not-the-model-s-to-say"),
]


@pytest.mark.parametrize(("members", "named"), REFUSED)
def test_an_edit_that_can_t_be_is_refused(bench: Bench, members: dict[str, Any], named: str) -> None:
    """Before anything runs, with what is wrong."""
    assert named in bench.problem("edit_brief", brief_id="V-2", **members)


@pytest.mark.parametrize(
    "members", [{"seconds": 1}, {"seconds": 86_400}, {"title": "x" * 200}, {"captions": False}]
)
def test_the_bounds_themselves_are_fine(bench: Bench, members: dict[str, Any]) -> None:
    """A second, a day, two hundred characters; one change is enough."""
    assert bench.run("edit_brief", brief_id="V-2", **members)["status"] == "ok"


def test_before_an_edit_a_person_sees_what_will_be_different(bench: Bench) -> None:
    """Before and after, the revision too."""
    assert bench.preview("edit_brief", brief_id="V-2", seconds=90) == [
        "will change: V-2 “The whole tour”, 600 s, captions on, revision 1",
        "seconds 600 → 90",
        "revision 1 → 2",
    ]


@pytest.mark.parametrize(
    ("api_url", "to"),
    [
        ("", "to: the API inside agentcli"),
        ("https://api.example.test/v1", "to: https://api.example.test/v1/briefs"),
    ],
)
def test_before_a_submission_a_person_sees_what_goes_where(api_url: str, to: str) -> None:
    """The brief as it will be sent, and the address."""
    bench = Bench(shipped("briefs"), sample=True, api_url=api_url)
    assert bench.preview("submit_brief", brief_id="V-2") == [
        "will send: V-2 “The whole tour”, 600 s, captions on, revision 1",
        to,
    ]


@pytest.mark.parametrize(("tool", "members"), [("submit_brief", {}), ("edit_brief", {"seconds": 90})])
def test_a_person_sees_that_nothing_will_happen(bench: Bench, tool: str, members: dict[str, Any]) -> None:
    """Where there is no such brief."""
    assert bench.preview(tool, brief_id="V-9", **members) == ["there is no brief V-9: nothing will happen"]


changes = st.fixed_dictionaries(
    {"brief_id": st.sampled_from(["V-1", "V-2", "V-3"])},
    optional={
        "title": st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12),
        "seconds": st.integers(1, 86_400),
        "captions": st.booleans(),
    },
).filter(lambda members: len(members) > 1)


@settings(max_examples=50)
@given(st.lists(changes, min_size=1, max_size=5))
def test_undone_in_reverse_every_edit_leaves_the_drafts_before_it(edits: list[dict[str, Any]]) -> None:
    """Undo again and again, and the drafts are what they were."""
    bench = Bench(shipped("briefs"), sample=True)
    history = []
    for members in edits:
        history.append((bench.rows(), members, bench.do("edit_brief", **members)))
    for before, members, done in reversed(history):
        assert bench.rows() != before
        bench.undo("edit_brief", done, **members)
        assert bench.rows() == before


MEANWHILE = [
    pytest.param("UPDATE briefs_drafts SET seconds = 30, revision = 3 WHERE id = 'V-2'", "seconds 90 → 30; revision 2 → 3", id="changed"),
    pytest.param("DELETE FROM briefs_drafts WHERE id = 'V-2'", "brief V-2 is gone", id="gone"),
]  # fmt: skip


@pytest.mark.parametrize(("meanwhile", "told"), MEANWHILE)
def test_an_edit_that_somebody_built_upon_is_not_taken_back(bench: Bench, meanwhile: str, told: str) -> None:
    """What they did would be lost, so the undo says what that was."""
    done = bench.do("edit_brief", brief_id="V-2", seconds=90)
    bench.tables.execute(meanwhile)
    before = bench.rows()
    with pytest.raises(ToolFailure) as refused:
        bench.undo("edit_brief", done, brief_id="V-2", seconds=90)
    assert (refused.value.status, refused.value.category) == ("changed_since", Category.BUSINESS)
    assert told in refused.value.message
    assert bench.rows() == before
