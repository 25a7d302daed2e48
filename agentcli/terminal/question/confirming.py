"""A yes or no at the terminal about something that no call asks for."""

import sys
import time
from collections.abc import Callable
from typing import TextIO

from agentcli.terminal.question.answer import Approve, read_answer
from agentcli.terminal.question.arming import QUIET_S


def confirm(question: str, stdin: TextIO, stdout: TextIO, sleep: Callable[[float], None] = time.sleep) -> bool:
    """Ask, and tell whether the answer is a yes; what was typed before the question could be read is none.

    Args:
        question: Text that is safe to draw.
    """
    stdout.write(f"{question} (y/n) ")
    stdout.flush()
    sleep(QUIET_S)
    _forget_typed(stdin)
    return isinstance(read_answer(stdin.readline().rstrip("\r\n")), Approve)


def _forget_typed(stdin: TextIO) -> None:
    if sys.platform == "win32":  # pragma: no cover  # runs there only
        import msvcrt  # noqa: PLC0415  # Windows only

        while msvcrt.kbhit():
            msvcrt.getwch()
        return
    import termios  # noqa: PLC0415  # POSIX only

    termios.tcflush(stdin, termios.TCIFLUSH)
