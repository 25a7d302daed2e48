"""`agentcli selftest approvals`: known attacks, and whether any of them achieves something."""

import json

import pytest

from agentcli.cli.exits import Exit
from agentcli.cli.set_up.selftest import tell
from agentcli.lab.selftest.attack import SIZES, Attack, Kind
from agentcli.lab.selftest.attacks import ATTACKS
from agentcli.lab.selftest.trying import Achieved, Tried
from tests.cli.process import Home

BEATEN = Tried(Attack(name="held", kind=Kind.KEYS, acts=(), sizes=SIZES[:1]), ())
ACHIEVED = Tried(
    Attack(name="cleared", kind=Kind.SEQUENCES, acts=(), sizes=SIZES[:2]),
    (Achieved(30, 10, "a control came through: '\x1b[2J'"), Achieved(30, 10, "two\nlines")),
)


def test_each_attack_is_told_by_kind_with_what_it_achieved(capsys: pytest.CaptureFixture[str]) -> None:
    """Pass or fail, where it failed, and how; then all in all."""
    assert tell([BEATEN, ACHIEVED], as_json=False) is Exit.FAILED
    assert capsys.readouterr().out.splitlines() == [
        "keys nobody meant as an answer",
        "  pass  held",
        "escape sequences",
        "  FAIL  cleared",
        "        30x10: a control came through: '⟨U+001B⟩[2J'",
        "        30x10: two⟨U+000A⟩lines",
        "attacks: 2, on terminals of 80x24, 30x10; 1 achieved something",
    ]


def test_if_none_achieves_anything_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code says so too."""
    assert tell([BEATEN], as_json=False) is Exit.DONE
    assert capsys.readouterr().out.endswith("attacks: 1, on terminals of 80x24; none achieved anything\n")


def test_programs_get_a_list(capfd: pytest.CaptureFixture[str]) -> None:
    """One JSON array on one line."""
    assert tell([BEATEN, ACHIEVED], as_json=True) is Exit.FAILED
    [line] = capfd.readouterr().out.splitlines()
    held, cleared = json.loads(line)
    assert held == {"attack": "held", "kind": Kind.KEYS, "passed": True, "findings": []}
    assert not cleared["passed"]
    assert cleared["findings"][1] == {"columns": 30, "rows": 10, "finding": "two\nlines"}


def test_without_the_extra_it_says_what_to_install(home: Home) -> None:
    """Wrong usage, in one line."""
    program = (
        "import sys; sys.modules['pyte'] = None; from agentcli.cli.app import run;"
        "sys.exit(run(['selftest', 'approvals']))"
    )
    ended = home.python("-c", program)
    assert ended.code == Exit.USAGE
    assert ended.error == "agentcli: the self-test needs a virtual screen: pip install 'agentcli[selftest]'\n"


@pytest.mark.slow
def test_this_build_beats_every_attack(home: Home) -> None:
    """As anyone can see for themselves; it leaves nothing behind."""
    ended = home.run("selftest", "approvals", "--json")
    assert ended.code == Exit.DONE, ended
    assert [one["attack"] for one in ended.json] == [attack.name for attack in ATTACKS]
    assert not home.store.exists()
