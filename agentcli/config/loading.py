"""The config of this process, from its command line, its environment and the user's file."""

import os
from collections.abc import Iterable, Iterator, Mapping

from agentcli.config.apart import require_apart
from agentcli.config.errors import Key, did_you_mean
from agentcli.config.files import read_file
from agentcli.config.places import Places, user_places
from agentcli.config.precedence import Flags, config_path, resolve
from agentcli.config.records import Config
from agentcli.config.sources import DEFAULT


def load_config(flags: Flags, environ: Mapping[str, str], places: Places | None = None) -> Config:
    """Return the config that holds for this process; without places, those of the user.

    Raises:
        ConfigError: A flag, a variable or the file can't be used, others can change the file, two settings name
            one file, or `--db` names a file in a folder that is not there.
    """
    places = places or user_places()
    path, named_by = config_path(flags, environ, places)
    file = read_file(path, may_be_missing=named_by == DEFAULT, named_by=named_by)
    config = resolve(flags, environ, file, places)
    require_apart(config)
    _require_folder(config)
    return config


def _require_folder(config: Config) -> None:
    """Refuse a store whose folder, typed just now, is not there: mistyped, it would be one without any session."""
    folder = os.path.dirname(config.store.path) or os.curdir
    if config.sources.of("store.path") == "--db" and not os.path.isdir(folder):
        raise config.sources.error(
            ("store", "path"), f"there is no folder {folder!r}; make it, or correct the path"
        )


def check_tool_names(config: Config, known: Iterable[str]) -> None:
    """Refuse a level or a hook for a tool that no agent has: a misspelt name would guard nothing.

    Raises:
        ConfigError: About the first such tool, where the file or `--tool-level` names it.
    """
    names = set(known)
    for key, tool in _named_tools(config):
        if tool not in names:
            raise config.sources.error(key, f"no agent has a tool {tool!r}{did_you_mean(tool, names)}")


def _named_tools(config: Config) -> Iterator[tuple[Key, str]]:
    for tool in config.autonomy.tools:
        yield ("autonomy", "tools", tool), tool
    for event, hooks in (("pre_tool", config.hooks.pre_tool), ("post_tool", config.hooks.post_tool)):
        for index, hook in enumerate(hooks):
            for tool in hook.tools:
                yield ("hooks", event, index, "tools"), tool
