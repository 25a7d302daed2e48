"""Files that options name are written anew, and never over something else."""

from pathlib import Path

import pytest

from tests.cli.process import Home

TOTAL = "What's my total?"
WRITING = {
    "a picture of levels": ("compare", "--levels", "2", "--model", "offline", TOTAL, "--svg"),
    "a picture of a demo": ("demo", "asks-once", "--svg"),
    "a cast": ("demo", "asks-once", "--cast"),
    "a recording": ("run", "--model", "offline", TOTAL, "--record"),
}
writing = pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)


@writing
@pytest.mark.parametrize("named", ["store", "config", "notes"])
def test_what_is_something_else_is_not_written_over(home: Home, command: tuple[str, ...], named: str) -> None:
    """A slip in a name costs neither the record nor a file of one's own; nothing is done either."""
    home.run("run", "--model", "offline", TOTAL)
    path = home.store if named == "store" else home.folder / "config.toml"
    if named != "store":
        path.write_text("[autonomy]\nlevel = 2\n")
    before = path.read_bytes()
    told = home.run(*(("--config", str(path)) if named == "config" else ()), *command, str(path))
    assert (told.code, told.out) == (2, "")
    assert f"{path}: holds something else, and is not written over; name another file" in told.err
    assert path.read_bytes() == before
    assert len(home.run("sessions", "list", "--json").json) == 1


@writing
def test_the_same_file_can_be_made_again(home: Home, command: tuple[str, ...]) -> None:
    """And over an empty one."""
    path = home.folder / "made"
    path.touch()
    assert [home.run(*command, str(path)).code for _ in range(2)] == [0, 0]
    assert path.stat().st_size > 0


@writing
@pytest.mark.parametrize("named", ["", ".", "nowhere/x"])
def test_what_can_not_be_written_is_told_before_anything_is_done(
    home: Home, command: tuple[str, ...], named: str
) -> None:
    """A comparison may have cost money by the time it would be drawn."""
    told = home.run(*command, named)
    assert (told.code, told.out) == (2, "")
    assert "can't be written" in told.err
    assert not Path(home.folder / "nowhere").exists()


def test_one_file_is_not_two(home: Home) -> None:
    """The picture would replace the cast."""
    told = home.run("demo", "asks-once", "--cast", "both", "--svg", "both")
    assert told.code == 2
    assert (home.folder / "both").read_text().startswith('{"version":2')


@writing
def test_a_device_is_written_to(home: Home, command: tuple[str, ...]) -> None:
    """It holds nothing that could be lost."""
    assert home.run(*command, "/dev/null").code == 0


def test_nothing_is_left_of_a_file_that_was_only_tried(home: Home) -> None:
    """A comparison that can't begin leaves no empty picture."""
    told = home.run("compare", "--model", "claude-sonnet-5", "--svg", "x.svg", TOTAL)
    assert (told.code, (home.folder / "x.svg").exists()) == (2, False)
