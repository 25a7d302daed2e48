"""`agentcli tools`, `config`, `doctor` and `classify`."""

import json
import sqlite3
import stat
from typing import Any

import pytest

from agentcli.gate.autonomy import MATRIX, Level
from agentcli.problems import MAX_BODY_BYTES
from agentcli.tools.risk import Risk
from tests.cli.process import Home

COLUMN = {Risk.READ: 0, Risk.WRITE: 1, Risk.IRREVERSIBLE: 2}
PROBLEM = "application/problem+json"
INVALID = {"type": "https://api.example.test/problems/invalid-brief", "status": 422}


def test_tools_list_says_what_each_level_would(home: Home) -> None:
    """The table is the one the gate decides by."""
    for tool in home.run("tools", "list", "--json").json:
        says = {level: MATRIX[Level(int(level))][COLUMN[Risk(tool["risk"])]] for level in "01234"}
        assert tool["levels"] == says
        assert tool["level"] == 2


def test_tools_list_for_a_person(home: Home) -> None:
    """One line a tool, and what the levels mean."""
    lines = home.run("tools", "list", "--tool-level", "add_expense=3", env={"COLUMNS": "200"}).out.splitlines()
    assert lines[0].split() == ["tool", "risk", "0", "1", "2", "3", "4"]
    added = next(line for line in lines if line.startswith("add_expense "))
    assert added.split()[:7] == ["add_expense", "write", "deny", "deny", "ask", "allow", "allow"]
    assert "2  may propose; a person says yes or no ← now" in lines
    assert lines[-1] == "add_expense is at level 3"


def test_tools_list_with_require_approval_asks_for_reads(home: Home) -> None:
    """A config that asks for every call shows in the table, at the levels that would allow."""
    home.configure("[approval]\nrequire = true\n")
    total = next(tool for tool in home.run("tools", "list", "--json").json if tool["tool"] == "get_total")
    assert total["levels"] == {"0": "deny", "1": "ask", "2": "ask", "3": "ask", "4": "ask"}


def test_tools_list_fits_the_width_and_says_the_whole_purpose(home: Home) -> None:
    """Without a terminal the width is COLUMNS, else 80."""
    purpose = (
        "List expenses in the order of their numbers; `more` says whether there are others after the last one."
    )
    for columns, most in ((None, 80), ("200", 200), ("100", 100), ("57", 57), ("20", 20)):
        listed = home.run("tools", "list", env={"COLUMNS": columns} if columns else {}).out
        assert max(map(len, listed.splitlines())) <= most
        assert purpose in " ".join(listed.split())


def test_config_show_tells_where_each_value_came_from(home: Home) -> None:
    """Flag, variable, file or default."""
    path = home.configure("max_tokens = 1000\n")
    shown = home.run("config", "show", "--model", "offline", "--json", env={"AGENTCLI_AUTONOMY": "1"}).json
    rows = {row["key"]: (row["value"], row["source"]) for row in shown}
    assert rows["model"] == ("offline", "--model")
    assert rows["autonomy.level"] == (1, "AGENTCLI_AUTONOMY")
    assert rows["max_tokens"] == (1000, str(path))
    assert rows["agent"] == ("expenses", "default")
    assert f"max_tokens = 1000                         # {path}" in home.run("config", "show").out.splitlines()


def test_config_path_says_where_the_file_is_looked_for(home: Home) -> None:
    """The default, or what --config names; it need not be there."""
    assert home.run("config", "path").out == f"{home.config}\n"
    assert home.run("--config", "other.toml", "config", "path", "--json").json == {
        "path": str(home.folder / "other.toml")
    }


def test_config_init_writes_once_and_for_the_owner_alone(home: Home) -> None:
    """The file holds every key, is readable to its owner alone, and one that exists is left as it is."""
    elsewhere = home.folder / "other" / "config.toml"
    assert home.run("--config", str(elsewhere), "config", "init", "--json").json == {"path": str(elsewhere)}
    assert home.run("config", "init").out == f"written: {home.config}\n"
    assert stat.S_IMODE(home.config.stat().st_mode) == 0o600
    assert home.run("config", "show").code == 0
    home.config.write_text("max_tokens = 7\n")
    ended = home.run("config", "init", "--json")
    assert ended.code == 2
    assert "exists already and is left as it is" in ended.error
    assert home.config.read_text() == "max_tokens = 7\n"


