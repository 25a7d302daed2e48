"""Which model answers under a name."""

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from agentcli.agents.agent import Agent
from agentcli.config import Config
from agentcli.config.errors import did_you_mean, followed
from agentcli.models.prices import KNOWN_PRICES, PLAYED_BACK
from agentcli.session.ports import Model

DEFAULT_CLAUDE: Final = "claude-sonnet-5"
OFFLINE: Final = ("offline", "offline:reckless")
OURS: Final = ("auto", *OFFLINE)
KNOWN: Final = (*OURS, *(name for name in KNOWN_PRICES if name.startswith("claude-")))
"""The names that stand for no model of the service."""

_OUR_KINDS: Final = frozenset(name.partition(":")[0] for name in (*OURS, PLAYED_BACK))
KEYS: Final = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


class NoKey(Exception):
    """A model of a service is named, and no key for it is set."""

    def __init__(self, model: str) -> None:
        needs = f"the model {model!r} needs ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, and neither is set"
        near = "" if model in KNOWN else did_you_mean(model, KNOWN)
        super().__init__(followed(needs + near, "--model offline needs none"))
        self.model = model


class UnknownModel(LookupError):
    """A name that could only be one of our own models, and is not."""

    def __init__(self, model: str) -> None:
        none = f"no model {model!r}{did_you_mean(model, KNOWN)}"
        claude = f"and Claude's by their names, such as {DEFAULT_CLAUDE}"
        super().__init__(followed(none, f"there are: {', '.join(OURS)}, {PLAYED_BACK}FILE, {claude}"))
        self.model = model


class Choice(Struct, frozen=True):
    """The model that was chosen, and why it is another one than was named, if so."""

    name: str
    note: str = ""


def choose(named: str, environ: Mapping[str, str]) -> Choice:
    """Return the model that a name in config or on the command line stands for.

    Raises:
        UnknownModel: It looks like one of ours and is none, or there is no service that could have it.
        NoKey: A model of the service is named and no key or token is set.
        BadRecording: A recording is named that can't be played back.
    """
    has_key = any(environ.get(key) for key in KEYS)
    if named == "auto":
        if has_key:
            return Choice(DEFAULT_CLAUDE)
        return Choice("offline", "no key: rules answer, not intelligence")
    if named.startswith(PLAYED_BACK):
        return _played_back(named)
    if named in OFFLINE:
        return Choice(named, "rules answer, not intelligence")
    if named.partition(":")[0].lower() in _OUR_KINDS:
        raise UnknownModel(named)
    if has_key:
        return Choice(named)
    # Which names another service has nobody can know.
    is_claude = "claude" in named.lower() or environ.get("ANTHROPIC_BASE_URL")
    raise NoKey(named) if is_claude else UnknownModel(named)


def configured(config: Config, environ: Mapping[str, str]) -> Choice:
    """Return the model that the config names.

    Raises:
        ConfigError: There is none such, or no key for it; it says what named it.
        BadRecording: As `choose` does.
    """
    try:
        return choose(config.model, environ)
    except (NoKey, UnknownModel) as error:
        raise config.sources.error(("model",), str(error)) from error


def _played_back(named: str) -> Choice:
    from agentcli.models.recording import read_recording  # noqa: PLC0415  # only the model asked for is loaded

    # By a path that means the same wherever the session is gone on with.
    path = Path(named.removeprefix(PLAYED_BACK)).absolute()
    recording = read_recording(path)
    note = "a recording is played back, no model is asked"
    if recording.is_cut:
        note += f" · it holds {recording.size}"
    return Choice(f"{PLAYED_BACK}{path}", note)


def asks_a_service(name: str) -> bool:
    """Tell whether a model of this name is asked over the network."""
    return name not in OFFLINE and not name.startswith(PLAYED_BACK)


BuildModel = Callable[[str, Agent], Model]
"""Returns the model of a name for an agent."""


def build_here(name: str, agent: Agent) -> Model:
    """Return the model of this name as this process's environment wants it."""
    return build(name, agent, os.environ)


def build_recorded(path: Path) -> BuildModel:
    """Return what builds models whose replies are kept in a file, which is begun anew with the first of them.

    What is returned raises `BadRecording` where it can't be written.
    """
    from agentcli.models.recording import begin_recording  # noqa: PLC0415  # only recording needs it
    from agentcli.models.replay import RecordingModel  # noqa: PLC0415  # as above

    begin_once = cache(begin_recording)

    def build_model(name: str, agent: Agent) -> Model:
        # What is played back may be the same file, and has been read by then.
        model = build_here(name, agent)
        begin_once(path)
        return RecordingModel(model, path)

    return build_model


def build(name: str, agent: Agent, environ: Mapping[str, str]) -> Model:
    """Return the model of this name; nothing slow is imported before it is asked."""
    if name in OFFLINE:
        from agentcli.models.offline import OfflineModel  # noqa: PLC0415  # only the model asked for is loaded

        rules = agent.reckless if name == "offline:reckless" else agent.offline
        return OfflineModel(rules, name=name)
    if name.startswith(PLAYED_BACK):
        from agentcli.models.replay import ReplayModel  # noqa: PLC0415  # as above

        return ReplayModel(name, Path(name.removeprefix(PLAYED_BACK)))
    from agentcli.models.anthropic import AnthropicModel  # noqa: PLC0415  # only the model asked for is loaded
    from agentcli.models.connection import connection_from  # noqa: PLC0415

    return AnthropicModel(name, connection_from(environ))
