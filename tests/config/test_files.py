"""The config file on disk."""

from pathlib import Path

import pytest

from agentcli.config.errors import ConfigError
from agentcli.config.files import NO_FILE, read_file


def write(path: Path, text: str, mode: int = 0o600) -> str:
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_a_file_is_read_with_its_sources(tmp_path: Path) -> None:
    """What a file says is kept together with where it says it."""
    path = write(tmp_path / "config.toml", "[limits]\nsteps = 3\n[[hooks.pre_tool]]\ncommand = ['/check']")
    file = read_file(path, may_be_missing=False)
    assert file.document["limits"] == {"steps": 3}
    assert file.sources.of("limits.steps") == path
    assert file.sources.of("hooks.pre_tool[0].command") == path
    assert file.sources.of("limits.tokens") == "default"


def test_the_default_file_may_be_missing(tmp_path: Path) -> None:
    """Without a config file the defaults hold."""
    assert read_file(str(tmp_path / "none.toml"), may_be_missing=True) is NO_FILE


def test_a_named_file_may_not_be_missing(tmp_path: Path) -> None:
    """A file that was asked for by name is an error if it is not there."""
    with pytest.raises(ConfigError, match=r"none\.toml: there is no such file$"):
        read_file(str(tmp_path / "none.toml"), may_be_missing=False)


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    """A default file that is a broken link was meant to hold, so nothing runs without it."""
    link = tmp_path / "config.toml"
    link.symlink_to(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="there is no such file"):
        read_file(str(link), may_be_missing=True)


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    """What can't be read is an error with the system's reason."""
    with pytest.raises(ConfigError, match="can't be read: Is a directory"):
        read_file(str(tmp_path), may_be_missing=True)


@pytest.mark.parametrize("may_be_missing", [True, False])
def test_a_file_that_others_can_write_is_an_error(tmp_path: Path, may_be_missing: bool) -> None:
    """Nothing is read from a file that everybody can write, and the error says what to do."""
    path = write(tmp_path / "config.toml", "model = 'offline'", 0o666)
    with pytest.raises(ConfigError) as caught:
        read_file(path, may_be_missing=may_be_missing)
    assert str(caught.value) == f"{path}: can be written by everybody; `chmod go-w` takes that right away"


def test_a_wrong_value_on_disk_is_an_error_on_its_line(tmp_path: Path) -> None:
    """The path of the file stands first in the message."""
    path = write(tmp_path / "config.toml", "\n\nmodel = 5")
    with pytest.raises(ConfigError) as caught:
        read_file(path, may_be_missing=True)
    assert str(caught.value).startswith(f"{path}:3: model: 5 is not a name")
