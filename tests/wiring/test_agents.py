"""The agent of a name: one that ships, or one of the user's own."""

import sys
from pathlib import Path

import pytest

from agentcli.agents import SHIPPED
from agentcli.config import Config, ConfigError, Flags, load_config
from agentcli.config.places import Places
from agentcli.tools.risk import Risk
from agentcli.wiring.agents import AgentIsFixed, UnknownAgent, load_agent, names, options_of, wants_sample

TOOLS = """
from dataclasses import dataclass
from agentcli import Toolset

tools = Toolset("garage")
same = tools

@dataclass
class Car:
    plate: str

@tools.read
def find_car(plate: str) -> dict:
    "Find a car."
    return {"owner": None}

@tools.tool
def poke(plate: str) -> dict:
    "No risk given."
    return {}
"""


def config_of(tmp_path: Path, text: str, **flags: str) -> Config:
    """The config that a file of this text comes to."""
    path = tmp_path / "config.toml"
    path.write_text(text)
    path.chmod(0o600)
    places = Places(str(path), str(tmp_path / "store.db"), str(tmp_path / "log"), str(tmp_path))
    return load_config(Flags(**flags), {}, places)  # type: ignore[arg-type]


def own(tmp_path: Path, tools: str = TOOLS, more: str = "") -> Config:
    """A config with an agent of the user's own called `mine`."""
    path = tmp_path / "tools.py"
    path.write_text(tools)
    path.chmod(0o600)
    return config_of(tmp_path, f'agent = "mine"\n[agents.mine]\ntools = "{path}"\n{more}')


@pytest.mark.parametrize("name", SHIPPED)
def test_every_agent_that_ships_is_found(tmp_path: Path, name: str) -> None:
    """Each has tools and a prompt."""
    agent = load_agent(config_of(tmp_path, ""), name)
    assert agent.name == name
    assert agent.load_prompt()
    assert list(agent.toolset)


def test_an_unknown_agent_is_told_with_the_nearest_word(tmp_path: Path) -> None:
    """What there is, and what may have been meant."""
    with pytest.raises(UnknownAgent, match=r"no agent 'expnses'; did you mean 'expenses'\? there are: expenses"):
        load_agent(config_of(tmp_path, ""), "expnses")


def test_an_agent_of_the_users_own_is_loaded_from_its_file(tmp_path: Path) -> None:
    """The one Toolset of the file, under the name that the config gives it; without a risk a tool is irreversible."""
    config = own(tmp_path)
    agent = load_agent(config, "mine")
    assert names(config) == (*SHIPPED, "mine")
    assert (agent.name, agent.load_prompt()) == ("mine", "")
    assert {tool.name: tool.risk for tool in agent.toolset} == {"find_car": Risk.READ, "poke": Risk.IRREVERSIBLE}
    assert options_of(config, agent) == {}
    assert wants_sample(config, agent)


def test_its_prompt_is_read_from_its_file(tmp_path: Path) -> None:
    """The prompt is a text file of its own."""
    prompt = tmp_path / "prompt.md"
    prompt.write_text("Mind the café.")
    prompt.chmod(0o600)
    assert load_agent(own(tmp_path, more=f'prompt = "{prompt}"\n'), "mine").load_prompt() == "Mind the café."


