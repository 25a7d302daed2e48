"""Which decisions are meant: words of the command line as what they say."""

from datetime import UTC, datetime, timedelta

import pytest

from agentcli.cli.record.selecting import decision_named, moment_named
from agentcli.gate.verdicts import Decision


@pytest.mark.parametrize("decision", Decision)
def test_decisions_are_named_by_their_words(decision: Decision) -> None:
    """allow, ask, deny."""
    assert decision_named(str(decision)) is decision


@pytest.mark.parametrize("text", ["", "Allow", "approved", "allow "])
def test_other_words_name_no_decision(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ValueError, match="is not one of allow, ask, deny"):
        decision_named(text)


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("30m", timedelta(minutes=30)),
        ("12h", timedelta(hours=12)),
        ("7d", timedelta(days=7)),
        ("1m", timedelta(minutes=1)),
    ],
)
def test_a_moment_may_be_so_long_ago(text: str, ago: timedelta) -> None:
    """Minutes, hours or days before now."""
    assert abs(datetime.now(UTC) - ago - moment_named(text)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-02T09:30:00Z", datetime(2026, 11, 2, 9, 30, tzinfo=UTC)),
        ("2026-11-02T09:30+02:00", datetime(2026, 11, 2, 7, 30, tzinfo=UTC)),
        ("2026-11-02", datetime(2026, 11, 2).astimezone(UTC)),
        ("2026-11-02 09:30", datetime(2026, 11, 2, 9, 30).astimezone(UTC)),
    ],
)
def test_a_moment_is_here_unless_it_says_where(text: str, moment: datetime) -> None:
    """A day begins at midnight where the person is."""
    assert moment_named(text) == moment


@pytest.mark.parametrize(
    "text", ["", "yesterday", "7", "7w", "0d", "-1d", "2026-13-01", "0001-01-01T00:00+14:00", "99999999d"]
)
def test_what_names_no_moment_is_refused(text: str) -> None:
    """The message says what would."""
    with pytest.raises(ValueError, match="is not a day as 2026-11-02, a time, or 7d, 12h or 30m"):
        moment_named(text)
