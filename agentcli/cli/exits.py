"""How a command ends: the exit codes, and what is said about a failure, all in one place."""

from enum import IntEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from agentcli.cli.writing.output import ReaderGone, Unwritable


class Exit(IntEnum):
    """What a script can rely on."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    WAITING = 3
    LIMIT = 4
    STORE = 5
    LATER = 75
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


class WrongUsage(Exception):
    """The command line asks for what can't be done; the message says what to type instead."""


class Refusal(Exception):
    """What the command line asks for is refused, or there is nothing to do it to; the message says why."""


class Problem(Struct, frozen=True):
    """How a failure is told: the exit code, and one line of what happened and what to do; empty for nothing."""

    code: Exit
    message: str = ""


class Explained(Exception):
    """A failure of which it is known already how it is told."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


_ADVICE: Final = {
    # StoreFault       what to do
    "BUSY":        "try again once the other process is done",
    "READ_ONLY":   "let yourself write to the file and its folder, or name another file with --db",
    "FULL":        "make room on the disk, then go on with `agentcli resume`",
    "CORRUPT":     "put back a copy of the file, or name another with --db",
    "UNREADABLE":  "see that the file is a store of agentcli, or name another with --db",
    "NEWER":       "update agentcli, or name another file with --db",
}  # fmt: skip


_LISTED: Final = {
    "session": "`agentcli sessions list` shows them",
    "call":    "`agentcli approvals list` shows those that wait, `agentcli audit show` all",
}  # fmt: skip


def explain(error: BaseException) -> Problem:
    """Return how a failure is told; the detail of one that nobody expected goes to the log."""
    if isinstance(error, Explained):
        return error.problem
    try:
        problem = _explain(error)
        return replace(problem, message=_without_secrets(problem.message))
    except Exception as broken:  # noqa: BLE001  # even then a person sees one line
        return Problem(Exit.FAILED, f"agentcli is damaged, install it again: {broken!r}")


def _explain(error: BaseException) -> Problem:
    match error:
        case KeyboardInterrupt():
            return Problem(Exit.INTERRUPTED)
        case ReaderGone():
            return Problem(Exit.HUNG_UP)
        case Unwritable():
            return Problem(Exit.FAILED, str(error))
        case WrongUsage():
            return Problem(Exit.USAGE, str(error))
        case Refusal():
            return Problem(Exit.FAILED, str(error))
    # Whoever raised one of the others has imported its module already.
    from agentcli.config import ConfigError, UnsafeFileError  # noqa: PLC0415
    from agentcli.config.errors import ALIKE, did_you_mean, followed  # noqa: PLC0415
    from agentcli.models.recording import BadRecording  # noqa: PLC0415
    from agentcli.session.ports import SessionBusy, StoreFailure  # noqa: PLC0415
    from agentcli.store.mirror import MirrorFailure  # noqa: PLC0415
    from agentcli.store.register import Ambiguous, NoSuch  # noqa: PLC0415
    from agentcli.wiring.agents import AgentIsFixed, UnknownAgent  # noqa: PLC0415
    from agentcli.wiring.ancestry import is_stopped  # noqa: PLC0415
    from agentcli.wiring.models import NoKey, UnknownModel  # noqa: PLC0415
    from agentcli.wiring.own_code import OwnCodeError  # noqa: PLC0415
    from agentcli.wiring.watched import RecordBroken  # noqa: PLC0415

    match error:
        case ConfigError() | UnsafeFileError() | OwnCodeError() | NoKey() | BadRecording():
            return Problem(Exit.USAGE, str(error))
        case UnknownAgent() | UnknownModel() | AgentIsFixed() | Ambiguous():
            return Problem(Exit.USAGE, str(error))
        case NoSuch(what=what, name=name, known=known):
            near = did_you_mean(name.lower(), known, alike=ALIKE)
            return Problem(Exit.USAGE, followed(f"{error}{near}", _LISTED[what]))
        case SessionBusy(session=session, pid=pid):
            stopped = "; it is stopped, and `fg` in its shell has it go on" if pid and is_stopped(pid) else ""
            advice = f"go on there, or speak to it: `agentcli say {session} TEXT`"
            return Problem(Exit.STORE, f"{error}{stopped or f'; {advice}'}")
        case MirrorFailure() | RecordBroken():
            return Problem(Exit.STORE, str(error))
        case StoreFailure(fault=fault):
            return Problem(Exit.STORE, f"{error}; {_ADVICE[fault.name]}")
        case _:
            return _internal(error)


def _without_secrets(message: str) -> str:
    from agentcli.wiring.log import without_secrets  # noqa: PLC0415  # only here

    return without_secrets(message) if message else ""


def _internal(error: BaseException) -> Problem:
    import logging  # noqa: PLC0415  # only here

    from agentcli.config import user_places  # noqa: PLC0415  # only here
    from agentcli.wiring.log import LogFile, log_to, new_reference  # noqa: PLC0415

    root = logging.getLogger()
    if not any(isinstance(handler, LogFile) for handler in root.handlers):
        log_to(user_places().log)
    reference = new_reference()
    logging.getLogger(__name__).error("internal error %s", reference, exc_info=error)
    files = [str(handler.path) for handler in root.handlers if isinstance(handler, LogFile)]
    return Problem(Exit.FAILED, f"internal error (reference {reference}); the detail is in {', '.join(files)}")
