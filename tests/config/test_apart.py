"""No setting names a file that another one keeps."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agentcli.config import ConfigError, Flags, Places, load_config
from agentcli.config.apart import BESIDE_LOG, BESIDE_STORE
from agentcli.store.holder import FOLDER_SUFFIX
from agentcli.wiring.log import FILES


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(
        config=str(tmp_path / "config.toml"),
        store=str(tmp_path / "agentcli.db"),
        log=str(tmp_path / "agentcli.log"),
        here=str(tmp_path),
    )


def refusal(places: Places, config: str, flags: Flags = Flags()) -> str:  # noqa: B008  # a frozen record
    """What is said about a config that can't be used, its folder left out."""
    path = Path(places.config)
    path.write_text(config)
    path.chmod(0o600)
    with pytest.raises(ConfigError) as caught:
        load_config(flags, {}, places)
    return str(caught.value).replace(f"{places.here}/", "")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("[audit]\nfile = '{}/agentcli.db'", ":2: audit.file: 'agentcli.db' is kept for the store"),
        ("[audit]\nfile = '{}/x/../agentcli.db'", ":2: audit.file: 'x/../agentcli.db' is kept for the store"),
        ("[audit]\nfile = '{}/agentcli.db-wal'", ":2: audit.file: 'agentcli.db-wal' is kept for the store"),
        ("[audit]\nfile = '{}/agentcli.log'", ":2: audit.file: 'agentcli.log' is kept for the log"),
        ("[audit]\nfile = '{}/agentcli.log.1'", ":2: audit.file: 'agentcli.log.1' is kept for the log"),
        ("[audit]\nfile = '{}/config.toml'", ":2: audit.file: 'config.toml' is kept for the config"),
        ("[log]\nfile = '{}/agentcli.db'", ":2: log.file: 'agentcli.db' is kept for the store"),
        ("[log]\nfile = '{}/config.toml'", ":2: log.file: 'config.toml' is kept for the config"),
        ("[store]\npath = '{}/agentcli.log'", ":2: store.path: 'agentcli.log' is kept for the log"),
        ("[store]\npath = '{}/config.toml'", ":2: store.path: 'config.toml' is kept for the config"),
    ],
)
def test_a_file_has_one_purpose(places: Places, setting: str, said: str) -> None:
    """The error names the file, the line and the key that somebody has to change."""
    told = refusal(places, setting.format(places.here))
    assert told == f"config.toml{said}; name another file"
    assert not Path(places.store).exists()


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_another_name_of_a_file_is_the_same_file(places: Places, link: Callable[[str, str], None]) -> None:
    """Be it a link of either kind."""
    Path(places.store).touch()
    mirror = f"{places.here}/mirror"
    link(places.store, mirror)
    assert "audit.file: 'mirror' is kept for the store" in refusal(places, f"audit.file = '{mirror}'")


def test_what_the_command_line_names_counts_as_well(places: Places) -> None:
    """A mirror is no store that somebody opens by `--db`, nor is the log."""
    config = f"audit.file = '{places.here}/mirror'"
    assert refusal(places, config, Flags(db="mirror")).startswith(
        "config.toml:1: audit.file: 'mirror' is kept for"
    )
    assert refusal(places, config, Flags(db="agentcli.log")) == (
        "--db: 'agentcli.log' is kept for the log; name another file"
    )


def test_defaults_count_without_a_config_file(places: Places) -> None:
    """What is named on the command line may be kept for something else already."""
    with pytest.raises(ConfigError, match=r"^--db: '.*agentcli\.log\.1' is kept for the log"):
        load_config(Flags(db="agentcli.log.1"), {}, places)


def test_files_apart_are_fine(places: Places) -> None:
    """A mirror beside the store is a file of its own, there or not."""
    config = Path(places.config)
    config.write_text(f"audit.file = '{places.store}.mirror'")
    config.chmod(0o600)
    assert load_config(Flags(), {}, places).audit.file == f"{places.store}.mirror"
    Path(f"{places.store}.mirror").touch()
    assert load_config(Flags(), {}, places).audit.file == f"{places.store}.mirror"


def test_what_stands_beside_is_known() -> None:
    """The older files of the log, and the folder of locks, end as those who make them say."""
    assert tuple(f".{number}" for number in range(1, FILES)) == BESIDE_LOG
    assert FOLDER_SUFFIX in BESIDE_STORE
