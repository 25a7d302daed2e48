"""The lines that were entered, over all sessions."""

import json
import logging
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agentcli.terminal.faces.remembered import MOST_BYTES, MOST_OF_ONE, Remembered


async def lines_of(history: Remembered) -> list[str]:
    """What the next conversation finds, the newest first."""
    return [line async for line in history.load()]


async def test_what_was_entered_is_there_in_the_next_conversation(tmp_path: Path) -> None:
    """The newest first; blanks at the end are gone, line breaks and other alphabets are not."""
    path = tmp_path / "state" / "history"
    before = Remembered(path)
    for line in ("one", "two\nlines ", "трёх 三"):
        before.append_string(line)
    assert await lines_of(Remembered(path)) == ["трёх 三", "two\nlines", "one"]
    assert path.read_bytes().isascii()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
@pytest.mark.parametrize("was_open", [False, True])
def test_only_its_owner_can_read_it(tmp_path: Path, was_open: bool) -> None:
    """Also where somebody made it readable."""
    path = tmp_path / "history"
    if was_open:
        path.touch(0o644)
    Remembered(path).append_string("one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_two_conversations_keep_all_lines_of_both(tmp_path: Path) -> None:
    """However they come."""
    path = tmp_path / "history"
    several = [Remembered(path) for _ in range(4)]

    def enter(number: int) -> None:
        for at in range(100):
            several[number].append_string(f"{number} {at} " + "x" * 500)

    with ThreadPoolExecutor() as pool:
        list(pool.map(enter, range(4)))
    kept = await lines_of(Remembered(path))
    assert sorted(line.rsplit(" ", 1)[0] for line in kept) == sorted(
        f"{n} {at}" for n in range(4) for at in range(100)
    )


async def test_what_is_torn_or_foreign_is_passed_over(tmp_path: Path) -> None:
    """A line that a crash cut short, one that is no text, bytes that are none."""
    path = tmp_path / "history"
    path.write_bytes(b'"one"\n{"a":1}\n\xff\n"\\ud800"\n"two')
    assert await lines_of(Remembered(path)) == ["\ufffd", "one"]


async def test_what_is_folded_is_kept_whole(tmp_path: Path) -> None:
    """In this conversation it stays folded."""
    path = tmp_path / "history"
    history = Remembered(path, whole=lambda line: line.replace("[mark]", "all of it"))
    history.append_string("see [mark]")
    assert history.newest_first == ["see [mark]"]
    assert await lines_of(Remembered(path)) == ["see all of it"]


async def test_a_huge_line_is_left_to_its_session(tmp_path: Path) -> None:
    """The history is for lines that are entered again."""
    path = tmp_path / "history"
    Remembered(path).append_string("x" * MOST_OF_ONE)
    Remembered(path).append_string("x" * (MOST_OF_ONE + 1))
    assert [len(line) for line in await lines_of(Remembered(path))] == [MOST_OF_ONE]


async def test_a_file_that_has_grown_is_put_aside_and_still_read(tmp_path: Path) -> None:
    """Nothing is lost by it but what was put aside before."""
    path = tmp_path / "history"
    path.write_text(json.dumps("old") + "\n" + " " * MOST_BYTES)
    Remembered(path).append_string("new")
    assert path.stat().st_size < 100
    assert await lines_of(Remembered(path)) == ["new", "old"]


def test_each_line_is_found_once_as_it_was_entered_last() -> None:
    """For a search."""
    history = Remembered()
    for line in ("one", "two", "one ", "three"):
        history.append_string(line)
    assert history.newest_first == ["three", "one", "two"]


async def test_a_place_that_can_not_be_written_is_logged_and_missed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The conversation goes on."""
    (tmp_path / "file").touch()
    history = Remembered(tmp_path / "file" / "history")
    with caplog.at_level(logging.WARNING):
        history.append_string("one")
        assert await lines_of(Remembered(tmp_path / "file" / "history")) == []
        assert await lines_of(Remembered(tmp_path)) == []
    assert history.newest_first == ["one"]
    assert "the history can't be kept" in caplog.text
    assert "the history can't be read" in caplog.text


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="links are followed there")
def test_no_link_is_followed_when_a_line_is_kept(tmp_path: Path) -> None:
    """Somebody else's file is not written."""
    other = tmp_path / "other"
    other.touch()
    (tmp_path / "history").symlink_to(other)
    Remembered(tmp_path / "history").append_string("one")
    assert other.read_bytes() == b""
