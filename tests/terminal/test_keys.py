"""What Ctrl-C, Esc and Ctrl-D do."""

import pytest

from agentcli.terminal.keys import EFFECTS, Effect, Key, Where, ctrl_c, where

TABLE = [
    (Where.TEXT, Key.CTRL_C, Effect.CLEAR_LINE),
    (Where.TEXT, Key.AGAIN, Effect.CLEAR_LINE),
    (Where.TEXT, Key.ESC, Effect.NOTHING),
    (Where.TEXT, Key.CTRL_D, Effect.DELETE),
    (Where.QUESTION, Key.CTRL_C, Effect.CANCEL),
    (Where.QUESTION, Key.AGAIN, Effect.LEAVE),
    (Where.QUESTION, Key.ESC, Effect.CANCEL),
    (Where.QUESTION, Key.CTRL_D, Effect.LEAVE_OPEN),
    (Where.WORK, Key.CTRL_C, Effect.STOP),
    (Where.WORK, Key.AGAIN, Effect.LEAVE),
    (Where.WORK, Key.ESC, Effect.STOP),
    (Where.WORK, Key.CTRL_D, Effect.LEAVE_SAFELY),
    (Where.IDLE, Key.CTRL_C, Effect.SAY_HOW),
    (Where.IDLE, Key.AGAIN, Effect.LEAVE),
    (Where.IDLE, Key.ESC, Effect.NOTHING),
    (Where.IDLE, Key.CTRL_D, Effect.LEAVE),
]


@pytest.mark.parametrize(("place", "key", "effect"), TABLE)
def test_a_key_does_what_the_table_says(place: Where, key: Key, effect: Effect) -> None:
    """The same key always does the same in the same place."""
    assert EFFECTS[place][key] is effect


def test_the_table_is_whole() -> None:
    """Every key has its effect in every place."""
    assert {(place, key) for place, key, _ in TABLE} == {(place, key) for place in Where for key in Key}


@pytest.mark.parametrize(
    ("has_text", "is_asking", "is_at_work", "place"),
    [
        (True, True, True, Where.TEXT),
        (True, False, False, Where.TEXT),
        (False, True, True, Where.QUESTION),
        (False, True, False, Where.QUESTION),
        (False, False, True, Where.WORK),
        (False, False, False, Where.IDLE),
    ],
)
def test_text_comes_first_then_the_question_then_the_work(
    has_text: bool, is_asking: bool, is_at_work: bool, place: Where
) -> None:
    """A key meant for the text touches nothing else."""
    assert where(has_text=has_text, is_asking=is_asking, is_at_work=is_at_work) is place


@pytest.mark.parametrize(
    ("now_s", "last_s", "key"),
    [(10.0, None, Key.CTRL_C), (10.0, 8.0, Key.AGAIN), (10.0, 7.99, Key.CTRL_C), (10.0, 10.0, Key.AGAIN)],
)
def test_a_second_ctrl_c_counts_for_two_seconds(now_s: float, last_s: float | None, key: Key) -> None:
    """Later it is a first one again."""
    assert ctrl_c(now_s, last_s) is key
