"""What a config file may say, and what is said about one that can't be used."""

from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.config.errors import ConfigError
from agentcli.config.files import parse_file
from agentcli.config.reading import read_config
from agentcli.config.records import Config, Hook, OwnAgent, Price
from agentcli.gate.autonomy import Level
from agentcli.problems import Pair
from tests.config.bad_files import BAD_FILES


def config_of(text: str) -> Config:
    file = parse_file("my.toml", text.encode())
    return read_config(file.document, file.sources.error)


def error_of(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        parse_file("my.toml", text.encode())
    return caught.value


def test_an_empty_file_changes_nothing() -> None:
    """A file without keys leaves every default as it is."""
    assert config_of("") == Config()


def test_every_kind_of_key_is_read() -> None:
    """A file may hold levels, limits, prices, hooks, problems, agents that ship and agents of one's own."""
    config = config_of(
        """
        agent = "mine"
        [autonomy]
        level = 1
        tools.add_expense = 3
        [limits]
        cost_usd = "0.25"
        [approval]
        without_terminal = "irreversible"
        [prices."claude-sonnet-5"]
        input = "3.00"
        output = "15"
        cache_read = "0.30"
        cache_write = "3.75"
        [[hooks.pre_tool]]
        tools = ["process_refund"]
        command = ["/opt/check", "--strict", ""]
        timeout = 0.5
        [[hooks.pre_tool]]
        python = "/opt/policy.py:check"
        [[problems]]
        type = "https://api.example.test/problems/too-long"
        status = 422
        decision = "REVIEW_INPUT"
        reason = "KNOWN_TOO_LONG"
        [agents.briefs]
        api_url = "https://api.example.test/v1"
        [agents.mine]
        tools = "/opt/tools.py"
        """
    )
    assert config.agent == "mine"
    assert config.autonomy.level is Level.LOOK
    assert config.autonomy.tools == {"add_expense": Level.BOUNDED}
    assert config.limits.cost_usd == Decimal("0.25")
    assert config.approval.without_terminal == "irreversible"
    assert config.prices == {
        "claude-sonnet-5": Price(Decimal("3.00"), Decimal("15"), Decimal("0.30"), Decimal("3.75"))
    }
    assert config.hooks.pre_tool == (
        Hook(tools=("process_refund",), command=("/opt/check", "--strict", ""), timeout=0.5),
        Hook(python="/opt/policy.py:check"),
    )
    assert config.problems == (
        Pair("https://api.example.test/problems/too-long", 422, "REVIEW_INPUT", "KNOWN_TOO_LONG"),
    )
    assert config.agents.briefs.api_url == "https://api.example.test/v1"
    assert config.agents.own == {"mine": OwnAgent(tools="/opt/tools.py")}


def test_an_agent_of_ones_own_may_be_called_own() -> None:
    """No name is taken by the way the config is kept."""
    config = config_of('agent = "own"\n[agents.own]\ntools = "/opt/tools.py"')
    assert config.agents.own == {"own": OwnAgent(tools="/opt/tools.py")}


def test_paths_may_begin_with_the_home_folder() -> None:
    """`~/` stands for the user's home folder, in paths, functions and commands."""
    config = config_of(
        """
        audit.file = "~/audit.jsonl"
        [[hooks.pre_tool]]
        python = "~/policy.py:check"
        [[hooks.post_tool]]
        command = ["~/bin/redact"]
        """
    )
    home = Path.home()
    assert config.audit.file == str(home / "audit.jsonl")
    assert config.hooks.pre_tool[0].python == f"{home / 'policy.py'}:check"
    assert config.hooks.post_tool[0].command == (str(home / "bin/redact"),)


@pytest.mark.parametrize(("text", "line", "key", "problem"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_an_error_names_file_line_and_key(text: str, line: int, key: str, problem: str) -> None:
    """Whatever is wrong, the message says in which file, on which line, at which key, and what it is."""
    error = error_of(text)
    assert (error.source, error.line, error.key) == ("my.toml", line, key)
    assert problem in error.problem
    assert str(error) == f"my.toml:{line}: {key}: {error.problem}"


PROBLEM = {
    "type": '"https://api.example.test/problems/late"',
    "status": "422",
    "decision": '"REVIEW_INPUT"',
    "reason": '"KNOWN_LATE"',
}


@pytest.mark.parametrize(
    ("field", "bad", "problem"),
    [
        ("type", '"problems/late"', "is not an absolute URI"),
        ("type", "5", "5 is not text in quotes"),
        ("status", "600", "status 600 is not a whole number from 100 to 599"),
        ("status", '"422"', "'422' is not a whole number"),
        ("decision", '"REVIEW"', "is not one of REVIEW_INPUT"),
        ("reason", '"late"', "is not in capitals"),
    ],
)
def test_a_problem_that_can_not_be_is_refused_at_its_field(field: str, bad: str, problem: str) -> None:
    """A pair of type and status that breaks a rule is an error on the line of the field that breaks it."""
    fields = PROBLEM | {field: bad}
    error = error_of("[[problems]]\n" + "\n".join(f"{name} = {value}" for name, value in fields.items()))
    assert (error.line, error.key) == (list(PROBLEM).index(field) + 2, f"problems[0].{field}")
    assert problem in error.problem


def test_a_problem_has_one_meaning() -> None:
    """A type and status that stand there twice, or ship already, are an error at the later entry."""
    entry = "[[problems]]\n" + "".join(f"{name} = {value}\n" for name, value in PROBLEM.items())
    error = error_of(entry + entry)
    assert (error.line, error.key) == (6, "problems[1]")
    assert "already has a meaning" in error.problem


SYNTAX_ERRORS = {
    "no value": (b"agent = 'support'\nmodel =\n", 2, "is not TOML: Invalid value"),
    "never closed": (b'agent = "support"\n\nmodel = """', 3, "is not TOML"),
    "key twice": (b"model = 'a'\nagent = 'support'\nmodel = 'b'\n", 3, "is not TOML: Cannot overwrite a value"),
    "not UTF-8": (b"model = 'a'\nagent = '\xff'", 2, "is not UTF-8 text"),
    "nested too deeply": (b"model = " + b"[" * 9999 + b"]" * 9999, None, "is nested too deeply"),
    "number without end": (b"max_tokens = " + b"9" * 9999, None, "holds a value that can't be read"),
}


@pytest.mark.parametrize(("content", "line", "problem"), SYNTAX_ERRORS.values(), ids=SYNTAX_ERRORS.keys())
def test_what_is_not_toml_is_an_error_on_its_line(content: bytes, line: int | None, problem: str) -> None:
    """A file that can't be parsed is an error that names the line where reading stopped."""
    with pytest.raises(ConfigError) as caught:
        parse_file("my.toml", content)
    assert (caught.value.source, caught.value.line, caught.value.key) == ("my.toml", line, "")
    assert caught.value.problem.startswith(problem)
    assert "(at" not in caught.value.problem


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfmodel = 'x'", b"agent = 'support'\r\nmodel = 'x'\r\n"])
def test_files_of_windows_editors_are_read(content: bytes) -> None:
    """A byte order mark at the beginning and Windows line ends change nothing."""
    assert parse_file("my.toml", content).document["model"] == "x"


@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Any text is a config or a config error, never another failure."""
    with suppress(ConfigError):
        parse_file("my.toml", text.encode())