def _findings(home: Home, *arguments: str, **env: str) -> tuple[int, dict[str, dict[str, Any]]]:
    ended = home.run("doctor", "--json", *arguments, env=env)
    return ended.code, {finding["check"]: finding for finding in ended.json}


def test_doctor_finds_nothing_wrong_with_a_new_home(home: Home) -> None:
    """Everything works without a config, a key or a store, and doctor says so."""
    code, found = _findings(home)
    assert code == 0
    assert set(found) == {"config", "agent", "hooks", "key", "terminal", "encoding", "store", "clock", "log"}
    assert not [finding for finding in found.values() if not finding["ok"] or finding["advice"]]
    assert not home.store.exists()


def test_doctor_looks_into_the_store(home: Home) -> None:
    """With a store, it is opened and its newest chain verified."""
    home.run("run", "--model", "offline", "list")
    code, found = _findings(home)
    assert code == 0
    assert {"store", "record", "clock"} <= set(found)


def _open_to_others(home: Home) -> dict[str, str]:
    home.run("run", "--model", "offline", "list")
    home.store.chmod(0o644)
    return {}


def _not_a_store(home: Home) -> dict[str, str]:
    home.store.parent.mkdir(parents=True)
    home.store.write_text("not a database, but long enough to be looked at as one" * 30)
    return {}


def _bad_config(home: Home) -> dict[str, str]:
    home.configure("levle = 2\n")
    return {}


def _bad_agent(home: Home) -> dict[str, str]:
    home.configure('[agents.mine]\ntools = "/nowhere/tools.py"\n')
    return {}


def _bad_hook(home: Home) -> dict[str, str]:
    home.configure('[[hooks.pre_tool]]\ncommand = ["/nowhere/check"]\n')
    return {}


def _bad_python_hook(home: Home) -> dict[str, str]:
    home.configure('[[hooks.pre_tool]]\npython = "/nowhere/policy.py:check"\n')
    return {}


def _no_key(home: Home) -> dict[str, str]:
    home.configure('model = "claude-sonnet-5"\n')
    return {}


def _no_model(home: Home) -> dict[str, str]:
    return {"AGENTCLI_MODEL": "gpt"}


def _no_recording(home: Home) -> dict[str, str]:
    return {"AGENTCLI_MODEL": "replay:nowhere"}


def _bad_key(home: Home) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": "sk-ant with blanks in it"}


def _latin(home: Home) -> dict[str, str]:
    return {"PYTHONIOENCODING": "latin-1"}


def _log_in_the_way(home: Home) -> dict[str, str]:
    home.log.parent.mkdir(parents=True)
    home.log.write_text("")
    home.log.chmod(0o644)
    return {}


