"""What a decision rests on is gathered where it counts, and a tool's own code that fails over it denies."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from agentcli.engine.executor import NoTables
from agentcli.engine.gatekeeper import MOST_KEPT, Wording
from agentcli.gate.autonomy import Level
from agentcli.gate.facts import Fact
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session.allowance import RunLimits
from agentcli.session.call import Call, digest_of
from agentcli.tools.conditions import at_most, fact
from agentcli.tools.risk import Risk
from agentcli.tools.suspension import Suspend
from agentcli.tools.tool import Place, Values
from tests.engine.bench import Bench
from tests.engine.deciding import INPUT, a_bench, decide, decided, denial
from tests.engine.one_call import FORM, raising


def test_a_decision_says_all_that_it_rests_on() -> None:
    """The input as it will run, its digest, the risk, the level that counts, every verdict and the preview."""
    bench = a_bench({"preview": lambda place, values: [f"will note {values['text']}", place.today]})
    entry = decided(bench, '{ "text": "tea" }')
    text = '{"text":"tea","price":1}'
    assert (entry.call_id, entry.tool, entry.input, entry.digest) == ("t1", "note", text, digest_of("note", text))
    assert (entry.risk, entry.level, entry.decision) == (Risk.WRITE, Level.PROPOSE, Decision.ASK)
    assert [one.rule for one in entry.verdicts] == ["schema", "level"]
    assert entry.preview == ("will note tea", "2026-11-30")


def test_a_tool_that_nobody_registered_is_denied_with_its_input() -> None:
    """It counts as irreversible, and what the model sent is kept."""
    entry = decided(a_bench(level=Level.ALONE), '{ "text": "tea" }', tool="rob_bank")
    assert (entry.decision, entry.risk, entry.input) == (Decision.DENY, Risk.IRREVERSIBLE, INPUT)
    assert denial(entry).reason.startswith("unknown tool 'rob_bank'")


def test_an_unknown_tool_s_unreadable_input_is_kept_as_it_came() -> None:
    """Letter by letter, since it is no JSON."""
    assert decided(a_bench(), '{"text": ', tool="rob_bank").input == '{"text": '


def test_a_tool_s_own_level_counts() -> None:
    """The entry names the level that decided."""
    bench = a_bench(level=Level.PROPOSE)
    bench.append(e.LevelSet(Level.ALONE, "ana", "/level", "note"))
    entry = decided(bench)
    assert (entry.level, entry.decision) == (Level.ALONE, Decision.ALLOW)


def test_facts_options_and_the_clock_are_looked_at() -> None:
    """A required fact is one of this session that still holds; a limit may be an option of the agent."""
    declared = {"requires": [fact("known", subject="text")], "limits": [at_most("price", option="most")]}
    bench = a_bench(declared, level=Level.ALONE, options={"most": "5"})
    assert denial(decided(bench)).rule == "prerequisite"
    until = bench.clock.now() + timedelta(seconds=60)
    bench.state.facts[("known", "tea")] = Fact("known", "tea", holds=True, call_id="t0", expires_at=until)
    assert decided(bench).decision is Decision.ALLOW
    assert denial(decided(bench, '{"text":"tea","price":6}')).rule == "limit"
    bench.clock.advance(60)
    assert denial(decided(bench)).rule == "prerequisite"


def test_defaults_are_filled_in_once() -> None:
    """A call decided again is judged with the day and the options of the first time."""
    bench = a_bench({"defaults": {"price": lambda place: place.options["most"]}}, options={"most": None})
    first = decided(bench, '{"text":"tea","price":3}')
    again = Call("t1", "note", '{"text":"tea"}', 1, 1, decided=first)
    assert decided(bench, call=again).input == '{"text":"tea","price":3}'


def test_what_a_hook_made_of_the_input_is_judged() -> None:
    """Not what the model sent."""
    bench = a_bench()
    entry = decided(bench, wording=Wording('{"text":"milk"}'))
    assert entry.input == '{"text":"milk","price":1}'
    assert denial(decided(bench, wording=Wording('{"txt":"milk"}'))).rule == "schema"


def test_the_verdicts_of_hooks_are_joined() -> None:
    """They stand behind those of the rules."""
    asks = Verdict("hook", Decision.ASK, "the hook guard asks")
    entry = decided(a_bench(level=Level.ALONE), hook_verdicts=(asks,))
    assert (entry.decision, entry.verdicts[-1]) == (Decision.ASK, asks)


def count_previews(level: Level) -> tuple[e.Decided, int]:
    drawn: list[Values] = []

    def preview(place: Place, values: Values) -> list[str]:
        drawn.append(values)
        return ["…"]

    return decided(a_bench({"preview": preview}, level=level)), len(drawn)


@pytest.mark.parametrize(
    ("level", "drawn"),
    [pytest.param(Level.LOOK, 0, id="denied"), pytest.param(Level.PROPOSE, 1, id="asked"), pytest.param(Level.ALONE, 0, id="allowed")],
)  # fmt: skip
def test_only_what_a_person_will_see_is_drawn(level: Level, drawn: int) -> None:
    """A call that is denied anyway, or runs anyway, is not drawn."""
    assert count_previews(level)[1] == drawn


def swallows(place: Place, values: Values) -> list[str]:
    try:
        raise Suspend("Which comes first?", FORM)
    except BaseException:  # noqa: BLE001  # what careless tools do
        return ["…"]


def asks(place: Place, values: Values) -> list[str]:
    raise Suspend("Which comes first?", FORM)


def swallows_and_fails(place: Place, values: Values) -> list[str]:
    swallows(place, values)
    raise RuntimeError


READY_MADE = Suspend("Which comes first?", FORM)


def asks_as_ever(place: Place, values: Values) -> list[str]:
    raise READY_MADE


@pytest.mark.parametrize("preview", [asks, swallows, swallows_and_fails, asks_as_ever])
def test_a_preview_may_ask_before_the_question(preview: Callable[..., Any]) -> None:
    """Then there is no decision yet, but a form; what it swallows does not matter."""
    entry = decide(a_bench({"preview": preview}))
    assert isinstance(entry, e.Suspended)
    assert entry.question == "Which comes first?"


def test_a_preview_that_is_one_text_is_one_line() -> None:
    """Not a line for each of its letters; and a line break in it makes no second one, for a model may have put it."""
    entry = decided(a_bench({"preview": lambda place, values: f"will note {values['text']}\nfor ever"}))
    assert entry.preview == ("will note tea\nfor ever",)


def test_a_preview_of_a_text_of_its_own_kind_is_its_text() -> None:
    """As templates return it."""

    class Markup(str):
        pass

    entry = decided(a_bench({"preview": lambda place, values: Markup("will note")}))
    assert entry.preview == ("will note",)


def test_a_preview_gets_what_a_person_filled_in() -> None:
    """After the form it can show what it could not before."""

    def preview(place: Place, values: Values, resumed: Any = None) -> list[str]:
        return [f"{resumed['order']} first"]

    call = Call("t1", "note", INPUT, 1, 1, resumed={"order": "day"})
    assert decided(a_bench({"preview": preview}), call=call).preview == ("day first",)


async def test_what_was_declined_in_this_run_is_denied() -> None:
    """The same tool with the same input; with another input it is a new question."""
    bench = a_bench()
    bench.say("go")
    bench.append(e.RunStarted(1, RunLimits(), "words"))
    assert bench.state.run is not None
    first = decided(bench)
    bench.state.run.remember_decline("note", first.input)
    assert denial(decided(bench)).rule == "earlier decline"
    assert decided(bench, '{"text":"milk"}').decision is Decision.ASK


def undo_call(bench: Bench, tool: str = "note", kept: str = "null") -> Call:
    finished = e.Finished("t0", "tool", "ok", msgspec.Raw(b'{"no":7}'), is_error=False, digest="", undo=kept)
    original = Call("t0", "note", INPUT, 1, 1, finished=finished)
    return Call("t1", tool, INPUT, 1, 1, by="ana", undoes=original)


def decide_undo(bench: Bench, call: Call) -> e.Decided:
    return bench.journal.write_once(
        lambda writer: bench.gatekeeper.decide_undo(writer.state, call, writer.transaction)
    )


def test_a_person_s_undo_asks_no_level_but_shows_what_it_does() -> None:
    """Even at level 1 a person may take back what was done; it is asked and previewed like a call."""
    bench = a_bench(level=Level.LOOK)
    entry = decide_undo(bench, undo_call(bench))
    assert entry.decision is Decision.ASK
    assert entry.verdicts == (Verdict("undo", Decision.ASK, "ana takes back note"),)
    assert entry.preview == ('will undo: note {"text":"tea"}', 'which gave: {"no":7}')


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ('{"text":"milk"}', '{"text":"milk"}'),
        (f'"{"x" * (MOST_KEPT - 2)}"', f'"{"x" * (MOST_KEPT - 2)}"'),
        (f'"{"x" * (MOST_KEPT - 1)}"', f"{MOST_KEPT + 1} characters of JSON"),
    ],
    ids=["short", "as long as it may be", "longer"],
)
def test_an_undo_shows_what_was_kept_for_it(kept: str, told: str) -> None:
    """It is what comes back; a whole table of it would hide the rest."""
    bench = a_bench()
    assert decide_undo(bench, undo_call(bench, kept=kept)).preview[2:] == (f"kept for its undo: {told}",)


def test_an_undo_that_can_not_be_done_is_denied_with_its_reason() -> None:
    """A person is told before being asked."""
    bench = a_bench({"undo": lambda values, result: raising(RuntimeError())()})
    assert denial(decide_undo(bench, undo_call(bench))).reason == "its undo failed (reference r1)"
    gone = undo_call(bench, "lost")
    assert denial(decide_undo(bench, gone)).reason == "its tool is gone"


EXPLAINED: list[tuple[str, dict[str, Any], str]] = [
    ("plain", {}, INPUT),
    ("misfit", {}, '{"text":7}'),
    ("prerequisite", {"requires": [fact("known", subject="text")]}, INPUT),
    ("limit", {"limits": [at_most("price", "0")]}, INPUT),
    ("approval", {"approval": True}, INPUT),
    ("no-undo", {"undo": None}, INPUT),
    ("check-refuses", {"check": lambda place, values: "not today"}, INPUT),
    ("check-fails", {"check": raising(RuntimeError())}, INPUT),
]


@pytest.mark.parametrize(("declared", "text"), [row[1:] for row in EXPLAINED], ids=[row[0] for row in EXPLAINED])
@pytest.mark.parametrize("require_approval", [False, True])
def test_what_is_explained_is_what_would_be_decided(
    declared: dict[str, Any], text: str, require_approval: bool
) -> None:
    """At every level the same verdicts, of the same rules."""
    bench = a_bench(declared)
    bench.state.require_approval = require_approval
    explained = bench.gatekeeper.explain(bench.state, Call("t1", "note", text, 1, 1), NoTables())
    for level in Level:
        bench.state.level = level
        # Each fault has a reference of its own.
        would_be = [
            replace(one, reason=re.sub("r[0-9]+", "r1", one.reason)) for one in decided(bench, text).verdicts
        ]
        assert list(explained[level].verdicts) == would_be


def test_explaining_draws_nothing() -> None:
    """A preview is only drawn for a person who is asked."""
    bench = a_bench({"preview": lambda place, values: raising(AssertionError("drawn"))()})
    explained = bench.gatekeeper.explain(bench.state, Call("t1", "note", INPUT, 1, 1), NoTables())
    assert explained[Level.PROPOSE].decision is Decision.ASK


def test_a_level_of_the_tool_s_own_is_explained_like_any_other() -> None:
    """Each row is about the level that counts for the tool, however it got it."""
    bench = a_bench()
    bench.state.tool_levels["note"] = Level.ALONE
    explained = bench.gatekeeper.explain(bench.state, Call("t1", "note", INPUT, 1, 1), NoTables())
    assert [explained[level].decision for level in Level] == ["deny", "deny", "ask", "allow", "allow"]
