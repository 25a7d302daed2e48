"""Hooks are asked in their order; one that gates and fails denies, and none of them lifts what another said."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from agentcli.engine.hooks import HOOKS_GONE, HookInput, Hooks, Opinion, PythonHook, Released, Rewrite
from agentcli.gate.hooks import HookFault, HookOutput
from agentcli.gate.verdicts import Decision, Verdict

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY

CONSULTED = HookInput("s1", "t1", "erase", '{"id":1,"price":1.50}')
WAS = f"(it was {CONSULTED.input})"
RESULT = HookInput("s1", "t1", "erase", '{"id":1}', '{"status":"ok"}')


@dataclass
class ToldHook:
    """Says what it was told to say, and remembers what it was asked."""

    name: str
    says: HookOutput | HookFault = field(default_factory=HookOutput)
    tools: tuple[str, ...] = ()
    asked: list[HookInput] = field(default_factory=list)

    async def ask(self, consulted: HookInput) -> HookOutput:
        self.asked.append(consulted)
        if isinstance(self.says, HookFault):
            raise self.says
        return self.says


@pytest.mark.parametrize("again", ['{"id":1}', '{"id":1,"note":"x"}', '{"note":"x","id":1}'])
async def test_what_says_the_same_is_no_rewrite(again: str) -> None:
    """Also where it leaves out the defaults that were filled in: a hook that rewrites would else never agree."""
    hook_input = replace(CONSULTED, input='{"id":1,"note":"x"}')
    hooks = Hooks(pre_tool=[ToldHook("again", HookOutput(input=again))])
    for may_rewrite in (True, False):
        opinion = await hooks.before(hook_input, may_rewrite=may_rewrite, as_sent='{"id":1}')
        assert opinion.rewrite is None
        assert [verdict.decision for verdict in opinion.verdicts] == [ALLOW]


async def before(*hooks: ToldHook, may_rewrite: bool = True) -> Opinion:
    return await Hooks(pre_tool=hooks).before(CONSULTED, may_rewrite=may_rewrite)


def decisions(opinion: Opinion) -> list[Decision]:
    return [verdict.decision for verdict in opinion.verdicts]


async def test_every_hook_gives_its_verdict_in_config_order() -> None:
    """All of them are kept; the strictest will win."""
    opinion = await before(ToldHook("a"), ToldHook("b", HookOutput(ASK, "look")), ToldHook("c"))
    assert [verdict.reason for verdict in opinion.verdicts] == [
        "the hook a has no objection",
        "the hook b asks: look",
        "the hook c has no objection",
    ]


async def test_after_a_denial_no_other_hook_is_asked() -> None:
    """Nothing can lift it."""
    last = ToldHook("last")
    opinion = await before(ToldHook("first", HookOutput(DENY, "no")), last)
    assert (decisions(opinion), last.asked) == ([DENY], [])


async def test_a_hook_that_fails_denies() -> None:
    """Its fault is the reason, and no other hook is asked."""
    last = ToldHook("last")
    opinion = await before(ToldHook("guard", HookFault("it crashed")), last)
    assert [verdict.reason for verdict in opinion.verdicts] == ["blocked by the hook guard: it crashed"]
    assert last.asked == []


async def test_the_first_rewrite_ends_the_round() -> None:
    """Every hook has to judge the new input, so the rest are asked about that."""
    last = ToldHook("last")
    opinion = await before(ToldHook("first", HookOutput(input='{"id":2}')), last)
    assert opinion.rewrite is not None
    assert (opinion.rewrite.input, last.asked) == ('{"id":2}', [])


@pytest.mark.parametrize(
    "same",
    ['{"id":1,"price":1.50}', '{ "id": 1, "price": 1.50 }', '{"price":1.50,"id":1}'],
    ids=["equal", "with-blanks", "in-another-order"],
)
async def test_a_rewrite_that_says_the_same_is_none(same: str) -> None:
    """A hook may always give back the input as it should be."""
    opinion = await before(ToldHook("first", HookOutput(input=same)), ToldHook("last"))
    assert (opinion.rewrite, decisions(opinion)) == (None, [ALLOW, ALLOW])


async def test_a_number_written_otherwise_is_another_input() -> None:
    """What will run is what is written."""
    assert (await before(ToldHook("first", HookOutput(input='{"id":1,"price":1.5}')))).rewrite is not None


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        pytest.param(
            HookOutput(), Verdict("hook rewrite", ALLOW, f"the hook first changed the input {WAS}"), id="allow"
        ),
        pytest.param(
            HookOutput(ASK, "look"),
            Verdict("hook rewrite", ASK, f"the hook first changed the input {WAS} and asks: look"),
            id="ask-why",
        ),
        pytest.param(
            HookOutput(ASK),
            Verdict("hook rewrite", ASK, f"the hook first changed the input {WAS} and asks"),
            id="ask",
        ),
    ],
)
async def test_what_a_hook_says_with_its_rewrite_stays_with_the_input(says: HookOutput, verdict: Verdict) -> None:
    """The record says which hook changed it, and what it asks is not lost because the new input suits it."""
    opinion = await before(ToldHook("first", replace(says, input='{"id":2}')))
    assert opinion.rewrite == Rewrite('{"id":2}', verdict)


async def test_an_input_is_told_as_it_was_sent() -> None:
    """A person need not read defaults to see what a hook changed."""
    first = ToldHook("first", HookOutput(input='{"id":2}'))
    opinion = await Hooks(pre_tool=[first]).before(CONSULTED, may_rewrite=True, as_sent='{"id":1}')
    assert opinion.rewrite is not None
    assert opinion.rewrite.verdict.reason == 'the hook first changed the input (it was {"id":1})'


async def test_a_second_rewrite_counts_as_asking() -> None:
    """Hooks can't send an input back and forth; a person looks at it."""
    opinion = await before(ToldHook("first", HookOutput(input='{"id":2}')), ToldHook("last"), may_rewrite=False)
    assert opinion.rewrite is None
    assert decisions(opinion) == [ALLOW, ASK, ALLOW]


