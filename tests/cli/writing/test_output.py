"""What is written for programs can be shown on a terminal as well: no JSON of ours steers or deceives one."""

import json

import msgspec
import pytest

from agentcli.cli.writing.output import encoded
from tests.cli.process import Home

HOSTILE = 'call save_note {"text":"\x9b2Jtea\u202e\u200b⟨U+0041⟩\U000e0061\x7f é価格"}'


def test_a_value_is_one_line_that_reads_the_same() -> None:
    """What hides is spelled out, what can be read is not."""
    line = encoded({"text": "\x85é\u202e\U000e0061", "raw": msgspec.Raw(b'{"a":\n 1}')})
    assert line == '{"text":"\\u0085é\\u202e\\udb40\\udc61","raw":{"a":  1}}\n'.encode()
    assert json.loads(line) == {"text": "\x85é\u202e\U000e0061", "raw": {"a": 1}}


@pytest.mark.parametrize(
    "command",
    [
        ("run", "--json", "--on-ask", "wait", "--continue", HOSTILE),
        ("run", "--json", "--stream", "--on-ask", "wait", "--continue", HOSTILE),
        ("sessions", "list", "--json"),
        ("sessions", "show", "{session}", "--json"),
        ("approvals", "list", "--json"),
        ("approvals", "show", "{call}", "--json"),
        ("audit", "show", "--json"),
        ("audit", "show", "{call}", "--json"),
        ("audit", "export"),
        ("audit", "replay", "--autonomy", "1", "--json"),
    ],
    ids=lambda command: " ".join(command[:-1]).replace(HOSTILE, "…"),
)
def test_no_json_of_any_command_steers_a_terminal(waiting: Home, command: tuple[str, ...]) -> None:
    """Whatever a person said or a model put into a call."""
    record = waiting.run("audit", "export").events[-1]
    arguments = [
        part.format(**{"session": record["session"], "call": record["call_id"]}) if part[0] == "{" else part
        for part in command
    ]
    out = waiting.run(*arguments).out
    assert out
    assert {char for char in out if not char.isprintable()} == {"\n"}


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home in which a hostile call waits for a yes."""
    home = Home(tmp_path_factory.mktemp("hostile"))
    # Controls are refused in inputs, so one call is denied and the other asks.
    home.run("run", "--model", "offline", "--on-ask", "wait", HOSTILE)
    home.run("run", "--model", "offline", "--on-ask", "wait", HOSTILE.replace("\x9b", "").replace("\x7f", ""))
    return home
