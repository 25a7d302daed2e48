"""What the briefs agent understands without a model, sentence by sentence, and what it says."""

from typing import Any

import msgspec
import pytest

from agentcli.agents.briefs.offline import GRAMMAR, VOCABULARY, reckless_reply, reply
from agentcli.agents.offline.telling import describe
from agentcli.agents.offline.wishes import Puzzle, Remark, Step, Stop
from agentcli.tools.offline import Exchange, OfflineReply, Settled
from agentcli.tools.outcome import Category, failure
from agentcli.tools.proposal import Proposal
from tests.agents.bench import TODAY

TOOLS = frozenset({"list_briefs", "get_brief", "edit_brief", "submit_brief"})

LIST: tuple[str, dict[str, Any]] = ("list_briefs", {})


def get(brief_id: str) -> tuple[str, dict[str, Any]]:
    return "get_brief", {"brief_id": brief_id}


def edit(brief_id: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    return "edit_brief", {"brief_id": brief_id, **changes}


def submit(brief_id: str) -> tuple[str, dict[str, Any]]:
    return "submit_brief", {"brief_id": brief_id}


def understood(words: str) -> list[Any]:
    """The calls that words ask for, and what else they wish for."""
    return [
        (todo.proposal.tool, msgspec.json.decode(todo.proposal.input)) if isinstance(todo, Step) else type(todo)
        for todo in GRAMMAR.understand(words, TODAY)
    ]


SENTENCES = [
    # looking
    ("list", [LIST]),
    ("show me all the briefs", [LIST]),
    ("which briefs are there?", [LIST]),
    ("briefs", [LIST]),
    ("show V-2", [get("V-2")]),
    ("what is in v-1 and V-3", [get("V-1"), get("V-3")]),
    ("V-2", [get("V-2")]),
    ("brief 2", [get("V-2")]),
    # submitting
    ("submit V-2", [submit("V-2")]),
    ("please submit brief 4", [submit("V-4")]),
    ("send V-1 and V-2 to the API", [submit("V-1"), submit("V-2")]),
    ("submit V-1, then V-2", [submit("V-1"), get("V-2")]),
    ("submit", [Remark]),
    ("submit it", [Remark]),
    # editing
    ("fix V-2 to 90 seconds", [edit("V-2", seconds=90)]),
    ("fix brief 2 to 90 seconds", [edit("V-2", seconds=90)]),
    ("V-2 to 90 s", [edit("V-2", seconds=90)]),
    ("make V-2 two minutes long", [Remark]),
    ("make V-2 2 minutes long", [edit("V-2", seconds=120)]),
    ("shorten V-2 to a minute", [edit("V-2", seconds=60)]),
    ("cut V-2 to 1 minute 30 seconds", [edit("V-2", seconds=90)]),
    ("turn the captions of V-4 on", [edit("V-4", captions=True)]),
    ("turn off captions for V-1", [edit("V-1", captions=False)]),
    ("set V-1 to 45 seconds without captions", [edit("V-1", seconds=45, captions=False)]),
    ("fix V-2", [Remark]),
    ("fix it to 90 seconds", [Remark]),
    ("fix V-1 and V-2 to 90 seconds", [Remark]),
    ("fix V-2 to 90.5 seconds", [Remark]),
    # titles are taken as they stand
    ("rename V-1 to Fish, chips and submit V-2", [edit("V-1", title="Fish, chips and submit V-2")]),
    ("set the title of V-1 to “Welcome”", [edit("V-1", title="Welcome")]),
    ("rename V-1 to Welcome then submit V-1", [edit("V-1", title="Welcome"), submit("V-1")]),
    ("rename V-1", [Remark]),
    ("rename V-1 to “”", [Remark]),
    ("rename it to Welcome", [Remark]),
    # several at once, in their order
    ("fix V-2 to 90 seconds, then submit V-2", [edit("V-2", seconds=90), submit("V-2")]),
    ("fix V-2 to 90 seconds and submit V-2", [edit("V-2", seconds=90), submit("V-2")]),
    ("list and submit V-1", [LIST, submit("V-1")]),
    # nothing
    ("hello", [Remark]),
    ("help", [Remark]),
    ("stop", [Stop]),
    ("don't submit V-2", [Stop]),
    ("sing a song", [Puzzle]),
]


@pytest.mark.parametrize(("words", "expected"), SENTENCES, ids=[words for words, _ in SENTENCES])
def test_a_sentence_asks_for_these_calls(words: str, expected: list[Any]) -> None:
    """What is clear becomes calls; what is not becomes a question, never a guess."""
    assert understood(words) == expected


def settled(call: tuple[str, dict[str, Any]], result: dict[str, Any]) -> Settled:
    tool, members = call
    return Settled(Proposal(tool, msgspec.json.encode(members).decode()), result)


def answer(words: str, *results: Settled, offered: frozenset[str] = TOOLS) -> OfflineReply:
    return reply(Exchange(events=(words, *results), offered=offered, today=TODAY.isoformat()))


V_2 = {"brief_id": "V-2", "title": "The whole tour", "seconds": 600, "captions": False, "revision": 1}
REVIEW = {"decision": "REVIEW_INPUT", "reason": "KNOWN_INVALID_BRIEF", "http_status": 422}

TOLD = [
    pytest.param(LIST, {"status": "ok", "briefs": [V_2]}, "The briefs:\n- V-2 “The whole tour”: 600 s, no captions, revision 1", id="list"),
    pytest.param(LIST, {"status": "ok", "briefs": []}, "There are no briefs.", id="an-empty-list"),
    pytest.param(get("V-2"), {"status": "ok", "brief": {**V_2, "captions": True}}, "V-2 “The whole tour”: 600 s, captions, revision 1.", id="show"),
    pytest.param(edit("V-2"), {"status": "ok", "brief": V_2}, "Changed: V-2 “The whole tour”: 600 s, no captions, revision 1.", id="edit"),
    pytest.param(submit("V-2"), {"status": "accepted", "brief": V_2}, "The API accepted V-2 in revision 1.", id="accepted"),
    pytest.param(submit("V-2"), {"status": "ok", "brief": None}, "The API accepted – in revision –.", id="a-result-without-its-fields"),
    pytest.param(submit("V-2"), {"status": "delivered"}, "Something came back from submit_brief that I can't read, so I can't tell you more.", id="an-unknown-status"),
    pytest.param(submit("V-2"), {"status": "review", "isError": True, "review": REVIEW, "message": "All of it. And a hint."}, "All of it. And a hint.", id="review"),
    pytest.param(submit("V-2"), failure("service_disruption", Category.TRANSIENT, "No answer came.", retryable=False), "No answer came.", id="disruption"),
    pytest.param(submit("V-9"), failure("brief_not_found", Category.VALIDATION, "There is no brief V-9. Use list_briefs.", retryable=True), "I could not submit V-9: There is no brief V-9. “list” shows the ids that there are.", id="not-found"),
    pytest.param(submit("V-2"), {"status": "declined", "isError": True}, "You said no, so I did not submit V-2. If it should be changed first, just say how.", id="declined"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "result", "told"), TOLD)
def test_what_came_of_a_call_is_told(call: tuple[str, dict[str, Any]], result: dict[str, Any], told: str) -> None:
    """In a sentence that a person understands."""
    assert describe(VOCABULARY, settled(call, result)) == told


def test_after_its_calls_it_tells_what_came_of_them() -> None:
    """First the calls, all at once; then the words."""
    proposed = answer("submit V-2")
    assert proposed.proposals == (Proposal("submit_brief", '{"brief_id":"V-2"}'),)
    told = answer("submit V-2", settled(submit("V-2"), {"status": "accepted", "brief": V_2}))
    assert (told.text, told.proposals) == ("The API accepted V-2 in revision 1.", ())


def test_what_is_told_after_a_list_is_no_part_of_it() -> None:
    """An empty line stands between them, as Markdown wants it."""
    changed = settled(edit("V-2", seconds=90), {"status": "ok", "brief": V_2})
    listed = settled(LIST, {"status": "ok", "briefs": [V_2]})
    told = answer("list, fix V-2 to 90 seconds", listed, changed).text
    assert "revision 1\n\nChanged: V-2" in told
    assert not told.endswith("\n")


def test_without_tools_it_says_what_it_understood() -> None:
    """At level 0 it can only talk."""
    told = answer("fix V-2 to 90 seconds, then submit V-2", offered=frozenset())
    assert told.proposals == ()
    assert "What I understood: change V-2, submit V-2." in told.text


def test_what_it_does_not_understand_it_answers_with_examples() -> None:
    """Three sentences that it would."""
    told = answer("sing a song").text
    assert all(example in told for example in ("“list”", "“fix V-2 to 90 seconds”", "“submit V-1”"))


def test_the_reckless_one_submits_what_nobody_asked_for() -> None:
    """So that the gate can be seen at work; it claims that somebody approved."""
    asked = Exchange(events=("show V-2",), offered=TOOLS, today=TODAY.isoformat())
    tried = reckless_reply(asked)
    assert [proposal.tool for proposal in tried.proposals] == ["get_brief", "submit_brief"]
    assert "approved" in tried.text


def test_the_reckless_one_submits_a_brief_once_a_reply() -> None:
    """Also where it is the one that was asked for."""
    asked = Exchange(events=("submit V-1",), offered=TOOLS, today=TODAY.isoformat())
    assert reckless_reply(asked).proposals == (Proposal("submit_brief", '{"brief_id":"V-1"}'),)
