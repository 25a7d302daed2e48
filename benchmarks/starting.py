"""How soon something is there: the prompt, help, a list, an answer; and how much memory the prompt takes."""

import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import Figure, compared, spread, wall_s
from steps import service

HERE = Path(__file__).parent
PYTHON = sys.executable
BARE_PROMPT = HERE / "bare_prompt.py"
BARE_COMMANDS = HERE / "bare_commands.py"
BARE_REQUEST = HERE / "bare_request.py"


KEPT = ("PATH", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")


def environment(home: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in KEPT}
    return {**kept, "HOME": home, "LANG": "C.UTF-8", "TERM": "xterm-256color"}


class Prompt:
    """A program at a pty of 80 × 24."""

    def __init__(self, command: list[str], home: str) -> None:
        self.began = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, environment(home))
        self.seen = b""

    def until(self, wanted: bytes, *, within_s: float = 30) -> float:
        """Return the seconds since the start at which the bytes were there."""
        while wanted not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], within_s)
            if not ready:
                raise TimeoutError(f"{wanted!r} did not come: {self.seen[-300:]!r}")
            self.seen += os.read(self.fd, 65536)
        return time.perf_counter() - self.began

    def type(self, keys: bytes) -> None:
        self.seen = b""
        os.write(self.fd, keys)

    def resident_mb(self) -> float:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        raise ValueError("no VmRSS")

    def close(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def usable(command: list[str], home: str) -> tuple[float, float]:
    """Return the seconds until a key that is typed comes back, and the megabytes resident then."""
    prompt = Prompt(command, home)
    try:
        prompt.until(b"\x1b[?2004h")
        prompt.type(b"q")
        return prompt.until(b"q"), prompt.resident_mb()
    finally:
        prompt.close()


def slowest_echo_ms(home: str) -> float:
    """Return the longest time that a key took to come back in the first three seconds, while the SDK loads."""
    prompt = Prompt([PYTHON, "-m", "agentcli", "chat", "--model", "claude-sonnet-5"], home)
    slowest = 0.0
    try:
        prompt.until(b"\x1b[?2004h")
        end = time.perf_counter() + 3
        for number in range(1000):
            if time.perf_counter() > end:
                break
            key = b"abcdefghij"[number % 10 : number % 10 + 1]
            prompt.type(key)
            begin = time.perf_counter()
            prompt.until(key)
            slowest = max(slowest, time.perf_counter() - begin)
            time.sleep(0.02)
        return slowest * 1e3
    finally:
        prompt.close()


def running(command: list[str], home: str) -> float:
    return wall_s(lambda: subprocess.run(command, env=environment(home), capture_output=True, check=True))


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as home:
        ours = [PYTHON, "-m", "agentcli"]
        chat = [*ours, "chat", "--model", "offline"]
        bare = [PYTHON, str(BARE_PROMPT)]
        running([*ours, "run", "--model", "offline", "list"], home)
        made = [
            *(
                compared(
                    f"`agentcli {' '.join(words)}`", lambda words=words: running([*ours, *words], home),
                    lambda: running([PYTHON, str(BARE_COMMANDS), "--help"], home), at_most=1.4,
                    how="wall time of the process", floor_is="a Typer program with as many commands",
                )
                for words in (["--help"], ["sessions", "list"])
            ),
            compared(
                "exec to a usable prompt", lambda: usable(chat, home)[0], lambda: usable(bare, home)[0],
                at_most=2.2, how="until a typed key comes back", floor_is="a bare prompt-toolkit prompt",
            ),
            compared(
                "memory at the prompt", lambda: usable(chat, home)[1], lambda: usable(bare, home)[1],
                at_most=2.2, how="VmRSS", floor_is="the bare prompt", unit="MB", rounds=3,
            ),
        ]  # fmt: skip
        with service(0):
            run = [*ours, "run", "--model", "claude-sonnet-5", "hello"]
            made.append(
                compared(
                    "one-shot `run`, exec to answer",
                    lambda: running(run, home),
                    lambda: running([PYTHON, str(BARE_REQUEST)], home),
                    at_most=1.15,
                    how="wall time of the process",
                    floor_is="the bare SDK in a script",
                )
            )
            echoes = [slowest_echo_ms(home) for _ in range(5)]
            slowest = statistics.median(echoes)
            made.append(
                Figure(
                    "slowest key echo while the SDK loads",
                    f"{slowest:.0f} ms",
                    "50 ms",
                    slowest / 50,
                    1.0,
                    spread(echoes),
                    "keys typed for 3 s, median of 5",
                )
            )
        return made


if __name__ == "__main__":
    for figure in figures():
        print(figure.row)
