"""The agent of a name: one that ships, or one of the user's own, read from files that nobody else can change."""

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from agentcli.agents import SHIPPED, shipped
from agentcli.agents.agent import Agent
from agentcli.config import Config, ConfigError, UnsafeFileError, check_tool_names, read_guarded
from agentcli.config.errors import Key, did_you_mean, followed
from agentcli.config.records import OwnAgent
from agentcli.tools.tool import Acts
from agentcli.tools.toolset import Toolset
from agentcli.wiring.own_code import OwnCodeError, load_own_code


class UnknownAgent(LookupError):
    """No agent of this name ships, and none is configured."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        names = tuple(known)
        super().__init__(
            followed(f"no agent {name!r}{did_you_mean(name, names)}", f"there are: {', '.join(names)}")
        )
        self.name = name


class AgentIsFixed(Exception):
    """A session can't be gone on with by another agent."""

    def __init__(self, session: str, saved: str, wanted: str) -> None:
        super().__init__(
            f"session {session!r} is with the agent {saved!r}, which can't be changed to {wanted!r}; "
            "leave --agent out, or begin a new session"
        )


def names(config: Config) -> tuple[str, ...]:
    """Return the names of all agents that there are."""
    return (*SHIPPED, *config.agents.own)


def load_agent(config: Config, name: str) -> Agent:
    """Return the agent of this name, its options and the tools named in the config checked.

    Raises:
        UnknownAgent: There is no such agent.
        ConfigError: A file of an own agent or an option can't be used, or a tool that no agent has is named.
    """
    agent = _load(config, name)
    problem = agent.check_options(options_of(config, agent))
    if problem is not None:
        option, what = problem
        raise config.sources.error(("agents", name, option), what)
    _check_tool_names(config, agent)
    return agent


def tool_names(config: Config) -> frozenset[str]:
    """Return the names of all tools that any agent has.

    Raises:
        ConfigError: A file of an own agent can't be used.
    """
    return frozenset(tool for name in names(config) for tool in _load(config, name).toolset.by_name)


def options_of(config: Config, agent: Agent) -> dict[str, Any]:
    """Return an agent's options, the configured ones over its defaults; `sample` is none of them."""
    if agent.name not in SHIPPED:
        return dict(agent.options)
    given = msgspec.structs.asdict(getattr(config.agents, agent.name))
    if "problems" in agent.options:
        given["problems"] = config.problems
    return {**agent.options, **{name: value for name, value in given.items() if name != "sample"}}


def wants_sample(config: Config, agent: Agent) -> bool:
    """Tell whether an agent starts with its sample data."""
    return agent.name not in SHIPPED or bool(getattr(config.agents, agent.name).sample)


def _load(config: Config, name: str) -> Agent:
    if name in SHIPPED:
        return shipped(name)
    if name in config.agents.own:
        return _own_agent(config, name, config.agents.own[name])
    raise UnknownAgent(name, names(config))


def _check_tool_names(config: Config, agent: Agent) -> None:
    """Look for named tools in this agent first: the others are only loaded where one is not found there."""
    try:
        check_tool_names(config, agent.toolset.by_name)
    except ConfigError:
        check_tool_names(config, tool_names(config))


def _own_agent(config: Config, name: str, own: OwnAgent) -> Agent:
    at: Key = ("agents", name, "tools")
    try:
        toolset = _the_toolset(load_own_code(Path(own.tools)))
    except (OwnCodeError, UnsafeFileError) as error:
        raise config.sources.error(at, str(error)) from error
    for tool in toolset:
        if tool.acts is not Acts.ELSEWHERE:
            raise config.sources.error(at, f"tool {tool.name!r}: tools of your own act outside the store")
        for limit in tool.limits:
            if limit.most is None:
                told = f"tool {tool.name!r}: an agent of your own has no options, so its limit needs a bound"
                raise config.sources.error(at, told)
    prompt = _prompt(config, ("agents", name, "prompt"), Path(own.prompt)) if own.prompt else ""
    return Agent(name=name, toolset=toolset, load_prompt=lambda: prompt)


def _the_toolset(module: ModuleType) -> Toolset:
    found = {id(value): value for value in vars(module).values() if isinstance(value, Toolset)}
    if len(found) != 1:
        told = f"it holds {len(found)} Toolsets instead of one"
        hint = "" if found else f', as in tools = Toolset("{Path(str(module.__file__)).stem}")'
        raise OwnCodeError(Path(str(module.__file__)), told + hint)
    return next(iter(found.values()))


def _prompt(config: Config, at: Key, path: Path) -> str:
    try:
        return read_guarded(path).decode()
    except UnsafeFileError as error:
        raise config.sources.error(at, str(error)) from error
    except OSError as error:
        raise config.sources.error(at, f"{path}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise config.sources.error(at, f"{path}: is not UTF-8") from error
