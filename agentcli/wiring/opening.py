"""A session as config and command line want it: a new one, or one to go on with."""

import os
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from agentcli.config import Config, Flags
from agentcli.config.sources import DEFAULT
from agentcli.gate.autonomy import Level
from agentcli.models.connection import connection_from, foreign_host
from agentcli.session.allowance import RunLimits, Usage
from agentcli.session.entries import Attached, Opened
from agentcli.store.register import NoSuch
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.agents import AgentIsFixed, load_agent
from agentcli.wiring.levels import Levels
from agentcli.wiring.models import BuildModel, Choice, asks_a_service, build_here, choose, configured
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms, terms_of


class Circumstances(Struct, frozen=True, kw_only=True):
    """What a person is told before a session goes on: who and what it is, and what is unusual about it.

    `level_from` is what gave the level: `default`, `saved`, or the file, flag or variable; `tool_levels_from` says
    the same of the tools that have their own. `model_note` says why it is this model, where that needs saying.
    `foreign_host` is where conversations go if not to Anthropic.
    """

    agent: str
    model: str
    level: Level
    level_from: str = DEFAULT
    model_note: str = ""
    tool_levels: Mapping[str, Level]
    tool_levels_from: Mapping[str, str] = field(default_factory=dict)
    require_approval: bool = False
    limits: RunLimits
    knows_price: bool = True
    foreign_host: str | None = None


class Opening(Struct, frozen=True):
    """A session that is held by this process from here on, and the store it is in."""

    session: Session
    store: SqliteStore
    circumstances: Circumstances
    build: BuildModel = build_here


def begin(config: Config, store: SqliteStore, build: BuildModel = build_here) -> Opening:
    """Begin a session with the agent and the model that the config names.

    Raises:
        UnknownAgent, ConfigError: What the config names can't be had; no session was begun.
    """
    agent = load_agent(config, config.agent)
    choice = configured(config, os.environ)
    terms = replace(terms_of(config, agent, choice.name), build=build)
    return _opening(config, store, Session.begin(agent, store, terms), terms, choice)


def go_on_with(
    config: Config, store: SqliteStore, session: str, flags: Flags, build: BuildModel = build_here
) -> Opening:
    """Hold a session that exists: its agent stays, its model too unless a flag names another.

    Raises:
        AgentIsFixed: A flag names another agent.
        UnknownAgent, ConfigError, NoKey: What the session was begun with can't be had any more.
        SessionBusy: Another process holds it.
    """
    saved_agent, saved_model = _saved(store, session)
    if flags.agent not in (None, saved_agent):
        raise AgentIsFixed(session, saved_agent, str(flags.agent))
    # Who else has it is told first: to mend the rest would be of no use.
    with store.hold(session):
        agent = load_agent(config, saved_agent)
        choice = choose(flags.model or saved_model, os.environ)
        terms = replace(terms_of(config, agent, choice.name), build=build)
    return _opening(config, store, Session.go_on_with(agent, store, session, terms), terms, choice)


def hold_for_a_person(config: Config, store: SqliteStore, session: str) -> Session:
    """Hold a session that exists for what a person does in it themselves: no model is asked, so none is chosen.

    Raises:
        UnknownAgent, ConfigError: What the session was begun with can't be had any more.
        SessionBusy: Another process holds it.
    """
    saved_agent, saved_model = _saved(store, session)
    agent = load_agent(config, saved_agent)
    # No level is asked about a person's own act, so the saved ones stay as they are.
    terms = replace(terms_of(config, agent, saved_model), levels=Levels(Level.ALONE, {}))
    return Session.go_on_with(agent, store, session, terms)


def host_of(model: str) -> str | None:
    """Return where conversations with a model go, if that is neither here nor Anthropic."""
    return foreign_host(connection_from(os.environ).base_url) if asks_a_service(model) else None


def _saved(store: SqliteStore, session: str) -> tuple[str, str]:
    opened, attached = store.newest(session, Opened.kind), store.newest(session, Attached.kind)
    if opened is None:
        raise NoSuch("session", session)
    assert isinstance(opened.entry, Opened)
    if attached is None:
        return opened.entry.agent, opened.entry.model
    assert isinstance(attached.entry, Attached)
    return opened.entry.agent, attached.entry.model


def _opening(config: Config, store: SqliteStore, session: Session, terms: Terms, choice: Choice) -> Opening:
    state = session.state
    own_levels = {} if state.level is Level.TALK else state.tool_levels
    is_configured = terms.said_level or state.level is terms.levels.session
    return Opening(
        session,
        store,
        Circumstances(
            agent=session.agent.name,
            model=choice.name,
            level=state.level,
            level_from=config.sources.of("autonomy.level") if is_configured else "saved",
            model_note=choice.note,
            tool_levels={tool: level for tool, level in own_levels.items() if level is not state.level},
            tool_levels_from={tool: _given_by(config, terms, tool, level) for tool, level in own_levels.items()},
            require_approval=state.require_approval,
            limits=terms.limits,
            knows_price=terms.price(choice.name, Usage()) is not None,
            foreign_host=host_of(choice.name),
        ),
        terms.build,
    )


def _given_by(config: Config, terms: Terms, tool: str, level: Level) -> str:
    is_configured = tool in terms.said_tools or terms.levels.tools.get(tool) is level
    return config.sources.of(f"autonomy.tools.{tool}") if is_configured else "saved"
