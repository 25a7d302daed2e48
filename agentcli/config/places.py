"""Where agentcli's own files lie on this system."""

import os

from msgspec import Struct

from agentcli.config.errors import ConfigError


class Places(Struct, frozen=True):
    """The user's default files, and the folder that paths on the command line are relative to."""

    config: str
    store: str
    log: str
    here: str


def user_places() -> Places:
    """Return the places that the system's conventions give this user; no folder is made.

    Raises:
        ConfigError: The system does not say where the user's home folder is.
    """
    from platformdirs import PlatformDirs  # noqa: PLC0415  # 6 ms that not every command has to pay

    folders = PlatformDirs("agentcli", appauthor=False)
    try:
        return Places(
            config=os.path.join(folders.user_config_dir, "config.toml"),
            store=os.path.join(folders.user_data_dir, "agentcli.db"),
            log=os.path.join(folders.user_state_dir, "agentcli.log"),
            here=_here(),
        )
    except RuntimeError as error:
        raise ConfigError("HOME", "", "your home folder is not known; set this variable") from error


def history_file() -> str:
    """Return the file of the lines that were entered in conversations; it lies beside the default log."""
    return os.path.join(os.path.dirname(user_places().log), "history")


def _here() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        # The folder is gone: a relative path then stays relative and is refused.
        return ""
