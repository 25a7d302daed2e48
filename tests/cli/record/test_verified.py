"""What `audit verify` says, to a person and to a program."""

import pytest

from agentcli.cli.record.verified import report_lines, reported
from agentcli.cli.writing.output import encoded
from agentcli.store.verification import Finding, KeptHead, Report

HEAD = KeptHead("s1", 1_234, "2026-11-02T09:00:00Z", "00" * 32)


@pytest.mark.parametrize(
    ("report", "lines"),
    [
        (Report((), (), 0), ["whole: 0 chains of 0 entries without fault"]),
        (Report((HEAD,), (), 0), ["whole: 1 chain of 1,234 entries without fault"]),
        (Report((KeptHead("s1", 1, "", "00"),), (), 0), ["whole: 1 chain of 1 entry without fault"]),
        (
            Report(
                (HEAD, HEAD),
                (Finding("s2", "changed", 3, 3), Finding("s2", "reordered", 5, 6), Finding("s3", "gone")),
                7,
            ),
            [
                *("s2, entry 3: changed", "s2, entries 5 to 6: reordered", "s3: gone", "and 7 more"),
                "BROKEN: 2 chains of 2,468 entries without fault",
            ],
        ),
    ],
    ids=["nothing", "whole", "one entry", "broken"],
)
def test_a_person_is_told_what_is_wrong_and_where(report: Report, lines: list[str]) -> None:
    """One line for each finding, and one that sums it up."""
    assert list(report_lines(report)) == lines


def test_names_of_a_damaged_file_can_be_told() -> None:
    """Neither the line nor the JSON fails over them, or steers a terminal."""
    report = Report((), (Finding("a\x1b[2J\ufffdb", "changed", 1, 1),), 0)
    assert all(line.isprintable() for line in report_lines(report))
    assert encoded(reported(report)).decode().rstrip("\n").isprintable()
