"""The mirror: every decision is durable there before it counts, and what can't be copied does not happen."""

import errno
import json
import os
import stat
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from agentcli.gate.verdicts import Decision
from agentcli.session.decisions import read_decisions
from agentcli.session.export import export_line
from agentcli.session.ports import StoreFault
from agentcli.store.mirror import MirroredDecisions, MirrorFailure, MirrorFile, mirrored
from agentcli.store.sqlite import SqliteStore
from tests.session import telling as t
from tests.store.processes import output_of

ASK, DENY = Decision.ASK, Decision.DENY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


@pytest.fixture
def file(path: Path) -> MirrorFile:
    return MirrorFile(path)


def test_lines_are_appended(file: MirrorFile, path: Path) -> None:
    """What is there stays."""
    file.append(b"one\n")
    file.append(b"two\nthree\n")
    assert path.read_bytes() == b"one\ntwo\nthree\n"


def test_a_new_file_is_its_owners_alone(file: MirrorFile, path: Path) -> None:
    """The record says what a person's agents do."""
    file.append(b"one\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_is_synced_before_it_counts(path: Path) -> None:
    """Each append ends with a sync of the file; the first one also makes its name durable."""
    synced: list[int] = []
    file = MirrorFile(path, lambda descriptor: synced.append(stat.S_IFMT(os.fstat(descriptor).st_mode)))
    file.append(b"one\n")
    file.append(b"two\n")
    assert synced == [stat.S_IFDIR, stat.S_IFREG, stat.S_IFREG]


def test_a_line_that_is_not_durable_does_not_count(path: Path) -> None:
    """A disk that fails at the sync fails the decision."""

    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path.touch()
    with pytest.raises(MirrorFailure, match="No space left") as caught:
        MirrorFile(path, fail).append(b"one\n")
    assert caught.value.fault is StoreFault.FULL


@pytest.mark.parametrize(("there", "after"), [(b"", b"new\n"), (b"old\n", b"old\nnew\n"), (b"old", b"old\nnew\n")])
def test_a_line_is_never_glued_to_a_part_of_one(there: bytes, after: bytes, file: MirrorFile, path: Path) -> None:
    """A write that was cut by a crash or a full disk costs its own line alone."""
    path.write_bytes(there)
    file.append(b"new\n")
    assert path.read_bytes() == after


def test_looking_whether_it_can_be_written_writes_nothing(file: MirrorFile, path: Path) -> None:
    """Not even where a line was cut."""
    file.require_writable()
    assert path.read_bytes() == b""
    path.write_bytes(b"old")
    file.require_writable()
    assert path.read_bytes() == b"old"


def in_no_folder(path: Path) -> Path:
    return path.parent / "missing" / "audit.jsonl"


def a_folder(path: Path) -> Path:
    path.mkdir()
    return path


def a_pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def a_device_that_is_full(path: Path) -> Path:
    return Path("/dev/full")


def a_store(path: Path) -> Path:
    with SqliteStore.open(path):
        return path


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (a_store, "is a database, and no place for lines"),
        (in_no_folder, "No such file or directory"),
        (a_folder, "Is a directory"),
        (a_pipe, "is not a regular file"),
        (a_device_that_is_full, "is not a regular file"),
    ],
)
def test_what_cannot_be_a_mirror_is_refused(make: Any, problem: str, path: Path) -> None:
    """The message says which file, and what is wrong with it; no folder is made for it."""
    wrong = make(path)
    with pytest.raises(MirrorFailure, match=problem) as caught:
        MirrorFile(wrong).append(b"one\n")
    assert str(caught.value).startswith(
        f"the mirror of the record (audit.file) can't be written, so nothing runs: {wrong}: "
    )
    assert caught.value.fault is StoreFault.UNREADABLE
    assert not (path.parent / "missing").exists()


def test_a_store_that_is_named_as_its_own_mirror_stays_as_it_is(path: Path) -> None:
    """A line at its end would break it."""
    a_store(path)
    before = path.read_bytes()
    with pytest.raises(MirrorFailure):
        MirrorFile(path).append(b"one\n")
    assert path.read_bytes() == before


def test_a_limit_of_the_system_is_a_failure(path: Path) -> None:
    """A file that may grow no more takes no line."""
    script = (
        "import resource, signal, sys; from pathlib import Path; from agentcli.store.mirror import *;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\n"
        "try: MirrorFile(Path(sys.argv[1])).append(b'x' * 20 + b'\\n')\n"
        "except MirrorFailure as failure: print(failure.fault.name)"
    )
    assert output_of(script, path) == "UNREADABLE"
    MirrorFile(path).append(b"next\n")
    assert path.read_bytes() == b"x" * 10 + b"\nnext\n"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def copied(path: Path, *transactions: list[t.Told]) -> list[tuple[Any, ...]]:
    """What stands in the mirror after the transactions: number, decision, answer and outcome of each line."""
    witness = mirrored(path)()
    records = iter(t.records_of(*chain(*transactions)))
    for transaction in transactions:
        witness.attest([next(records) for _ in transaction])
    names = ("seq", "decision", "answer", "outcome")
    return [tuple(line.get(name) for name in names) for line in lines(path)]