@pytest.mark.parametrize(
    ("breaks", "check"),
    [
        (_open_to_others, "store"),
        (_not_a_store, "store"),
        (_bad_config, "config"),
        (_bad_agent, "agent"),
        (_bad_hook, "hooks"),
        (_bad_python_hook, "hooks"),
        (_no_key, "key"),
        (_no_model, "key"),
        (_no_recording, "key"),
        (_bad_key, "key"),
        (_latin, "encoding"),
        (_log_in_the_way, "log"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__.strip("_"),
)
def test_doctor_says_what_is_wrong_and_what_to_do(home: Home, breaks: Any, check: str) -> None:
    """A finding ends with 1 and comes with advice."""
    code, found = _findings(home, **breaks(home))
    assert code == 1
    assert not found[check]["ok"]
    assert found[check]["advice"]
    assert check == "config" or "clock" in found


def test_doctor_tells_once_what_stops_every_agent(home: Home) -> None:
    """A tool that none of them has is one mistake in the config."""
    home.configure("[autonomy.tools]\nad_expense = 3\n")
    found = home.run("doctor", "--json").json
    assert [one["detail"] for one in found if one["check"] == "agent"] == [
        f"{home.config}:2: autonomy.tools.ad_expense: no agent has a tool 'ad_expense'; did you mean 'add_expense'?"
    ]


def test_doctor_finds_a_changed_record(home: Home) -> None:
    """A record that somebody changed is a finding."""
    home.run("run", "--model", "offline", "list")
    with sqlite3.connect(home.store) as store:
        store.execute("DROP TRIGGER journal_never_changes")
        store.execute("UPDATE journal SET body = replace(body, 'list', 'lost') WHERE kind = 'said'")
    code, found = _findings(home)
    assert code == 1
    assert "changed" in found["record"]["detail"]


def test_doctor_for_a_person(home: Home) -> None:
    """One line a check, uncut, and the advice below it."""
    home.configure('model = "claude-sonnet-5"\n')
    lines = home.run("doctor").out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("wrong  key"))
    assert lines[at + 1] == "    → set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or name another model"


def test_doctor_asks_for_a_key_only_where_one_would_help(home: Home) -> None:
    """A name that no model has stays one with a key too."""
    _, found = _findings(home, AGENTCLI_MODEL="gpt")
    assert found["key"]["advice"] == "name another model"


def test_doctor_names_a_host_that_is_not_anthropics(home: Home) -> None:
    """Where conversations go is said, and is no fault."""
    code, found = _findings(home, ANTHROPIC_BASE_URL="http://127.0.0.1:9", ANTHROPIC_API_KEY="sk-ant-0123456789")
    assert code == 0
    assert "127.0.0.1:9" in found["host"]["detail"]


@pytest.mark.parametrize("by", ["file", "stdin"])
def test_classify_takes_a_file_or_stdin(home: Home, by: str) -> None:
    """The result is sorted JSON on one line, and the exit code 0."""
    body = json.dumps(INVALID)
    (home.folder / "body.json").write_text(body)
    source = {"file": ("body.json", ""), "stdin": ("-", body)}[by]
    ended = home.run("classify", "--status", "422", "--content-type", PROBLEM, source[0], stdin=source[1])
    assert ended.code == 0
    assert ended.out == '{"decision": "REVIEW_INPUT", "http_status": 422, "reason": "KNOWN_INVALID_BRIEF"}\n'


@pytest.mark.parametrize(
    ("status", "content_type", "body", "reason"),
    [
        ("422", PROBLEM, "{", "INVALID_JSON"),
        ("422", PROBLEM, "", "INVALID_JSON"),
        ("422", "text/plain", "{}", "UNEXPECTED_CONTENT_TYPE"),
        ("422", None, "{}", "MISSING_OR_INVALID_CONTENT_TYPE"),
        ("422", PROBLEM, " " * (MAX_BODY_BYTES + 1), "BODY_TOO_LARGE"),
        ("4 22", PROBLEM, "{}", "INVALID_HTTP_STATUS"),
        ("99", PROBLEM, "{}", "INVALID_HTTP_STATUS"),
        ("true", PROBLEM, "{}", "INVALID_HTTP_STATUS"),
        ("409", PROBLEM, json.dumps(INVALID), "BODY_STATUS_MISMATCH"),
    ],
)
def test_classify_exits_0_for_every_body(
    home: Home, status: str, content_type: str | None, body: str, reason: str
) -> None:
    """What can't be read is a category too."""
    header = ("--content-type", content_type) if content_type else ()
    ended = home.run("classify", "--status", status, *header, stdin=body)
    assert ended.code == 0
    assert ended.json["reason"] == reason


def test_classify_knows_the_pairs_of_the_config(home: Home) -> None:
    """More pairs of type and status come from the config."""
    home.configure(
        '[[problems]]\ntype = "https://api.example.test/problems/too-long"\nstatus = 422\n'
        'decision = "REVIEW_INPUT"\nreason = "KNOWN_TOO_LONG"\n'
    )
    body = json.dumps({"type": "https://api.example.test/problems/too-long"})
    assert home.run("classify", "--status", "422", "--content-type", PROBLEM, stdin=body).json == {
        "decision": "REVIEW_INPUT",
        "http_status": 422,
        "reason": "KNOWN_TOO_LONG",
    }
