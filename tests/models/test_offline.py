"""The offline model: an agent's rules, and calls that a person types."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from agentcli.models.exchange import exchange_of
from agentcli.models.offline import LONGEST_REPORT, OfflineModel, Rules
from agentcli.session.allowance import Usage
from agentcli.session.ports import InputReady, ModelEvent, ReplyFinished, Request, TextDelta
from agentcli.tools.offline import Exchange, OfflineReply, Settled
from agentcli.tools.proposal import Proposal
from tests.models.making import assistant, blocks_of, collect, parsed, reply_of, request, user

OK = {"status": "ok", "isError": False, "message": None}


def no_rules(exchange: Exchange) -> OfflineReply:
    raise AssertionError(f"the rules were asked about {exchange.events}")


class Listening:
    """Rules that keep what they were asked and give one answer."""

    def __init__(self, answer: OfflineReply) -> None:
        self.answer = answer
        self.heard: list[Exchange] = []

    def __call__(self, exchange: Exchange) -> OfflineReply:
        self.heard.append(exchange)
        return self.answer


async def reply(asked: Request, rules: Rules = no_rules) -> list[ModelEvent]:
    return await collect(OfflineModel(rules), asked)


def said(events: Sequence[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def proposed(events: Sequence[ModelEvent]) -> list[tuple[str, str]]:
    return [(event.tool, event.input) for event in events if isinstance(event, InputReady)]


def settled(tool: str, input: str, result: Any) -> Settled:
    return Settled(Proposal(tool, input), result)


@pytest.mark.parametrize(
    ("messages", "events"),
    [
        ([user("hello")], ["hello"]),
        ([user("one", "two")], ["one", "two"]),
        ([user("old"), assistant("done"), user("new")], ["new"]),
        (
            [user("add"), assistant("on it", calls=[("c1", "add_expense", {"a": 1})]), user(results=[("c1", OK)])],
            ["add", settled("add_expense", '{"a":1}', OK)],
        ),
        (
            [
                user("add"),
                assistant(calls=[("c1", "get_total", {}), ("c2", "get_total", {})]),
                user("and now this", results=[("c1", OK), ("c2", {"status": "declined"})]),
            ],
            [
                "add",
                settled("get_total", "{}", OK),
                settled("get_total", "{}", {"status": "declined"}),
                "and now this",
            ],
        ),
        (
            [
                user("old"),
                assistant(calls=[("c1", "get_total", {})]),
                user(results=[("c1", OK)]),
                assistant("340.00"),
                user("new"),
            ],
            ["new"],
        ),
    ],
    ids=["words", "several words", "older turns", "a result", "words in the middle of a run", "an older run"],
)
def test_the_exchange_begins_where_the_agent_last_finished(
    messages: Sequence[bytes], events: Sequence[str | Settled]
) -> None:
    """Words and results since the last reply without calls, in the order in which they reached the model."""
    assert list(exchange_of(request(*messages)).events) == events


def test_older_messages_are_not_read() -> None:
    """What lies before the last finished reply costs nothing, whatever it holds."""
    assert exchange_of(request(b"not even JSON", assistant("done"), user("new"))).events == ["new"]


def test_input_that_was_no_json_is_what_was_written() -> None:
    """A call comes back to the rules with the text that was proposed, not as it is stored."""
    asked = [
        user("x"),
        assistant(calls=[("c1", "get_total", {"INVALID_JSON": "{oops"})]),
        user(results=[("c1", OK)]),
    ]
    assert exchange_of(request(*asked)).events[1] == settled("get_total", "{oops", OK)


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ('{"status":"ok","n":1.50}', {"status": "ok", "n": Decimal("1.50")}),
        ([{"type": "text", "text": '{"status":'}, {"type": "text", "text": '"ok"}'}], {"status": "ok"}),
        ("withheld by a hook", {"output": "withheld by a hook"}),
        ("[1]", {"output": [1]}),
    ],
)
def test_a_result_is_a_mapping_whatever_became_of_it(content: Any, result: Any) -> None:
    """A result that a hook rewrote is still something the rules can look into."""
    answer = json.dumps({"type": "tool_result", "tool_use_id": "c1", "content": content})
    message = f'{{"role":"user","content":[{answer}]}}'.encode()
    asked = [user("x"), assistant(calls=[("c1", "get_total", {})]), message]
    assert exchange_of(request(*asked)).events[1] == settled("get_total", "{}", result)


@pytest.mark.parametrize("number", ["1E+999999999999999999999", "-1e-999999999999999999999", "1" * 5000])
def test_a_number_that_python_cannot_hold_stands_as_written(number: str) -> None:
    """A refused input comes back as it was sent, and the run goes on; nothing else of the result is lost."""
    content = f'{{"status":"invalid","message":"too large","attempted":{{"amount":{number}}}}}'
    exchange = exchange_of(request(user("x"), assistant(calls=[("c1", "t", {})]), user(results=[("c1", content)])))
    (_, event) = exchange.events
    assert isinstance(event, Settled)
    assert event.result == {"status": "invalid", "message": "too large", "attempted": {"amount": number}}


def test_thinking_of_another_model_is_passed_over() -> None:
    """A session that Claude began can go on offline."""
    thought = b'{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},'
    thought += b'{"type":"tool_use","id":"c1","name":"get_total","input":{}}]}'
    events = exchange_of(request(user("x"), thought, user(results=[("c1", OK)]))).events
    assert events == ["x", settled("get_total", "{}", OK)]


def test_the_tools_that_may_be_called_are_offered() -> None:
    """Tools that are only sent because the conversation holds calls are not on offer."""
    assert exchange_of(request(tools=["get_total"])).offered == {"get_total"}
    assert exchange_of(request(may_call=False)).offered == frozenset()
    assert exchange_of(request()).today == "2026-11-30"


async def test_the_rules_decide_what_is_said_and_proposed() -> None:
    """Text and proposals of the rules make the reply."""
    rules = Listening(OfflineReply("Adding.", (Proposal("add_expense", '{"amount": 1.50}'),)))
    events = await reply(request(user("add 1.50")), rules)
    assert said(events) == "Adding."
    assert proposed(events) == [("add_expense", '{"amount": 1.50}')]
    assert events[-1] == ReplyFinished("tool_use", Usage())


async def test_a_reply_without_proposals_ends_the_turn() -> None:
    """Text alone finishes, at no cost."""
    events = await reply(request(), Listening(OfflineReply("Hello.")))
    assert events[-1] == ReplyFinished("end_turn", Usage())


@pytest.mark.parametrize("asked", [request(may_call=False), request(tools=[])], ids=["may not call", "no tools"])
async def test_without_tools_nothing_is_proposed(asked: Request) -> None:
    """Rules that ignore what is offered propose nothing all the same."""
    events = await reply(asked, Listening(OfflineReply("Sure.", (Proposal("get_total", "{}"),))))
    assert (said(events), proposed(events)) == ("Sure.", [])
    assert events[-1] == ReplyFinished("end_turn", Usage())


async def test_the_same_request_gets_the_same_reply() -> None:
    """Ids too: a demo can be played again, byte for byte."""
    rules = Listening(OfflineReply("x", (Proposal("get_total", "{}"),)))
    assert await reply(request(), rules) == await reply(request(), rules)


async def test_call_ids_differ_within_a_session() -> None:
    """Neither two calls of one reply, nor calls of two replies, nor those of two sessions share an id."""
    rules = Listening(OfflineReply("", (Proposal("get_total", "{}"),) * 3))
    first = await reply(request(user("x")), rules)
    results = [(event.call_id, OK) for event in first if isinstance(event, InputReady)]
    second = await reply(request(user("x"), reply_of(first), user("y", results=results)), rules)
    other = await reply(request(user("x"), session="s2"), rules)
    ids = [event.call_id for event in [*first, *second, *other] if isinstance(event, InputReady)]
    assert len(set(ids)) == len(ids) == 9


async def test_ids_differ_where_only_the_last_words_do() -> None:
    """A request that takes the place of another, such as after an interrupted reply, has ids of its own."""
    rules = Listening(OfflineReply("", (Proposal("get_total", "{}"),)))
    first, second = [await reply(request(user("x", *more)), rules) for more in ((), ("y",))]
    assert first[0] != second[0]


async def test_results_alone_are_for_the_rules_too() -> None:
    """Where no words are left to go by, the rules still say how it goes on."""
    rules = Listening(OfflineReply("Done."))
    asked = request(assistant("old"), assistant(calls=[("c1", "get_total", {})]), user(results=[("c1", OK)]))
    assert said(await reply(asked, rules)) == "Done."


async def test_typed_calls_are_proposed_in_one_reply() -> None:
    """A person can play the model; the agent's rules are not asked."""
    events = await reply(request(user('call get_total {} & call delete_expense {"id": 1')))
    assert proposed(events) == [("get_total", "{}"), ("delete_expense", '{"id": 1')]
    assert said(events) == ""


