"""What keeping a record costs: words, reading back, verifying, syncs; and what runs at the same time."""

import asyncio
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import Figure, compared, wall_s
from steps import LIMITS

from agentcli import Toolset
from agentcli.agents import shipped
from agentcli.agents.agent import Agent
from agentcli.engine.clock import SystemClock
from agentcli.gate.autonomy import Level
from agentcli.models.prices import cost_usd
from agentcli.session.fold import fold
from agentcli.session.persons import Person
from agentcli.store.chain import verify
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.levels import Levels
from agentcli.wiring.session import Session
from agentcli.wiring.terms import Terms

ENTRIES = 10_000
PERSON = Person("bench", "bench")


def terms(agent: Agent, level: Level = Level.ALONE) -> Terms:
    return Terms(model="offline", levels=Levels(level, {}), price=cost_usd, limits=LIMITS, options=agent.options)


def long_session(store: SqliteStore) -> str:
    """Return a session of ten thousand entries, three quarters of them from runs."""
    agent = shipped("expenses")
    session = Session.begin(agent, store, terms(agent), SystemClock())

    async def fill() -> None:
        while session.state.seq < ENTRIES:
            await session.say("call get_total {} & call list_expenses {}", PERSON)
            await session.carry_on()

    asyncio.run(fill())
    session.close()
    return session.id


def record(folder: Path) -> list[Figure]:
    with SqliteStore.open(folder / "record.db") as store:
        session = long_session(store)

        def rows() -> list:
            return list(store.rows(session))

        kept = rows()
        hashed = [b"".join(bytes(part) for part in (*row[2:5], kept[at - 1][5])) for at, row in enumerate(kept)]

        def hash_all(texts: list[bytes]) -> None:
            for text in texts:
                hashlib.sha256(text).digest()

        def read_and_hash() -> None:
            hash_all([row[4] for row in rows()])

        def verifying() -> float:
            return wall_s(lambda: verify(store.rows(session)))

        return [
            compared(
                "`audit verify`", verifying, lambda: wall_s(lambda: hash_all(hashed)), at_most=3,
                how="10,000 entries, read and verified", floor_is="hashing the same bytes",
            ),
            compared(
                "the same", verifying, lambda: wall_s(read_and_hash), at_most=None,
                how="10,000 entries, read and verified", floor_is="reading and hashing them",
            ),
            compared(
                "resume of 10,000 entries", lambda: wall_s(lambda: fold(session, store.records(session))),
                lambda: wall_s(rows), at_most=3, how="records read and folded into the state",
                floor_is="reading its rows",
            ),
        ]  # fmt: skip


def words(folder: Path) -> Figure:
    agent = shipped("expenses")
    plain = sqlite3.connect(folder / "plain.db", isolation_level=None)
    plain.execute("PRAGMA journal_mode=WAL")
    plain.execute("PRAGMA synchronous=FULL")
    plain.execute("CREATE TABLE said (text TEXT)")

    def commits() -> float:
        begin = time.perf_counter()
        for _ in range(50):
            plain.execute("BEGIN IMMEDIATE")
            plain.execute("INSERT INTO said VALUES ('in euros, please')")
            plain.execute("COMMIT")
        return (time.perf_counter() - begin) / 50

    with SqliteStore.open(folder / "words.db") as store:
        session = Session.begin(agent, store, terms(agent), SystemClock())

        def says() -> float:
            async def say() -> float:
                begin = time.perf_counter()
                for _ in range(50):
                    await session.say("in euros, please", PERSON)
                return (time.perf_counter() - begin) / 50

            return asyncio.run(say())

        figure = compared(
            "words: Enter to stored",
            says,
            commits,
            at_most=2,
            how="mean of 50",
            floor_is="one durable commit",
            unit="ms",
        )
        session.close()
    return figure


