"""What `audit verify` writes, and the heads that it reads back."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from agentcli.cli.exits import WrongUsage
from agentcli.counted import counted
from agentcli.store.verification import Finding, KeptHead, Report
from agentcli.visible import visible_line


class Reported(msgspec.Struct, frozen=True):
    """A verification as programs read it; `heads` is what to keep elsewhere.

    `unlisted` counts the findings beyond those that are listed.
    """

    whole: bool
    heads: tuple[KeptHead, ...]
    findings: tuple[Finding, ...]
    unlisted: int


class _Kept(msgspec.Struct, frozen=True):
    heads: tuple[KeptHead, ...]


def reported(report: Report) -> Reported:
    """Return a report for programs."""
    return Reported(report.whole, report.heads, report.findings, report.unlisted)


def report_lines(report: Report) -> Iterator[str]:
    """Yield a report as lines that are safe to draw."""
    for finding in report.findings:
        yield f"{visible_line(finding.session)}{_entries(finding)}: {finding.damage}"
    if report.unlisted:
        yield f"and {report.unlisted} more"
    chains, entries = counted(len(report.heads), "chain"), counted(report.entries, "entry", "entries")
    yield f"{'whole' if report.whole else 'BROKEN'}: {chains} of {entries} without fault"


def read_heads(path: str) -> tuple[KeptHead, ...]:
    """Return the heads that `audit verify --json` has written to a file.

    Raises:
        WrongUsage: The file can't be read, or is not of that kind.
    """
    try:
        heads = msgspec.json.decode(Path(path).read_bytes(), type=_Kept).heads
    except OSError as error:
        raise WrongUsage(f"{path}: {error.strerror or error}") from error
    except msgspec.DecodeError as error:
        raise WrongUsage(f"{path}: is not what `agentcli audit verify --json` has written: {error}") from error
    return heads


def _entries(finding: Finding) -> str:
    if finding.first is None:
        return ""
    if finding.first == finding.last:
        return f", entry {finding.first}"
    return f", entries {finding.first} to {finding.last}"
