"""A file that others can change decides nothing."""

import grp
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.config.safety import (
    MAX_BYTES,
    UnsafeFileError,
    distrust,
    distrust_of,
    is_private_group,
    read_guarded,
)

ANA, BEN, ROOT = 1000, 1001, 0
OWN_GROUP, OTHER_GROUP = 1000, 100


def status(mode: int, *, kind: int = stat.S_IFREG, owner: int = ANA, group: int = OWN_GROUP) -> os.stat_result:
    return os.stat_result((kind | mode, 0, 0, 1, owner, group, 0, 0, 0, 0))


def is_own_group(gid: int) -> bool:
    return gid == OWN_GROUP


TRUSTED = {
    "hers alone": status(0o600),
    "readable by others": status(0o644),
    "writable by her own group": status(0o664),
    "of root": status(0o644, owner=ROOT, group=ROOT),
    "of root, writable by her own group": status(0o664, owner=ROOT),
    "readable by another group": status(0o640, group=OTHER_GROUP),
}

DISTRUSTED = {
    "of another user": (status(0o600, owner=BEN), "belongs to user 1001, neither to you (user 1000) nor to root"),
    "writable by everybody": (status(0o602), "can be written by everybody"),
    "writable by another group": (status(0o620, group=OTHER_GROUP), "can be written by group 100"),
    "of root, writable by root's group": (status(0o664, owner=ROOT, group=ROOT), "can be written by group 0"),
    "a folder": (status(0o700, kind=stat.S_IFDIR), "is not a regular file"),
    "a pipe": (status(0o600, kind=stat.S_IFIFO), "is not a regular file"),
    "a device": (status(0o600, kind=stat.S_IFCHR), "is not a regular file"),
}


@pytest.mark.parametrize("of_file", TRUSTED.values(), ids=TRUSTED.keys())
def test_a_file_that_only_the_user_and_root_can_change_is_trusted(of_file: os.stat_result) -> None:
    """A file of the user or of root is read if nobody else may write it."""
    assert distrust(of_file, ANA, is_own_group) is None


@pytest.mark.parametrize(("of_file", "reason"), DISTRUSTED.values(), ids=DISTRUSTED.keys())
def test_a_file_that_others_can_change_is_refused(of_file: os.stat_result, reason: str) -> None:
    """A file of someone else, or writable by someone else, is refused with the reason."""
    assert (distrust(of_file, ANA, is_own_group) or "").startswith(reason)


@given(
    mode=st.integers(0, 0o777),
    owner=st.sampled_from([ANA, BEN, ROOT]),
    group=st.sampled_from([OWN_GROUP, OTHER_GROUP]),
)
def test_trust_means_that_nobody_else_can_write(mode: int, owner: int, group: int) -> None:
    """Whatever the rights, a trusted file has no writer but the user, root and the user's own group."""
    writers = {owner}
    if mode & 0o020:
        writers.add(ANA if group == OWN_GROUP else -1)
    if mode & 0o002:
        writers.add(-1)
    trusted = distrust(status(mode, owner=owner, group=group), ANA, is_own_group) is None
    assert trusted == (writers <= {ANA, ROOT})


def test_where_the_system_knows_no_owners_only_the_type_counts() -> None:
    """On Windows the folder of the user guards the file, not its mode."""
    assert distrust(status(0o666, owner=BEN), None, is_own_group) is None
    assert distrust(status(0o666, kind=stat.S_IFDIR), None, is_own_group) == "is not a regular file"


@pytest.mark.parametrize(
    ("name", "gid", "members", "private"),
    [
        pytest.param("ana", 1000, [], True, id="her own, as many systems make it"),
        pytest.param("ana", 1000, ["ana"], True, id="with her listed in it"),
        pytest.param("ana", 1000, ["ana", "ben"], False, id="with another member"),
        pytest.param("ana", 1001, [], False, id="not her primary one"),
        pytest.param("staff", 1000, [], False, id="her primary one, but everybody's"),
    ],
)
def test_the_own_group_is_the_primary_one_without_others(
    name: str, gid: int, members: list[str], private: bool
) -> None:
    """A group is a user's own if it is the primary one, has the user's name, and nobody else is in it."""
    assert is_private_group(grp.struct_group((name, "x", gid, members)), "ana", 1000) is private


def test_a_safe_file_is_read_as_it_is(tmp_path: Path) -> None:
    """The bytes come back unchanged."""
    path = tmp_path / "config.toml"
    path.write_bytes(b"agent = 'support'\r\n\xff")
    path.chmod(0o600)
    assert read_guarded(path) == b"agent = 'support'\r\n\xff"


def test_a_link_is_judged_by_the_file_it_leads_to(tmp_path: Path) -> None:
    """A link to a file that others can write is refused as that file is."""
    path, link = tmp_path / "config.toml", tmp_path / "link"
    path.write_bytes(b"x")
    link.symlink_to(path)
    path.chmod(0o600)
    assert read_guarded(link) == b"x"
    path.chmod(0o606)
    with pytest.raises(UnsafeFileError, match="can be written by everybody"):
        read_guarded(link)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize(
    ("owner", "group", "mode", "reason"),
    [(12345, 0, 0o600, "belongs to user 12345"), (0, 54321, 0o660, "can be written by group 54321")],
)
def test_a_real_file_of_others_is_refused(tmp_path: Path, owner: int, group: int, mode: int, reason: str) -> None:
    """Owner and group are taken from the file itself, a group that no list knows is nobody's own."""
    path = tmp_path / "config.toml"
    path.write_bytes(b"x")
    path.chmod(mode)
    os.chown(path, owner, group)
    with pytest.raises(UnsafeFileError, match=reason):
        read_guarded(path)


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """A named pipe that nobody writes to is refused without waiting."""
    path = tmp_path / "pipe"
    os.mkfifo(path, 0o600)
    with pytest.raises(UnsafeFileError, match="is not a regular file"):
        read_guarded(path)


@pytest.mark.parametrize(("size", "is_read"), [(MAX_BYTES, True), (MAX_BYTES + 1, False)])
def test_a_file_has_a_largest_size(tmp_path: Path, size: int, is_read: bool) -> None:
    """Up to 1,000,000 bytes are read; a larger file is refused."""
    path = tmp_path / "large"
    path.write_bytes(b"#" * size)
    path.chmod(0o600)
    if is_read:
        assert len(read_guarded(path)) == size
    else:
        with pytest.raises(UnsafeFileError, match="is larger than 1,000,000 bytes") as caught:
            read_guarded(path)
        assert caught.value.path == path


def test_a_program_is_judged_without_being_read(tmp_path: Path) -> None:
    """It may be of any size, and may be one that we can't read; what others can change is told."""
    path = tmp_path / "program"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    path.chmod(0o711)
    assert distrust_of(path) is None
    path.chmod(0o713)
    assert "can be written by everybody" in str(distrust_of(path))
    with pytest.raises(FileNotFoundError):
        distrust_of(tmp_path / "missing")
