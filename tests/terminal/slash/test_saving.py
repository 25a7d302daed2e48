"""Files that a person names: new ones, all of them or none."""

import os
import stat
from pathlib import Path

import pytest

from agentcli.terminal.slash.saving import NotSaved, path_from, save_new


def test_files_are_for_the_eyes_of_their_owner(tmp_path: Path) -> None:
    """What is in a book is nobody else's business."""
    save_new([(tmp_path / "a", b"1\r\n"), (tmp_path / "b", b"2")])
    assert (tmp_path / "a").read_bytes() == b"1\r\n"
    assert (tmp_path / "b").read_bytes() == b"2"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) & 0o077 == 0


REMOVE = "there is there already; name another file, or remove that one first"


@pytest.mark.parametrize("kind", ["file", "folder", "link", "dangling link", "pipe"])
def test_what_is_there_stays_as_it_is(tmp_path: Path, kind: str) -> None:
    """Also where a link leads elsewhere; and the other files are not left behind.

    Only a file, or what leads to one, is said to be in the way of another.
    """
    there, target = tmp_path / "there", tmp_path / "target"
    if kind == "file":
        there.write_bytes(b"old")
    elif kind == "folder":
        there.mkdir()
    elif kind == "pipe":
        os.mkfifo(there)
    else:
        there.symlink_to(target)
        if kind == "link":
            target.write_bytes(b"old")
    before = sorted(tmp_path.iterdir())
    why = {"folder": "is a folder; name a file in it", "pipe": "and is no file; name another one"}.get(
        kind, REMOVE
    )
    with pytest.raises(NotSaved, match=why):
        save_new([(tmp_path / "first", b"new"), (there, b"new")])
    assert sorted(tmp_path.iterdir()) == before
    assert kind not in ("file", "link") or there.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "why"), [("no/such/folder", "No such file or directory"), ("x\0y", "null"), ("x" * 300, "too long")]
)
def test_what_can_not_be_written_says_why(tmp_path: Path, name: str, why: str) -> None:
    """With the file's name."""
    with pytest.raises(NotSaved, match=f"can't be written: .*{why}"):
        save_new([(tmp_path / name, b"new")])


def test_a_path_is_read_as_a_shell_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~` is home, quotes around it go, and it counts from where one is."""
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.chdir(tmp_path)
    typed = {
        "~/x.csv": "/home/ana/x.csv",
        "'~/my book.csv'": "/home/ana/my book.csv",
        '"a b.csv"': f"{tmp_path}/a b.csv",
        "a b.csv": f"{tmp_path}/a b.csv",
        '"': f'{tmp_path}/"',
        "~nobodyatall/x": f"{tmp_path}/~nobodyatall/x",
    }
    assert {text: str(path_from(text)) for text in typed} == typed