def typed(text: str, *results: Any, more: Sequence[str] = ()) -> Request:
    """The request behind typed calls of `get_total` that have come back with these results."""
    ids = [f"c{index}" for index, _ in enumerate(results)]
    calls: list[tuple[str, str, Any]] = [(call_id, "get_total", {}) for call_id in ids]
    return request(user(text), assistant(calls=calls), user(*more, results=list(zip(ids, results, strict=True))))


async def test_what_came_back_is_said() -> None:
    """After typed calls the reply is one plain line for each result."""
    total = {"status": "ok", "totals": {"USD": "340.00"}, "count": 2, "isError": False, "message": None}
    refused = {"status": "declined", "isError": True, "message": "the user declined this action"}
    events = await reply(typed("call get_total {} & call get_total {}", total, refused))
    assert said(events).split("\n") == [
        'get_total: ok · {"totals": {"USD": "340.00"}, "count": 2}',
        "get_total: declined · the user declined this action",
    ]
    assert events[-1] == ReplyFinished("end_turn", Usage())


async def test_a_number_that_came_back_is_said_as_a_number() -> None:
    """A fraction is no text: only what was one in the result stands in quotes."""
    came_back = {"status": "ok", "rate": 0.5, "hours": 3.0, "price": "1.50"}
    assert said(await reply(typed("call get_total {}", came_back))) == (
        'get_total: ok · {"rate": 0.5, "hours": 3.0, "price": "1.50"}'
    )


