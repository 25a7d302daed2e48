"""`agentcli selftest`: see for yourself that a question can't be answered by accident or by a lie."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

import msgspec

from agentcli.cli.apps import App
from agentcli.cli.exits import Exit, WrongUsage
from agentcli.cli.options import AsJson
from agentcli.cli.writing import output
from agentcli.visible import visible_line

if TYPE_CHECKING:
    from agentcli.lab.selftest.trying import Tried

EXTRA: Final = "pyte"
"""What the extra brings."""

_NEEDED: Final = "the self-test needs a virtual screen: pip install 'agentcli[selftest]'"

app = App()


class AchievedJson(msgspec.Struct, frozen=True):
    """What an attack has achieved on a terminal of a size."""

    columns: int
    rows: int
    finding: str


class TriedJson(msgspec.Struct, frozen=True):
    """What `selftest approvals --json` writes of each attack."""

    attack: str
    kind: str
    passed: bool
    findings: tuple[AchievedJson, ...]


@app.callback()
def selftest() -> None:
    """Try this build against known attacks."""


@app.command(
    epilog="""\b
Examples:
  agentcli selftest approvals
  agentcli selftest approvals --json"""
)
def approvals(as_json: AsJson = False) -> int:
    """Play known attacks on the question through the real screen, on terminals that nobody sees.

    Hidden characters, escape sequences, forged frames, padding, keys that nobody meant as an answer: each is
    tried on several sizes of terminal, and passes if it achieves nothing. It needs no store, model or network.
    The exit code is 1 where one does not pass.
    """
    return tell(_try(), as_json=as_json)


def tell(tried: Iterable["Tried"], *, as_json: bool) -> Exit:
    """Write the outcome of each attack, and return the exit code."""
    seen = list(tried) if as_json else list(_told(tried))
    if as_json:
        output.json_line([_as_json(one) for one in seen])
    else:
        output.write(_summary(seen))
    return Exit.DONE if all(one.is_beaten for one in seen) else Exit.FAILED


def _try() -> Iterator["Tried"]:
    try:
        # What draws is only loaded where it is asked for.
        from agentcli.lab.selftest.attacks import ATTACKS  # noqa: PLC0415
        from agentcli.lab.selftest.trying import try_all  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name != EXTRA:
            raise
        raise WrongUsage(_NEEDED) from error
    return try_all(ATTACKS)


def _told(tried: Iterable["Tried"]) -> Iterator["Tried"]:
    """Write the outcome of each attack as soon as it is known, and pass it on."""
    for kind, several in groupby(tried, key=lambda one: one.attack.kind):
        output.write(f"{kind}\n")
        for one in several:
            output.write(f"  {'pass' if one.is_beaten else 'FAIL'}  {visible_line(one.attack.name)}\n")
            for found in one.found:
                output.write(f"        {found.columns}x{found.rows}: {visible_line(found.what)}\n")
            yield one


def _summary(seen: list["Tried"]) -> str:
    sizes = dict.fromkeys(f"{columns}x{rows}" for one in seen for columns, rows in one.attack.sizes)
    failed = sum(not one.is_beaten for one in seen)
    came_of_it = f"{failed} achieved something" if failed else "none achieved anything"
    return f"attacks: {len(seen)}, on terminals of {', '.join(sizes)}; {came_of_it}\n"


def _as_json(one: "Tried") -> TriedJson:
    found = tuple(AchievedJson(achieved.columns, achieved.rows, achieved.what) for achieved in one.found)
    return TriedJson(one.attack.name, one.attack.kind, one.is_beaten, found)
