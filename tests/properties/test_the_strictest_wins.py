"""Hook, rule, level and risk, in every combination, through the whole engine: the strictest of them wins."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcli.engine.hooks import Hook, HookInput, Hooks, PythonHook
from agentcli.gate.autonomy import MATRIX, Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.steps import AwaitAnswer, End
from agentcli.tools.conditions import at_most, fact
from agentcli.tools.risk import Risk
from agentcli.tools.tool import Acts
from agentcli.tools.toolset import Toolset
from tests.engine.bench import Bench
from tests.fakes import ScriptedModel, calls, reply, says

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
COLUMN: Final = {Risk.READ: 0, Risk.WRITE: 1, Risk.IRREVERSIBLE: 2}
INPUT: Final = '{"who":"ann","amount":5}'


def crash(consulted: HookInput) -> None:
    raise RuntimeError


def permission(word: str, **more: Any) -> Callable[[HookInput], Any]:
    return lambda consulted: {"hookSpecificOutput": {"permissionDecision": word, **more}}


OTHER = {"who": "ann", "amount": 4}

# fmt: off
HOOKS: dict[str, tuple[Callable[[HookInput], Any] | None, Decision]] = {
    # the hook says            how it says it                                        and that is
    "none":                    (None,                                                ALLOW),
    "silent":                  (lambda consulted: None,                              ALLOW),
    "allow":                   (permission("allow"),                                 ALLOW),
    "approve":                 (lambda consulted: {"decision": "approve"},           ALLOW),
    "rewrite":                 (permission("allow", updatedInput=OTHER),             ALLOW),
    "ask":                     (permission("ask"),                                   ASK),
    "defer":                   (permission("defer"),                                 ASK),
    "ask-and-rewrite":         (permission("ask", updatedInput=OTHER),               ASK),
    "deny":                    (permission("deny"),                                  DENY),
    "block":                   (lambda consulted: {"decision": "block"},             DENY),
    "stop":                    (lambda consulted: {"continue": False},               DENY),
    "crash":                   (crash,                                               DENY),
    "nonsense":                (lambda consulted: "allow",                           DENY),
}

RULES: dict[str, tuple[dict[str, Any], dict[str, Any], Decision]] = {
    # the rule                 declared by the tool                                  of the session               says
    "none":                    ({},                                                  {},                          ALLOW),
    "met-limit":               ({"limits": [at_most("amount", "5")]},                {},                          ALLOW),
    "approval":                ({"approval": True},                                  {},                          ASK),
    "require-approval":        ({},                                                  {"require_approval": True},  ASK),
    "limit":                   ({"limits": [at_most("amount", "3")]},                {},                          DENY),
    "prerequisite":            ({"requires": [fact("known", subject="who")]},        {},                          DENY),
    "both":                    ({"approval": True, "limits": [at_most("amount", "3")]}, {},                       DENY),
}
# fmt: on


@dataclass
class Setting:
    """One call of one tool."""

    risk: Risk
    acts: Acts
    level: Level
    hooks: tuple[str, ...] = ("none",)
    rules: tuple[str, ...] = ("none",)
    done: list[int] = field(default_factory=list)

    def bench(self) -> Bench:
        declared: dict[str, Any] = {"undo": lambda values, result: None}
        session: dict[str, Any] = {}
        for rule in self.rules:
            for name, value in RULES[rule][0].items():
                declared[name] = [*declared.get(name, []), *value] if isinstance(value, list) else value
            session |= RULES[rule][1]
        tools = Toolset("desk", acts=self.acts)

        def pay(who: str, amount: int) -> dict[str, Any]:
            self.done.append(amount)
            return {}

        {Risk.READ: tools.read, Risk.WRITE: tools.write, Risk.IRREVERSIBLE: tools.irreversible}[self.risk](**declared)(pay)  # fmt: skip
        named = [HOOKS[name][0] for name in self.hooks]
        asked: list[Hook] = [PythonHook(f"h{n}", one) for n, one in enumerate(named) if one is not None]
        model = ScriptedModel(reply(calls("t1", "pay", INPUT)), reply(says("done")))
        return Bench(toolset=tools, model=model, level=self.level, hooks=Hooks(pre_tool=asked), **session)

    @property
    def strictest(self) -> Decision:
        said = [MATRIX[self.level][COLUMN[self.risk]]]
        said += [HOOKS[name][1] for name in self.hooks]
        said += [RULES[name][2] for name in self.rules]
        return max(said, key=lambda one: one.strictness)


async def carried_out(setting: Setting) -> Decision:
    """Let the call come as far as it does, and return what that amounts to."""
    bench = setting.bench()
    step = await bench.run("go")
    if isinstance(step, AwaitAnswer):
        assert setting.done == []
        bench.answer("t1")
        assert await bench.run() == End("completed")
        assert (len(setting.done), len(bench.written(e.Asked))) == (1, 1)
        return ASK
    assert step == End("completed")
    if bench.statuses() == ["ok"]:
        assert (len(setting.done), bench.written(e.Asked)) == (1, [])
        return ALLOW
    assert setting.done == []
    assert (bench.statuses(), bench.result("t1")["isRetryable"]) == (["blocked"], False)
    return DENY


@pytest.mark.parametrize("acts", Acts)
@pytest.mark.parametrize("hook", HOOKS)
async def test_the_strictest_of_hook_rule_level_and_risk_wins(hook: str, acts: Acts) -> None:
    """Allowed runs at once, asked runs after a yes, denied never runs; and nothing loosens what another said."""
    for rule, level, risk in product(RULES, Level, Risk):
        setting = Setting(risk, acts, level, (hook,), (rule,))
        assert await carried_out(setting) is setting.strictest, setting


hook_names = st.lists(st.sampled_from(list(HOOKS)), max_size=3).map(tuple)
rule_names = st.lists(st.sampled_from(list(RULES)), max_size=3).map(tuple)
plain = st.builds(
    Setting,
    st.sampled_from(Risk),
    st.sampled_from(Acts),
    st.sampled_from(Level),
    hooks=hook_names,
    rules=rule_names,
    done=st.builds(list),
)


@settings(max_examples=80, deadline=None)
@given(plain, hook_names, rule_names)
async def test_one_more_hook_or_rule_never_loosens(
    plain: Setting, hooks: tuple[str, ...], rules: tuple[str, ...]
) -> None:
    """Whatever is added, before or behind, the call comes no further than without it."""
    before = await carried_out(plain)
    behind = replace(plain, hooks=plain.hooks + hooks, rules=plain.rules + rules, done=[])
    in_front = replace(plain, hooks=hooks + plain.hooks, rules=rules + plain.rules, done=[])
    for added in (behind, in_front):
        assert (await carried_out(added)).strictness >= before.strictness