def reads(folder: Path) -> Figure:
    """Five reads of 100 ms that the model asks for in one reply, against one of them."""
    tools = Toolset("slow")

    @tools.read
    def look(number: int) -> dict:
        "Look, slowly."
        time.sleep(0.1)
        return {"number": number}

    agent = Agent(name="slow", toolset=tools)

    def taking(count: int) -> float:
        with SqliteStore.in_memory() as store:
            session = Session.begin(agent, store, terms(agent), SystemClock())

            async def ask() -> None:
                await session.say(
                    " & ".join(f'call look {{"number":{number}}}' for number in range(count)), PERSON
                )
                await session.carry_on()

            seconds = wall_s(lambda: asyncio.run(ask()))
            session.close()
            return seconds

    return compared(
        "5 reads of 100 ms in one step", lambda: taking(5), lambda: taking(1), at_most=1.3, how="wall time",
        floor_is="one of them", rounds=5,
    )  # fmt: skip


def syncs() -> list[Figure]:
    """Count the syncs of a round with strace, by the difference that one more round makes."""
    if shutil.which("strace") is None:
        return []
    return [
        Figure(f"fsyncs a round, {name}", f"{count:g}", str(at_most), count / at_most, 1.0, 0, "counted by strace")
        for name, level, at_most in (("allowed", 4, 2), ("asked", 2, 4))
        # Each round takes one more for its message, which is stored before anything is done about it.
        for count in [(_synced(level, 15) - _synced(level, 5)) / 10 - 1]
    ]


def _synced(level: int, rounds: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "trace"
        command = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync", "-o", str(log)]
        subprocess.run(
            [*command, sys.executable, __file__, "rounds", str(level), str(rounds), folder],
            check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        rows = [line.split() for line in log.read_text().splitlines() if line.endswith(("fsync", "fdatasync"))]
        return sum(int(row[3]) for row in rows)


def play_rounds(level: Level, rounds: int, folder: Path) -> None:
    """Play rounds of one write each in one run; where they are asked about, say yes."""
    agent = shipped("expenses")
    with SqliteStore.open(folder / "rounds.db") as store:
        session = Session.begin(agent, store, terms(agent, level), SystemClock())

        async def play() -> None:
            for number in range(rounds):
                await session.say(f'call save_note {{"text":"{number}"}}', PERSON)
            await session.carry_on()
            while session.waiting:
                [waiting] = session.waiting
                await session.answer(waiting.call_id, approve=True, by="bench", code=waiting.code)
                await session.carry_on()

        asyncio.run(play())
        assert len(store.book("expenses_notes")) == rounds
        session.close()


def markdown() -> Figure:
    """Drawing a streamed reply block by block: the time for 32 KB over that for 8 KB, against four."""
    from agentcli.terminal.drawing.markdown import draw_block
    from agentcli.terminal.drawing.reply import Blocks

    paragraph = "Some **words** about `things`, and a [link](https://example.test/page).\n\n- one\n- two\n\n"

    def drawing(size: int) -> float:
        text = (paragraph * (size // len(paragraph) + 1))[:size]

        def draw() -> None:
            blocks = Blocks()
            for start in range(0, size, 20):
                for block in blocks.feed(text[start : start + 20]):
                    draw_block(block, width=80, colour=True)

        return wall_s(draw)

    drawing(1000)
    return compared(
        "a 32 KB reply, for each 8 KB of it", lambda: drawing(32_768) / 4, lambda: drawing(8_192), at_most=1.3,
        how="streamed in deltas of 20 characters", floor_is="an 8 KB one", rounds=5,
    )  # fmt: skip


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        return [*record(Path(folder)), words(Path(folder)), reads(Path(folder)), *syncs(), markdown()]


if __name__ == "__main__":
    if sys.argv[1:2] == ["rounds"]:
        play_rounds(Level(int(sys.argv[2])), int(sys.argv[3]), Path(sys.argv[4]))
    else:
        for figure in figures():
            print(figure.row)