REFUSED: dict[str, Any] = {"origin": "core", "is_error": True}


@pytest.mark.parametrize(
    ("transactions", "expected"),
    [
        pytest.param([list(t.BEGUN), [t.replied(t.use())]], [], id="nothing was decided"),
        pytest.param([[t.decided(), t.finished()]], [(1, "allow", None, "ok")], id="allowed"),
        pytest.param([[t.decided("c1"), t.finished("c1"), t.decided("c2"), t.finished("c2")]],
                     [(1, "allow", None, "ok"), (3, "allow", None, "ok")], id="two in one transaction"),
        pytest.param([[t.decided(decision=DENY), t.finished(status="blocked", **REFUSED)]],
                     [(1, "deny", None, "blocked")], id="denied"),
        pytest.param([[t.decided(decision=ASK), t.asked()]], [(1, "ask", None, None)], id="asked"),
        pytest.param([[t.decided(decision=ASK), t.asked()], [t.answered(2)]], [(1, "ask", None, None)], id="answered"),
        pytest.param([[t.decided(decision=ASK), t.asked()], [t.answered(2)], [t.decided(decision=ASK), t.finished()]],
                     [(1, "ask", None, None), (1, "ask", "approved", "ok")], id="approved"),
        pytest.param([[t.decided(decision=ASK), t.asked()], [t.answered(2, "declined"), t.finished(status="declined", **REFUSED)]],
                     [(1, "ask", None, None), (1, "ask", "declined", "declined")], id="declined"),
        pytest.param([[t.decided()], [t.finished()]],
                     [(1, "allow", None, None), (1, "allow", None, "ok")], id="decided before"),
        pytest.param([[t.decided()], [t.started()], [t.finished()]],
                     [(1, "allow", None, None), (1, "allow", None, None)], id="decided before, elsewhere"),
        pytest.param([[t.decided(), t.started()], [t.finished()]], [(1, "allow", None, None)], id="elsewhere"),
        pytest.param([[t.decided(), t.started()], [t.attached(2)], [t.reconciled(2, "not"), t.finished(status="fault", **REFUSED)]],
                     [(1, "allow", None, None), (1, "allow", None, "fault")], id="settled by a person"),
        pytest.param([[t.finished(status="cancelled", **REFUSED)]], [], id="ended before it was decided"),
    ],
)  # fmt: skip
def test_decisions_are_copied_as_they_stand(
    transactions: list[list[t.Told]], expected: list[tuple[Any, ...]], path: Path
) -> None:
    """Each when it is made, a question once more when its answer is acted on; the last line of a number counts."""
    assert copied(path, *transactions) == expected


def test_the_lines_are_those_of_the_export(path: Path) -> None:
    """Who reads one reads the other."""
    records = t.records_of(t.decided(reason="fünf"), t.finished())
    mirrored(path)().attest(records)
    assert path.read_bytes() == b"".join(map(export_line, read_decisions(records)))


def test_one_transaction_is_one_sync(path: Path) -> None:
    """However many decisions it holds."""
    path.touch()
    synced: list[int] = []
    batch = t.records_of(*chain.from_iterable((t.decided(f"c{no}"), t.finished(f"c{no}")) for no in range(1, 9)))
    MirroredDecisions(MirrorFile(path, synced.append).append).attest(batch)
    assert (len(synced), len(lines(path))) == (1, 8)


def test_without_a_decision_nothing_is_written(path: Path) -> None:
    """Words and replies are no business of the mirror, so they need none that works."""
    witness = mirrored(in_no_folder(path))()
    witness.attest(t.records_of(*t.BEGUN, t.replied(t.use())))


def test_what_was_stored_before_is_not_copied_again(path: Path) -> None:
    """A process that comes later copies only what is decided from then on."""
    records = t.records_of(
        t.decided(decision=ASK), t.asked(), t.answered(2), t.decided(decision=ASK), t.finished()
    )
    witness = mirrored(path)()
    for record in records[:3]:
        witness.see(record)
    assert lines(path) == []
    witness.attest(records[3:])
    assert [(line["seq"], line["answer"], line["outcome"]) for line in lines(path)] == [(1, "approved", "ok")]


def test_what_cannot_be_copied_is_refused(path: Path) -> None:
    """The transaction that holds the decision fails with it."""
    witness = mirrored(in_no_folder(path))()
    with pytest.raises(MirrorFailure):
        witness.attest(t.records_of(t.decided()))
