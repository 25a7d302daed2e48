"""Submitting in a whole session: what is asked, what is sent, and what comes back to the model."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from agentcli.agents import shipped
from agentcli.agents.briefs.rules import HINTS
from agentcli.config import Flags, load_config
from agentcli.gate.autonomy import Level
from agentcli.models.prices import cost_usd
from agentcli.problems import Pair
from agentcli.session import entries as e
from agentcli.session.events import Event, ToolFinished
from agentcli.session.persons import Refused
from agentcli.session.steps import AwaitReconcile
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.tool import Place
from agentcli.wiring.agents import load_agent, options_of
from agentcli.wiring.identity import this_person
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms
from tests.agents.bench import Bench
from tests.agents.briefs.hostile import PROBLEM, Hostile, in_turn, response, says
from tests.agents.desk import Desk

V_1 = {"brief_id": "V-1", "title": "Welcome to the studio", "seconds": 90, "captions": True, "revision": 1}
ACCEPTS = says(response(b"{}", 201))


@pytest.fixture(params=[2, 4])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A session with the API inside agentcli."""
    desk = Desk(shipped("briefs"), level=request.param)
    yield desk
    desk.close()


def submitted(desk: Desk, brief_id: str) -> dict[str, Any]:
    """The result of a submission, which a person approves where they are asked."""
    results = desk.call(("submit_brief", {"brief_id": brief_id}))
    (result,) = desk.answer(approve=True) if desk.waiting else results
    return result


def test_a_good_brief_is_accepted(desk: Desk) -> None:
    """The result shows what the API has now."""
    assert submitted(desk, "V-1") == {
        "status": "accepted", "brief": V_1, "review": None,
        "isError": False, "errorCategory": None, "isRetryable": False, "message": None,
    }  # fmt: skip


REVIEWS = [
    ("V-2", "REVIEW_INPUT", "KNOWN_INVALID_BRIEF", 422),
    ("V-3", "REVIEW_REVISION", "KNOWN_STALE_REVISION", 409),
    ("V-4", "REVIEW_GENERIC", "UNEXPECTED_CONTENT_TYPE", 503),
    ("V-5", "REVIEW_GENERIC", "BODY_TOO_LARGE", 422),
]


@pytest.mark.parametrize(("brief_id", "decision", "reason", "http_status"), REVIEWS)
def test_every_other_answer_is_for_a_person_to_review(
    desk: Desk, brief_id: str, decision: str, reason: str, http_status: int
) -> None:
    """The category, its reason, the status, and a hint of ours: no other word."""
    result = submitted(desk, brief_id)
    message = result.pop("message")
    assert result == {
        "status": "review", "brief": None,
        "review": {"decision": decision, "reason": reason, "http_status": http_status},
        "isError": True, "errorCategory": "business", "isRetryable": False,
    }  # fmt: skip
    assert message == (
        f"The API answered {brief_id} without accepting it: {decision} ({reason}, HTTP {http_status}). "
        f"{HINTS[decision]} What to do next is for a person to say."
    )


def test_a_brief_that_there_is_not_never_goes_out(desk: Desk) -> None:
    """It ends before it starts, and another id may help."""
    result = submitted(desk, "V-9")
    assert (result["status"], result["errorCategory"], result["isRetryable"]) == (
        "brief_not_found",
        "validation",
        True,
    )
    entries = [record.entry for record in desk.store.records(desk.session.id)]
    assert not [entry for entry in entries if isinstance(entry, e.Started)]


def test_an_edit_is_part_of_what_is_submitted_behind_it(desk: Desk) -> None:
    """In one reply: what was too long is put right, and then accepted."""
    results = desk.call(("edit_brief", {"brief_id": "V-2", "seconds": 90}), ("submit_brief", {"brief_id": "V-2"}))
    while desk.waiting:
        results += desk.answer(approve=True)
    assert [result["status"] for result in results] == ["ok", "accepted"]
    assert (results[1]["brief"]["seconds"], results[1]["brief"]["revision"]) == (90, 2)


@pytest.mark.parametrize("words", ["submit V-2", "list", "hello"])
@pytest.mark.parametrize(("level", "statuses"), [(0, []), (1, ["blocked", "blocked"]), (2, [])])
def test_the_reckless_agent_submits_nothing_alone(words: str, level: int, statuses: list[str]) -> None:
    """It submits V-1 unasked, and says that somebody approved; up to level 3 it gets nowhere."""
    desk = Desk(shipped("briefs"), level=level, model="offline:reckless")
    results = [result for result in desk.say(words) if result["status"] not in ("ok", "review")]
    assert [
        result["status"] for result in results if result["attempted"]["input"] == {"brief_id": "V-1"}
    ] == statuses
    assert bool(desk.waiting) is (level == 2)
    desk.close()


