"""What the gate would say about a call at every level. Nothing is run, asked or stored."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from agentcli.agents.agent import Agent
from agentcli.config import Config
from agentcli.engine.clock import SystemClock
from agentcli.engine.executor import Executor
from agentcli.engine.gatekeeper import Gatekeeper
from agentcli.gate.autonomy import Level, effective_level
from agentcli.gate.decide import RULES, RULES_ABOUT_ANY_INPUT
from agentcli.gate.verdicts import Decision, RuleName
from agentcli.session.call import Call
from agentcli.session.entries import Opened
from agentcli.session.fold import fold
from agentcli.session.run import limit_before_call, limit_before_question
from agentcli.session.state import State
from agentcli.store.register import NoSuch
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.tool import Tool
from agentcli.wiring import stores
from agentcli.wiring.agents import AgentIsFixed, options_of, wants_sample
from agentcli.wiring.hooks import name_of
from agentcli.wiring.log import new_reference

NO_SESSION: Final = ""


class Spoken(msgspec.Struct, frozen=True):
    """What one rule says; without a decision it has not been asked, and the reason says what it would look at."""

    rule: str
    decision: Decision | None
    reason: str


class AtLevel(msgspec.Struct, frozen=True):
    """What the gate says about a call at one level."""

    level: Level
    decision: Decision
    rules: tuple[Spoken, ...]


class Explanation(Struct, frozen=True):
    """What the gate says at every level, and the level that the tool is at now."""

    levels: tuple[AtLevel, ...]
    now: Level


def explain(
    config: Config,
    agent: Agent,
    tool: Tool,
    input_text: str | None,
    store: SqliteStore | None,
    session: str | None,
) -> Explanation:
    """Return what the gate would say about a call.

    Args:
        input_text: JSON as a model would send it; None for any call of the tool.
        store: Where the agent's books are, of which a copy is looked at; None where there is no store yet.
        session: Whose facts, declines and limits count; None for those of an empty session.
    """
    clock, options, catalog = SystemClock(), options_of(config, agent), agent.toolset.by_name
    state = _state(config, agent, store, session)
    gatekeeper = Gatekeeper(catalog, Executor(catalog, options, clock, new_reference), clock, new_reference)
    call = Call("", tool.name, input_text or "{}", 1, 1)
    with SqliteStore.in_memory() if store is None else store.sandbox() as books:
        stores.prepare_books(books, agent, options, sample=wants_sample(config, agent), today=clock.today())
        with books.look() as tables:
            rules = RULES_ABOUT_ANY_INPUT if input_text is None else RULES
            rulings = gatekeeper.explain(state, call, tables, rules)
    before = tuple(_run_limit(state, tool, clock.now()))
    unasked = () if input_text is not None else tuple(_waiting_for_input(agent, tool, options))
    hooks = tuple(_hooks(config, tool))
    levels = []
    for level, ruling in rulings.items():
        spoken = [Spoken(one.rule, one.decision, one.reason) for one in ruling.verdicts]
        behind = () if ruling.decision is Decision.DENY else hooks
        asking = _limit_on_questions(state) if ruling.decision is Decision.ASK else ()
        levels.append(AtLevel(level, ruling.decision, (*before, *spoken, *unasked, *behind, *asking)))
    return Explanation(tuple(levels), effective_level(state.level, state.tool_levels.get(tool.name)))


def agent_of(store: SqliteStore, session: str, wanted: str | None) -> str:
    """Return the name of the agent that a session is with.

    Raises:
        NoSuch: There is no such session.
        AgentIsFixed: Another one is wanted.
    """
    opened = store.newest(session, Opened.kind)
    if opened is None:
        raise NoSuch("session", session)
    assert isinstance(opened.entry, Opened)
    if wanted not in (None, opened.entry.agent):
        raise AgentIsFixed(session, opened.entry.agent, str(wanted))
    return opened.entry.agent


def _state(config: Config, agent: Agent, store: SqliteStore | None, session: str | None) -> State:
    """Return where the session stands, or one that begins now."""
    risks = {tool.name: tool.risk for tool in agent.toolset}
    if store is None or session is None:
        state = State(NO_SESSION, risks)
        state.level = Level(config.autonomy.level)
        state.tool_levels = {tool: Level(level) for tool, level in config.autonomy.tools.items()}
    else:
        state = fold(session, store.records(session), risks)
    state.require_approval = config.approval.require
    return state


def _run_limit(state: State, tool: Tool, now: datetime) -> Iterator[Spoken]:
    """Yield the limit that ends the session's open run before the call is decided, if there is one."""
    if state.run is None:
        return
    limit = limit_before_call(state.run, now, risk=tool.risk)
    if limit is not None:
        yield Spoken(
            RuleName.RUN_LIMIT, None, f"the open run has reached limits.{limit} and ends before this call"
        )


def _limit_on_questions(state: State) -> Iterator[Spoken]:
    """Yield the limit that ends the session's open run before a person is asked, if there is one."""
    limit = None if state.run is None else limit_before_question(state.run)
    if limit is not None:
        yield Spoken(
            RuleName.RUN_LIMIT, None, f"the open run has reached limits.{limit} and ends before this question"
        )


def _waiting_for_input(agent: Agent, tool: Tool, options: Mapping[str, Any]) -> Iterator[Spoken]:
    """Yield what the rules would look at if there was an input."""
    members = ", ".join(tool.schema.record.__struct_fields__) or "nothing"
    yield Spoken(RuleName.SCHEMA, None, f"the input has to fit; it takes {members}")
    for rule in tool.requires:
        sources = [one.name for one in agent.toolset if any(shown.name == rule.name for shown in one.establishes)]
        shown_by = f", shown by {' or '.join(sources)}" if sources else ""
        yield Spoken(RuleName.PREREQUISITE, None, f"{rule.name} has to hold for {rule.subject}{shown_by}")
    for limit in tool.limits:
        most = options[limit.option] if limit.most is None else limit.most
        yield Spoken(RuleName.LIMIT, None, f"{limit.field} is at most {most}")


def _hooks(config: Config, tool: Tool) -> Iterator[Spoken]:
    """Yield the hooks that would be asked about a call that nothing has denied."""
    for hook in config.hooks.pre_tool:
        if not hook.tools or tool.name in hook.tools:
            yield Spoken(RuleName.HOOK, None, f"the hook {name_of(hook)} is asked; it can only tighten")
