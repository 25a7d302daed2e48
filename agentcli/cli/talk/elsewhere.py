"""Another session for a conversation that goes on: a new one, or one that exists."""

from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from agentcli.config import Config, Flags
from agentcli.terminal.slash.wishes import GoTo, New
from agentcli.wiring.opening import Opening, begin, go_on_with

EARLIER: Final = "earlier "


def opened_elsewhere(wanted: New | GoTo, here: Opening, config: Config) -> Opening:
    """Hold the session that is wanted instead of the one that is open, which stays open.

    Raises:
        UnknownAgent, ConfigError, NoKey: What it needs can't be had.
        SessionBusy: Another process holds it.
    """
    match wanted:
        case New(agent):
            named = agent or here.session.agent.name
            return begin(msgspec.structs.replace(config, agent=named), here.store, here.build)
        case GoTo(session):
            return go_on_with(_said_before(config), here.store, session, Flags(), here.build)
        case never:
            assert_never(never)


def _said_before(config: Config) -> Config:
    """Return the config for another session: what the command line said was not said of that one."""
    given = config.sources.given.items()
    earlier = {key: EARLIER + source if source.startswith("--") else source for key, source in given}
    return msgspec.structs.replace(config, sources=replace(config.sources, given=earlier))
