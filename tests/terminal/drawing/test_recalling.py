"""What was said last in a session that somebody goes on with."""

import pytest

from agentcli.session import entries as e
from agentcli.terminal.drawing.recalling import recalled_lines
from tests.session import telling as t

ENDED = (*t.BEGUN, t.replied(), e.RunEnded("completed", text="Two\nexpenses.\u202e"))


@pytest.mark.parametrize(
    ("happened", "lines"),
    [
        pytest.param((t.opened(), t.attached()), [], id="nothing-was-said"),
        pytest.param((t.opened(), t.attached(), t.said()), [], id="nothing-was-heard"),
        pytest.param(t.BEGUN, ["1 message so far:", "› hello"], id="no-answer-yet"),
        pytest.param(ENDED, ["1 message so far:", "› hello", "  Two expenses.⟨U+202E⟩"], id="an-answer"),
        pytest.param(
            (*ENDED, t.said(2)), ["1 message so far:", "› hello", "  Two expenses.⟨U+202E⟩"], id="and-more-to-hear"
        ),
        pytest.param(
            (*ENDED, t.said(2, "and?"), t.started_run(), e.Heard((2,), 1)),
            ["2 messages so far; the last:", "› and?"],
            id="the-next-one",
        ),
    ],
)
def test_the_last_words_and_their_answer_are_recalled(happened: tuple[t.Told, ...], lines: list[str]) -> None:
    """What was not heard is told elsewhere, as it waits."""
    assert list(recalled_lines(t.state_of(*happened), 80)) == lines