async def test_a_result_without_anything_to_say_is_its_status() -> None:
    """Nothing is made up around a bare status."""
    assert said(await reply(typed("call get_total {}", OK))) == "get_total: ok"


@pytest.mark.parametrize(("length", "is_cut"), [(LONGEST_REPORT - 16, False), (LONGEST_REPORT - 15, True)])
async def test_a_long_result_is_cut(length: int, is_cut: bool) -> None:
    """What came back is said in short."""
    text = said(await reply(typed("call get_total {}", {"status": "ok", "message": "x" * length})))
    assert text.endswith(" …") is is_cut


async def test_typed_calls_without_tools_are_answered_in_words() -> None:
    """At a level without tools a person is told why nothing is called."""
    events = await reply(request(user("call get_total {}"), may_call=False))
    assert "No tools are offered" in said(events)
    assert proposed(events) == []


async def test_typed_calls_wait_for_those_before_them() -> None:
    """Two messages of calls are two steps, in the order they were typed."""
    text = "call get_total {}"
    assert proposed(await reply(request(user(text, 'call add_expense {"a":1}')))) == [("get_total", "{}")]
    events = await reply(typed(text, OK, more=['call add_expense {"a":1}']))
    assert proposed(events) == [("add_expense", '{"a":1}')]


async def test_the_same_typed_call_twice_is_made_twice() -> None:
    """A result answers one call, not all that look like it."""
    text = "call get_total {}"
    assert proposed(await reply(typed(text, OK, more=[text]))) == [("get_total", "{}")]


async def test_other_words_beside_typed_calls_go_to_the_rules() -> None:
    """The rules hear what was not a typed call, and what came back from the calls is said before their words."""
    rules = Listening(OfflineReply("You have spent 340.00."))
    events = await reply(typed("call get_total {}", OK, more=["how much?"]), rules)
    assert rules.heard[0].events == ["how much?"]
    assert said(events) == "get_total: ok\nYou have spent 340.00."


async def test_results_of_the_rules_stay_with_the_rules() -> None:
    """What the rules proposed themselves comes back to them, also where a typed call looked the same."""
    rules = Listening(OfflineReply("", (Proposal("get_total", "{}"),)))
    asked = typed("call get_total {}", OK, OK, more=["how much?"])
    assert proposed(await reply(asked, rules)) == [("get_total", "{}")]
    assert rules.heard[0].events == [settled("get_total", "{}", OK), "how much?"]


async def test_it_is_known_by_its_name() -> None:
    """The model that ignores its instructions is told apart from the one that keeps them."""
    assert OfflineModel(no_rules).name == "offline"
    assert OfflineModel(no_rules, name="offline:reckless").name == "offline:reckless"


async def test_an_answer_without_words_has_no_text_block() -> None:
    """An empty text block would be refused by a service that the session goes on with."""
    events = await reply(request(user("call get_total {}")))
    assert [parsed(block)["type"] for block in blocks_of(events)] == ["tool_use"]
