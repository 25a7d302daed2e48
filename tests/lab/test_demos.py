"""The demos that ship come out as they say, each time the same, on terminals of any width."""

import json

import pyte
import pytest

from agentcli.lab.recording import Recording, cast, drawn, record
from agentcli.lab.shelf import NoSuchDemo, find_demo, shipped_demos, shipped_names
from agentcli.lab.verdict import differences
from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.styled import plain

EVERY_DEMO = pytest.mark.parametrize("name", shipped_names())


def text_of(recording: Recording) -> str:
    return "\n".join(plain(line) for line in recording.lines)


@EVERY_DEMO
def test_each_comes_out_as_it_says(name: str) -> None:
    """A demo that somebody shows has been played before, by this test."""
    recording = record(find_demo(name).read())
    assert [differences(recording.script, played) for played in recording.played] == [[]] * len(recording.played)


@EVERY_DEMO
def test_the_same_script_gives_the_same_bytes(name: str) -> None:
    """Time, codes and names are the demo's own, so a recording changes only when the program does."""
    script = find_demo(name).read()
    first, second = record(script), record(script)
    assert cast(first) == cast(second)
    assert drawn(first) == drawn(second)


def test_what_is_promised_ships() -> None:
    """The seed case, the refund, the library, words meanwhile, the briefs, and the clean-up at every level."""
    shown = {(demo.name, demo.read().agent, demo.read().levels) for demo in shipped_demos()}
    assert shown >= {
        ("asks-twice", "expenses", (2,)),
        ("asks-once", "expenses", (3,)),
        ("refund-reckless", "support", (4,)),
        ("refund", "support", (3,)),
        ("library", "library", (3,)),
        ("meanwhile", "expenses", (3,)),
        ("briefs", "briefs", (2,)),
        *((f"old-entries-{level}", "expenses", (level,)) for level in (1, 2, 3, 4)),
    }


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_cast_plays_in_a_terminal(columns: int) -> None:
    """A terminal that is fed the recording shows the question, its answer, and the audit lines."""
    recording = record(find_demo("asks-twice").read(), columns=columns)
    header, *frames = [json.loads(line) for line in cast(recording).splitlines()]
    assert (header["version"], header["width"], header["height"]) == (2, columns, 24)
    assert header["timestamp"] == 1796029200
    screen = pyte.HistoryScreen(columns, 24, history=1000, ratio=0.5)
    stream = pyte.Stream(screen)
    questions, pages = set(), []
    for seconds, kind, text in frames:
        assert (kind, seconds >= 0) == ("o", True)
        stream.feed(text)
        shown = [line.rstrip() for line in screen.display]
        questions |= {line for line in shown if line.startswith("Allow ")}
        pages.append("\n".join(shown))
    assert [frame[0] for frame in frames] == sorted(frame[0] for frame in frames)
    assert {line.split()[1] for line in questions} == {"add_expense", "delete_expense"}
    gone = ("".join(line[at].data for at in range(columns)).rstrip() for line in screen.history.top)
    everything = [*gone, *(line.rstrip() for line in screen.display)]
    assert "› Add 300 for groceries, then delete" in "\n".join(everything)
    assert any(line.startswith("[approved] add_expense by ana after ") for line in everything)
    assert "n keep that one" in "\n".join(pages)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_what_could_be_read_fits_the_terminal(columns: int) -> None:
    """Everything is folded to the width, audit lines too, though a terminal is left to wrap these itself."""
    recording = record(find_demo("refund").read(), columns=columns)
    assert max(cell_width(plain(line)) for line in recording.lines) <= columns
    assert "Look the customer up first." in " ".join(text_of(recording).split())


def test_words_are_typed_while_a_step_is_at_work() -> None:
    """They are queued before the step's reply, and heard at the next step."""
    shown = text_of(record(find_demo("meanwhile").read()))
    order = ["heard #1 at step 1", "› in rupees, please", "queued #2", "I'll add it.", "heard #2 at step 2"]
    places = [shown.index(one) for one in order]
    assert places == sorted(places)


def test_a_demo_that_there_is_not_is_told_with_the_nearest_name() -> None:
    """In one sentence, whose question ends it."""
    with pytest.raises(NoSuchDemo) as raised:
        find_demo("askstwice")
    assert str(raised.value) == (
        "no demo 'askstwice' ships, and there is no such file; did you mean 'asks-twice'? `agentcli demo` lists them"
    )