async def test_a_denial_with_a_rewrite_is_a_denial() -> None:
    """Its other input is of no account."""
    opinion = await before(ToldHook("first", HookOutput(DENY, "no", input='{"id":2}')))
    assert (opinion.rewrite, decisions(opinion)) == (None, [DENY])


async def test_a_hook_is_asked_about_its_own_tools() -> None:
    """Without names it is asked about all; names match whole."""
    mine, other, longer, all_of_them = (
        ToldHook("mine", tools=("note", "erase")),
        ToldHook("other", tools=("note",)),
        ToldHook("longer", tools=("erase_all",)),
        ToldHook("all"),
    )
    await before(mine, other, longer, all_of_them)
    assert [len(hook.asked) for hook in (mine, other, longer, all_of_them)] == [1, 0, 0, 1]


def test_who_gates_and_who_holds() -> None:
    """Pre-tool hooks gate calls, post-tool hooks hold results; no hooks do neither."""
    hook = ToldHook("mine", tools=("erase",))
    assert [Hooks(pre_tool=[hook]).gates(tool) for tool in ("erase", "note")] == [True, False]
    assert [Hooks(post_tool=[hook]).holds(tool) for tool in ("erase", "note")] == [True, False]
    assert not Hooks(pre_tool=[hook]).holds("erase")
    assert not Hooks(post_tool=[hook]).gates("erase")


async def after(*hooks: ToldHook) -> Released:
    return await Hooks(post_tool=hooks).after(RESULT)


async def test_a_result_is_shown_to_each_hook_as_the_one_before_left_it() -> None:
    """What the last one leaves is what the model sees."""
    first, last = ToldHook("first", HookOutput(output='{"status":"ok","note":"cut"}')), ToldHook("last")
    released = await after(first, last)
    assert released == Released('{"status":"ok","note":"cut"}', ("first", "last"))
    assert [hook.asked[0].output for hook in (first, last)] == ['{"status":"ok"}', '{"status":"ok","note":"cut"}']


async def test_a_result_that_no_hook_changes_stays_as_it_is() -> None:
    """Seeing is not changing."""
    assert await after(ToldHook("first")) == Released('{"status":"ok"}', ("first",))


