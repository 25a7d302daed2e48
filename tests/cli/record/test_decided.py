"""A decision on one line of the list."""

from typing import Any

import pytest

from agentcli.cli.record.decided import decided_line
from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.terminal.drawing.styled import plain
from agentcli.tools.outcome import Category
from tests.session.records import allowed, approved, decision, declined


def said(record: Any) -> str:
    """The line without its time, session and call."""
    return plain(decided_line(record)).split("  ", 3)[3]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (allowed(), "[allow] add {} · ok"),
        (allowed(outcome=None), "[allow] add {}"),
        (allowed(outcome="unknown_outcome"), "[allow] add {} · unknown_outcome"),
        (decision(code="3fa9c1"), "[ask] add {} · not answered"),
        (decision(), "[ask] add {}"),
        (
            decision(input='{"to":"p\u0430y"}'),
            '[ask] add {"to":"p\u0430y"} · that is: {"to":"p⟨U+0430⟩y"}',
        ),
        (approved(), "[ask] add {} · approved by ana after 2.0 s · ok"),
        (approved(undoes="c7"), "[ask] add {} · takes back c7 · approved by ana after 2.0 s · ok"),
        (approved(outcome=None), "[ask] add {} · approved by ana after 2.0 s"),
        (declined(), "[ask] add {} · declined by ana after 2.0 s"),
        (approved(answer="edited", outcome=None), "[ask] add {} · edited by ana after 2.0 s"),
        (decision(answer="expired", by="the clock", outcome="expired"), "[ask] add {} · expired"),
        (decision(answer="cancelled", by="ana", outcome="cancelled"), "[ask] add {} · cancelled by ana"),
        (allowed(answer="filled", by="bo", seconds=3.21), "[allow] add {} · filled by bo after 3.2 s · ok"),
        (
            decision(
                level=Level.LOOK,
                outcome="blocked",
                verdicts=(Verdict("level", Decision.DENY, "not permitted", Category.PERMISSION),),
            ),
            "[deny] add {} — not permitted",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_line_says_what_was_decided_answered_and_done(record: Any, expected: str) -> None:
    """Nothing twice, and nothing that is not known."""
    assert said(record) == expected


def test_line_is_always_one_line() -> None:
    """Whatever a model puts into names and inputs."""
    nasty = "\n\x1b[2J\u202e"
    record = allowed(
        nasty,
        input=f'{{"x": "{nasty}"}}',
        session=nasty,
        call_id=nasty,
        answer="filled",
        by=nasty,
        seconds=1.0,
        outcome=nasty,
    )
    text = plain(decided_line(record))
    assert text.isprintable()
    assert text.count("⟨U+202E⟩") == 6