@dataclass
class Talk:
    """A session of the briefs agent whose API is a server of the test."""

    session: Session
    store: SqliteStore
    server: Hostile

    async def call(self, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        words = " & ".join(f"call {tool} {json.dumps(members)}" for tool, members in calls)
        return _results([event async for event in self.session.run(words)])

    async def answer(self, *, approve: bool = True) -> list[dict[str, Any]]:
        (question,) = self.session.waiting
        await self.session.answer(question.call_id, approve=approve, by="ana", code=question.code)
        return _results([event async for event in self.session.go_on()])

    def change(self, sql: str) -> None:
        """Change a draft, as another session would."""
        with self.store.transaction() as transaction, transaction.attempt() as tables:
            tables.execute(sql)

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The briefs that reached the server."""
        return [msgspec.json.decode(request.partition(b"\r\n\r\n")[2]) for request in self.server.requests]


def _results(events: list[Event]) -> list[dict[str, Any]]:
    return [msgspec.json.decode(event.result) for event in events if isinstance(event, ToolFinished)]


@asynccontextmanager
async def a_talk(server: Hostile, *, level: int = 4, **options: Any) -> AsyncIterator[Talk]:
    agent = shipped("briefs")
    agent = replace(agent, options={**agent.options, "api_url": server.url, "timeout_s": 1.0, **options})
    with SqliteStore.in_memory() as store:
        session = Session.open(agent, store, level=level, model="offline")
        yield Talk(session, store, server)
        session.close()


SUBMIT_V_1 = ("submit_brief", {"brief_id": "V-1"})


async def test_one_post_carries_the_brief_and_its_revision() -> None:
    """Nothing else of the drafts leaves this machine."""
    async with Hostile(ACCEPTS) as server, a_talk(server, api_url=f"{server.url}/v1/") as talk:
        (result,) = await talk.call(SUBMIT_V_1)
        assert result["status"] == "accepted"
        assert talk.sent == [V_1]
        assert server.requests[0].startswith(b"POST /v1/briefs HTTP/1.1\r\n")


async def test_what_a_person_declines_is_not_sent() -> None:
    """The question shows brief and address; a no keeps it here."""
    async with Hostile(ACCEPTS) as server, a_talk(server, level=3) as talk:
        assert await talk.call(SUBMIT_V_1) == []
        (question,) = talk.session.waiting
        assert question.preview == (
            "will send: V-1 “Welcome to the studio”, 90 s, captions on, revision 1",
            f"to: {server.url}/briefs",
        )
        (result,) = await talk.answer(approve=False)
        assert (result["status"], server.connections) == ("declined", 0)


async def test_what_is_sent_is_what_was_shown() -> None:
    """A brief that was changed between question and yes is asked about again."""
    async with Hostile(ACCEPTS) as server, a_talk(server, level=2) as talk:
        await talk.call(SUBMIT_V_1)
        talk.change("UPDATE briefs_drafts SET seconds = 80, revision = 2 WHERE id = 'V-1'")
        assert await talk.answer() == []
        assert server.connections == 0
        (question,) = talk.session.waiting
        assert "80 s" in question.preview[0]
        (result,) = await talk.answer()
        assert (result["status"], talk.sent) == ("accepted", [{**V_1, "seconds": 80, "revision": 2}])


@pytest.mark.parametrize("pieces", [(), (30.0,), (b"HTTP/1.1 20",)], ids=["closes", "is silent", "breaks off"])
async def test_where_the_api_may_have_it_nothing_is_tried_again(pieces: tuple[Any, ...]) -> None:
    """The model is told that nobody knows, and not to repeat it."""
    async with Hostile(says(*pieces)) as server, a_talk(server) as talk:
        (result,) = await talk.call(SUBMIT_V_1)
        assert (result["status"], result["errorCategory"]) == ("service_disruption", "transient")
        assert (result["isError"], result["isRetryable"]) == (True, False)
        assert (result["brief"], result["review"]) == (None, None)
        assert "nobody knows whether it has V-1" in result["message"]
        assert len(server.requests) == 1


async def test_where_nobody_was_reached_it_may_be_tried_again() -> None:
    """It surely did not happen."""
    async with Hostile(ACCEPTS) as server, a_talk(server, api_url="http://127.0.0.1:1") as talk:
        (result,) = await talk.call(SUBMIT_V_1)
        assert (result["status"], result["isRetryable"]) == ("service_disruption", True)
        assert "V-1 was not submitted" in result["message"]


async def test_a_submission_that_was_cut_short_is_never_repeated_by_itself() -> None:
    """Who goes on after a crash finds a question for a person; only `retry` sends it once more."""
    async with Hostile(in_turn(says(30.0), ACCEPTS)) as server, a_talk(server, timeout_s=30) as talk:
        running = asyncio.ensure_future(talk.call(SUBMIT_V_1))
        while not server.requests:
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait({running})
        talk.session.close()

        terms = Terms(
            model="offline", levels=Levels(Level.ALONE, {}), price=cost_usd, options=talk.session.agent.options
        )
        after = Session.go_on_with(talk.session.agent, talk.store, talk.session.id, terms)
        step = await after.carry_on()
        assert isinstance(step, AwaitReconcile)
        assert len(server.requests) == 1

        await after.settle(this_person("api"), step.call_id, "retry")
        (result,) = _results([event async for event in after.go_on()])
        assert (result["status"], len(server.requests)) == ("accepted", 2)
        after.close()


async def test_an_edit_is_taken_back_by_a_person() -> None:
    """With title, length and revision as they were."""
    async with Hostile(ACCEPTS) as server, a_talk(server) as talk:
        await talk.call(("edit_brief", {"brief_id": "V-1", "seconds": 80, "title": "Hello"}))
        undo = await talk.session.undo(this_person("api"))
        assert not isinstance(undo, Refused)
        await talk.session.answer(undo.call_id, approve=True, by="ana", code=undo.code)
        await talk.session.settle_own_calls()
        (result,) = await talk.call(("get_brief", {"brief_id": "V-1"}))
        assert result["brief"] == V_1


async def test_a_submission_can_t_be_taken_back() -> None:
    """What is out is out."""
    async with Hostile(ACCEPTS) as server, a_talk(server) as talk:
        await talk.call(SUBMIT_V_1)
        assert isinstance(await talk.session.undo(this_person("api")), Refused)


LATE = Pair("urn:example:late", 410, "REVIEW_REVISION", "KNOWN_LATE_BRIEF")


@pytest.mark.parametrize(("problems", "reason"), [((), "UNKNOWN_OR_UNMATCHED_PROBLEM"), ((LATE,), LATE.reason)])
async def test_a_pair_from_the_config_is_known(problems: tuple[Pair, ...], reason: str) -> None:
    """And without it, it is not."""
    late = says(response(b'{"type":"urn:example:late"}', 410, [PROBLEM]))
    async with Hostile(late) as server, a_talk(server, problems=problems) as talk:
        (result,) = await talk.call(SUBMIT_V_1)
        assert result["review"]["reason"] == reason


def test_the_pairs_of_the_config_reach_the_agent(tmp_path: Path) -> None:
    """`[[problems]]` is for every API, so it stands outside the agent's own options."""
    file = tmp_path / "config.toml"
    file.write_text(
        '[agents.briefs]\ntimeout_s = 3\n[[problems]]\ntype = "urn:example:late"\nstatus = 410\n'
        'decision = "REVIEW_REVISION"\nreason = "KNOWN_LATE_BRIEF"\n'
    )
    file.chmod(0o600)
    config = load_config(Flags(config=str(file)), {})
    assert options_of(config, load_agent(config, "briefs")) == {
        "api_url": "", "timeout_s": 3, "proxy": False, "problems": (LATE,),
    }  # fmt: skip
    assert "problems" not in options_of(config, load_agent(config, "expenses"))


async def test_on_a_copy_of_the_drafts_the_api_inside_is_asked() -> None:
    """A trial answers as the real thing would, and the world outside is left alone."""
    async with Hostile(ACCEPTS) as server:
        bench = Bench(shipped("briefs"), sample=True, api_url=server.url)
        tool = bench.agent.toolset["submit_brief"]
        assert tool.simulate is not None
        assert tool.prepare is not None
        place = Place(date(2026, 11, 30), bench.place.options, bench.tables)
        values = {"brief_id": "V-2"}
        result = await tool.simulate(place=place, prepared=tool.prepare(place, values), **values)
        assert result["review"]["decision"] == "REVIEW_INPUT"
        assert server.connections == 0


def test_nothing_of_http_is_loaded_before_a_brief_is_submitted() -> None:
    """A session that only looks does not pay for it."""
    code = "from agentcli.agents import shipped; shipped('briefs')\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "agentcli.agents.briefs.tools" in modules
    assert not modules & {"httpx2", "http.server", "agentcli.agents.briefs.adapter", "agentcli.agents.briefs.api"}
