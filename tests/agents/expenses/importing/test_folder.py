"""Files are read from one folder, and from nowhere else."""

import os
from pathlib import Path

import pytest

from agentcli.agents.expenses.importing.folder import MOST_BYTES, name_problem, read_file
from agentcli.tools.outcome import ToolFailure


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An import folder beside a secret."""
    (tmp_path / "secret.csv").write_bytes(b"secret")
    inside = tmp_path / "imports"
    (inside / "2026").mkdir(parents=True)
    (inside / "lunch.csv").write_bytes(b"lunch")
    (inside / "2026" / "may.csv").write_bytes(b"may")
    return inside


def status(read: bytes | ToolFailure) -> str:
    return read.status if isinstance(read, ToolFailure) else "read"


@pytest.mark.parametrize(
    "name", ["lunch.csv", "2026/may.csv", "my lunch.csv", "..csv", "a..b.csv", "Überweisung.csv"]
)
def test_a_name_inside_the_folder_is_no_problem(name: str) -> None:
    """Whether there is such a file is looked at later."""
    assert name_problem(name) is None


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../secret.csv", "2026/../../secret.csv", "..", "C:\\secret.csv", "C:secret.csv", "..\\secret.csv", "\\secret.csv", "\\\\host\\share\\a.csv"],
)  # fmt: skip
def test_a_name_that_leads_out_of_the_folder_is_refused_before_anything_is_looked_at(name: str) -> None:
    """Absolute paths, drives and `..`, in the words of any system."""
    assert "inside the import folder" in str(name_problem(name))


@pytest.mark.parametrize(("name", "data"), [("lunch.csv", b"lunch"), ("2026/may.csv", b"may")])
def test_a_file_inside_the_folder_is_read(folder: Path, name: str, data: bytes) -> None:
    """Also one in a folder below."""
    assert read_file(str(folder), name) == data


@pytest.mark.parametrize("name", ["dinner.csv", "2026", ".", "lunch.csv/x", "a" * 300, "a\0b", "../secret.csv", "/etc/passwd"])  # fmt: skip
def test_what_is_no_file_in_the_folder_is_not_found(folder: Path, name: str) -> None:
    """All told alike, so that nobody learns what there is elsewhere."""
    read = read_file(str(folder), name)
    assert isinstance(read, ToolFailure)
    assert (read.status, read.message) == (
        "file_not_found",
        f"There is no file {name!r} in the import folder. Check the name.",
    )


def test_a_link_out_of_the_folder_is_not_followed(folder: Path) -> None:
    """Neither a link to a file nor one to a folder with files."""
    (folder / "link.csv").symlink_to(folder.parent / "secret.csv")
    (folder / "up").symlink_to(folder.parent)
    assert [status(read_file(str(folder), name)) for name in ("link.csv", "up/secret.csv")] == [
        "file_not_found"
    ] * 2


def test_a_link_that_stays_in_the_folder_is_followed(folder: Path) -> None:
    """It leads to nothing that could not be named itself."""
    (folder / "link.csv").symlink_to("2026/may.csv")
    assert read_file(str(folder), "link.csv") == b"may"


def test_the_folder_itself_may_be_a_link(folder: Path) -> None:
    """Where it is, is for the person to say who configures it."""
    (folder.parent / "other").symlink_to(folder)
    assert read_file(str(folder.parent / "other"), "lunch.csv") == b"lunch"


def test_links_in_a_circle_are_no_file(folder: Path) -> None:
    """They lead nowhere."""
    (folder / "a.csv").symlink_to("b.csv")
    (folder / "b.csv").symlink_to("a.csv")
    assert status(read_file(str(folder), "a.csv")) == "file_not_found"


def test_a_pipe_is_no_file_and_nobody_waits_for_it(folder: Path) -> None:
    """Whoever opened it to read would wait until somebody writes."""
    os.mkfifo(folder / "pipe.csv")
    assert status(read_file(str(folder), "pipe.csv")) == "file_not_found"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_no_file(folder: Path) -> None:
    """Reading one could go on for ever."""
    try:
        os.mknod(folder / "zero.csv", 0o600 | 0o020000, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices can't be made here")
    assert status(read_file(str(folder), "zero.csv")) == "file_not_found"


@pytest.mark.parametrize(("size", "is_read"), [(MOST_BYTES, True), (MOST_BYTES + 1, False)])
def test_a_file_is_read_up_to_a_size(folder: Path, size: int, is_read: bool) -> None:
    """What is larger is refused, and not cut off."""
    (folder / "large.csv").write_bytes(b"x" * size)
    assert status(read_file(str(folder), "large.csv")) == ("read" if is_read else "malformed")


@pytest.mark.parametrize(
    ("configured", "message"),
    [("", "There is no import folder: "), ("gone", "The import folder is not there: ")],
)
def test_without_a_folder_there_is_no_file(tmp_path: Path, configured: str, message: str) -> None:
    """None is configured, or the one that is does not exist; a person who reads it finds the key in the config."""
    read = read_file(str(tmp_path / configured) if configured else "", "lunch.csv")
    assert isinstance(read, ToolFailure)
    assert read.message.startswith(f"{message}`import_folder` under [agents.expenses] in the config ")
