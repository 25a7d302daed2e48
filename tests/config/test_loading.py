"""The config of this process, and what it costs to have one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentcli.config import Config, ConfigError, Flags, Places, check_tool_names, load_config, user_places
from agentcli.gate.autonomy import Level


def places(folder: Path) -> Places:
    return Places(
        config=str(folder / "config.toml"),
        store=str(folder / "agentcli.db"),
        log=str(folder / "log"),
        here=str(folder),
    )


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o600)
    return path


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    """A user who never made a config file has the defaults."""
    config = load_config(Flags(), {}, places(tmp_path))
    assert (config.agent, config.autonomy.level, config.store.path) == (
        "expenses",
        Level.PROPOSE,
        str(tmp_path / "agentcli.db"),
    )


def test_the_users_file_is_found_and_read(tmp_path: Path) -> None:
    """The file in the user's config folder counts without being named."""
    path = write(tmp_path / "config.toml", "autonomy.level = 1")
    config = load_config(Flags(), {}, places(tmp_path))
    assert (config.autonomy.level, config.sources.of("autonomy.level")) == (Level.LOOK, str(path))


@pytest.mark.parametrize("named_by", ["--config", "AGENTCLI_CONFIG"])
def test_a_named_file_replaces_the_users(tmp_path: Path, named_by: str) -> None:
    """A file that is named is read instead of the user's own, which then does not count."""
    write(tmp_path / "config.toml", "autonomy.level = 1\nagent = 'support'")
    write(tmp_path / "other.toml", "autonomy.level = 0")
    flags, environ = (
        (Flags(config="other.toml"), {})
        if named_by == "--config"
        else (Flags(), {"AGENTCLI_CONFIG": str(tmp_path / "other.toml")})
    )
    config = load_config(flags, environ, places(tmp_path))
    assert (config.autonomy.level, config.agent) == (Level.TALK, "expenses")


@pytest.mark.parametrize(
    ("flags", "environ"), [(Flags(config="none.toml"), {}), (Flags(), {"AGENTCLI_CONFIG": "none.toml"})]
)
def test_a_named_file_has_to_be_there(tmp_path: Path, flags: Flags, environ: dict[str, str]) -> None:
    """A file that is named and missing is an error, not the defaults."""
    with pytest.raises(
        ConfigError, match=r"/none\.toml: there is no such file, which (--config|AGENTCLI_CONFIG) names$"
    ):
        load_config(flags, environ, places(tmp_path))


def test_nothing_is_read_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that look like a config in the current folder do not count."""
    for name in (
        "config.toml",
        "agentcli.toml",
        ".agentcli.toml",
        "config.example.toml",
        "pyproject.toml",
        ".env",
    ):
        write(tmp_path / name, "agent = 5")
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "user"
    assert load_config(Flags(), {}, places(elsewhere)).agent == "expenses"


TOOLS = ["add_expense", "delete_expense", "process_refund"]


def loaded(tmp_path: Path, text: str, *tool_levels: str) -> Config:
    write(tmp_path / "config.toml", text)
    return load_config(Flags(tool_levels=tool_levels), {}, places(tmp_path))


def test_tools_that_exist_may_be_named(tmp_path: Path) -> None:
    """Levels and hooks for tools of any agent are fine."""
    hook = "[[hooks.pre_tool]]\ntools = ['process_refund']\ncommand = ['/check']"
    config = loaded(tmp_path, f"autonomy.tools.add_expense = 3\n{hook}", "delete_expense=1")
    check_tool_names(config, TOOLS)


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("[autonomy.tools]\nadd_expense = 3\nadd_expnse = 3", 3, "autonomy.tools.add_expnse"),
        ("[[hooks.pre_tool]]\ncommand = ['/c']\ntools = ['add_expnse']", 3, "hooks.pre_tool[0].tools"),
        (
            "[[hooks.post_tool]]\ncommand = ['/c']\n[[hooks.post_tool]]\ncommand = ['/c']\ntools = ['add_expnse']",
            5,
            "hooks.post_tool[1].tools",
        ),
    ],
    ids=["a level", "a hook before", "a hook after"],
)
def test_a_tool_that_no_agent_has_is_an_error_on_its_line(tmp_path: Path, text: str, line: int, key: str) -> None:
    """A misspelt tool would guard nothing, so it is refused with file, line, key and the nearest name."""
    with pytest.raises(ConfigError) as caught:
        check_tool_names(loaded(tmp_path, text), TOOLS)
    assert str(caught.value) == (
        f"{tmp_path / 'config.toml'}:{line}: {key}: no agent has a tool 'add_expnse'; did you mean 'add_expense'?"
    )


def test_a_tool_that_no_agent_has_is_an_error_of_its_flag(tmp_path: Path) -> None:
    """A misspelt tool on the command line is refused as it was typed."""
    with pytest.raises(ConfigError, match=r"^--tool-level zzz=1: no agent has a tool 'zzz'$"):
        check_tool_names(loaded(tmp_path, "", "zzz=1"), TOOLS)


def test_the_users_places_follow_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Config, data and state lie where the system says that this user keeps them, in folders of our name."""
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    monkeypatch.chdir(tmp_path)
    assert user_places() == Places(
        config=str(tmp_path / "XDG_CONFIG_HOME/agentcli/config.toml"),
        store=str(tmp_path / "XDG_DATA_HOME/agentcli/agentcli.db"),
        log=str(tmp_path / "XDG_STATE_HOME/agentcli/agentcli.log"),
        here=str(tmp_path),
    )
    assert not list(tmp_path.iterdir())
    assert load_config(Flags(), {}).store.path == str(tmp_path / "XDG_DATA_HOME/agentcli/agentcli.db")


def test_a_current_folder_that_is_gone_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that was removed under us only relative paths are lost."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert user_places().here == ""
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become a user that the system does not know")
def test_a_user_without_a_home_folder_is_told_so() -> None:
    """Where the system knows no home folder, the error says which variable gives one."""
    code = (
        "import os, platformdirs; from agentcli.config import ConfigError, user_places\n"
        "os.setuid(54321)\n"
        "try: user_places()\n"
        "except ConfigError as error: print(error)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={})
    assert out.stdout == "HOME: your home folder is not known; set this variable\n"


def test_importing_the_config_loads_little() -> None:
    """Packages that few commands need are not loaded with the config, nor by reading one without errors."""
    late = "{'platformdirs', 'difflib', 'importlib.resources', 'typer', 'rich', 'grp'}"
    code = (
        "import sys; from agentcli.config import *\n"
        "load_config(Flags(), {}, Places('/nowhere/c.toml', '/s', '/l', '/'))\n"
        f"print(sorted({late} & set(sys.modules)))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert out.stdout == "[]\n"