@pytest.mark.parametrize(
    "says",
    [HookFault("it crashed"), HookOutput(DENY, "secret"), HookOutput(ASK, "secret?")],
    ids=["fault", "deny", "ask"],
)
async def test_a_result_is_withheld_where_a_hook_fails_or_blocks_it(says: HookOutput | HookFault) -> None:
    """The call has run; what it gave stays in the record alone, and no further hook sees it."""
    last = ToldHook("last")
    reason = says.reason if isinstance(says, HookOutput) else "first failed: it crashed"
    assert await after(ToldHook("first", says), last) == Released(None, ("first",), reason)
    assert last.asked == []


async def test_a_held_result_whose_hooks_are_gone_is_withheld() -> None:
    """It was held for somebody to see, and nobody is there to."""
    assert await after() == Released(None, (), HOOKS_GONE)
    assert await after(ToldHook("other", tools=("note",))) == Released(None, (), HOOKS_GONE)


# Functions as hooks ----------------------------------------------------------------------------------------------


async def ask(function: Callable[[HookInput], Any], timeout_s: float = 5) -> HookOutput:
    return await PythonHook("guard", function, timeout_s=timeout_s).ask(CONSULTED)


def block(consulted: HookInput) -> dict[str, Any]:
    return {"decision": "block", "reason": f"not {consulted.tool} in {consulted.session}"}


async def block_later(consulted: HookInput) -> dict[str, Any]:
    await asyncio.sleep(0)
    return block(consulted)


@pytest.mark.parametrize("function", [block, block_later])
async def test_a_function_says_what_a_command_would_print(function: Callable[[HookInput], Any]) -> None:
    """Plain or a coroutine, it is told of the call and returns a dict."""
    assert await ask(function) == HookOutput(DENY, "not erase in s1")


async def test_a_function_that_returns_nothing_has_no_objection() -> None:
    """None is silence."""
    assert await ask(lambda consulted: None) == HookOutput()


async def test_a_plain_function_does_not_hold_the_keyboard() -> None:
    """It runs in a thread."""
    threads: list[int] = []
    await ask(lambda consulted: threads.append(threading.get_ident()))
    assert threads != [threading.get_ident()]


async def cancelled(consulted: HookInput) -> None:
    raise asyncio.CancelledError


async def never(consulted: HookInput) -> None:
    await asyncio.Event().wait()


def raising(error: BaseException) -> Callable[[HookInput], Any]:
    def fail(consulted: HookInput) -> Any:
        raise error

    return fail


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(raising(RuntimeError("swordfish")), id="raises"),
        pytest.param(raising(StopIteration()), id="stops-an-iteration"),
        pytest.param(raising(TimeoutError()), id="is-late-itself"),
        pytest.param(lambda consulted: sys.exit(0), id="exits-with-0"),
        pytest.param(cancelled, id="is-cancelled-from-within"),
        pytest.param(raising(BaseException()), id="aborts"),
        pytest.param(lambda consulted: True, id="returns-true"),
        pytest.param(lambda consulted: "allow", id="returns-text"),
        pytest.param(lambda consulted: {"permissionDecision": "allow"}, id="one-level-off"),
    ],
)
async def test_a_function_that_does_not_do_what_hooks_do_is_a_fault(
    function: Callable[[HookInput], Any], caplog: pytest.LogCaptureFixture
) -> None:
    """A crash is no leave, and its detail goes to the log."""
    caplog.set_level(logging.ERROR)
    with pytest.raises(HookFault) as caught:
        await ask(function)
    assert "swordfish" not in str(caught.value)


def forever(consulted: HookInput) -> None:
    threading.Event().wait(1)


@pytest.mark.parametrize("function", [never, forever])
async def test_a_late_function_is_a_fault(function: Callable[[HookInput], Any]) -> None:
    """Silence is no leave."""
    with pytest.raises(HookFault, match=r"longer than 0\.01 s"):
        await ask(function, timeout_s=0.01)


async def test_who_cancels_the_asking_cancels_it() -> None:
    """That is nobody's fault."""
    asking = asyncio.ensure_future(ask(never))
    await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