def test_the_folder_of_its_file_is_not_imported_from(tmp_path: Path) -> None:
    """Only the file that was checked is run."""
    (tmp_path / "beside.py").write_text("")
    before = list(sys.path)
    (tmp_path / "folder").mkdir()
    for module, name in (("beside", "beside"), ("folder.inside", "folder")):
        with pytest.raises(
            ConfigError, match=f"No module named {name!r}; what lies beside the file is not imported"
        ):
            load_agent(own(tmp_path, f"import {module}\n"), "mine")
    with pytest.raises(ConfigError, match=r"No module named 'nowhere'$"):
        load_agent(own(tmp_path, "import nowhere\n"), "mine")
    assert sys.path == before


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ("def broken(:", "tools.py:1: "),
        ("x = 1\nraise RuntimeError('boom')", "tools.py:2: RuntimeError: boom"),
        ("class Abort(BaseException): ...\nraise Abort('gone')", "tools.py:2: Abort: gone"),
        ("raise EOFError('EOF')", "tools.py:1: EOFError: EOF; there is nothing to read here"),
        ("x = 1", 'it holds 0 Toolsets instead of one, as in tools = Toolset("tools")'),
        ("from agentcli import Toolset\na, b = Toolset('a'), Toolset('b')", "it holds 2 Toolsets instead of one"),
        (
            "from agentcli import Toolset\ntools = Toolset('a')\n@tools.read\ndef find(plate) -> dict: ...",
            "tool 'find', parameter 'plate'",
        ),
        (
            "from agentcli import Toolset\nfrom agentcli.tools.tool import Acts\n"
            "tools = Toolset('a', acts=Acts.IN_STORE)\n@tools.read\ndef find() -> dict: ...",
            "tools of your own act outside the store",
        ),
    ],
    ids=["no Python", "fails", "aborts", "asks", "no toolset", "two toolsets", "no annotation", "in the store"],
)
def test_a_file_that_cant_be_used_is_named_with_its_key(tmp_path: Path, tools: str, said: str) -> None:
    """The config's file, line and key, and what is wrong with the tools."""
    with pytest.raises(ConfigError) as raised:
        load_agent(own(tmp_path, tools), "mine")
    assert raised.value.key == "agents.mine.tools"
    assert raised.value.line == 3
    assert said in str(raised.value)


def test_files_that_others_can_write_are_refused(tmp_path: Path) -> None:
    """Whoever can write the tools or the prompt decides what is done."""
    config = own(tmp_path)
    (tmp_path / "tools.py").chmod(0o666)
    with pytest.raises(ConfigError, match="can be written by everybody"):
        load_agent(config, "mine")
    prompt = tmp_path / "prompt.md"
    prompt.write_text("")
    prompt.chmod(0o666)
    with pytest.raises(ConfigError, match=r"agents\.mine\.prompt: .*can be written by everybody"):
        load_agent(own(tmp_path, more=f'prompt = "{prompt}"\n'), "mine")


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "can't be read: No such file"), (b"\xff", "is not UTF-8")],
    ids=["missing", "no text"],
)
def test_a_prompt_that_cant_be_read_is_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    """An agent without the boundaries it was meant to have does not start."""
    prompt = tmp_path / "prompt.md"
    if content is not None:
        prompt.write_bytes(content)
        prompt.chmod(0o600)
    with pytest.raises(ConfigError, match=said):
        load_agent(own(tmp_path, more=f'prompt = "{prompt}"\n'), "mine")


def test_a_wrong_option_is_named_with_its_key(tmp_path: Path) -> None:
    """An agent says what is wrong with its own options."""
    with pytest.raises(ConfigError, match=r"agents\.expenses\.currency"):
        load_agent(config_of(tmp_path, '[agents.expenses]\ncurrency = "XYZ"\n'), "expenses")


def test_options_are_the_configured_ones_over_the_defaults(tmp_path: Path) -> None:
    """`sample` says how the books begin and is no option of the agent."""
    config = config_of(tmp_path, '[agents.expenses]\ncurrency = "EUR"\nsample = false\n')
    agent = load_agent(config, "expenses")
    assert options_of(config, agent)["currency"] == "EUR"
    assert "sample" not in options_of(config, agent)
    assert not wants_sample(config, agent)


def test_a_level_for_another_agents_tool_is_no_mistake(tmp_path: Path) -> None:
    """The config is one for all agents."""
    config = config_of(tmp_path, "[autonomy.tools]\nprocess_refund = 1\n")
    assert load_agent(config, "expenses").name == "expenses"


def test_a_level_for_a_tool_that_no_agent_has_is_one(tmp_path: Path) -> None:
    """A misspelt name would guard nothing."""
    config = own(tmp_path, more="[autonomy.tools]\npoke = 1\nfind_cart = 1\n")
    with pytest.raises(ConfigError, match=r"no agent has a tool 'find_cart'; did you mean 'find_car'\?"):
        load_agent(config, "expenses")


def test_an_agent_is_for_a_session_as_long_as_it_lasts() -> None:
    """What to do instead is said."""
    assert str(AgentIsFixed("s1", "expenses", "support")).endswith("leave --agent out, or begin a new session")
