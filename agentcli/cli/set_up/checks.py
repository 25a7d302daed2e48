"""What `agentcli doctor` looks at: each check says what it found and, where something is wrong, what to do."""

import codecs
import errno
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from agentcli.config import Config, ConfigError
from agentcli.config.errors import did_you_mean
from agentcli.config.precedence import VARIABLES
from agentcli.models.connection import connection_from, foreign_host
from agentcli.models.recording import BadRecording
from agentcli.session.ports import StoreFailure
from agentcli.store.chain import verify
from agentcli.store.migrations import REGISTER
from agentcli.store.mirror import MirrorFailure, MirrorFile
from agentcli.store.register import newest_session
from agentcli.store.sqlite import SqliteStore, SqliteTransaction
from agentcli.terminal.drawing.styled import has_colour, is_dumb
from agentcli.terminal.faces.plain import is_one_terminal
from agentcli.terminal.faces.printed import terminal_size
from agentcli.wiring.agents import load_agent, names
from agentcli.wiring.hooks import hooks_of
from agentcli.wiring.models import KEYS, OFFLINE, NoKey, configured
from agentcli.wiring.stores import write

PREFIX: Final = "AGENTCLI_"
CLOCK_SLACK: Final = timedelta(minutes=5)
FIRST_YEAR: Final = 2024
LEAST_COLUMNS: Final = 20
LEAST_ROWS: Final = 8


class Finding(Struct, frozen=True):
    """What one check found; where it is not `ok`, `advice` says what to do."""

    check: str
    ok: bool
    detail: str
    advice: str = ""


def check_all(config: Config, environ: Mapping[str, str], now: datetime) -> Iterator[Finding]:
    """Look at everything but the config itself, which can be read where this is called."""
    yield from check_variables(environ)
    yield from check_agents(config)
    yield from check_hooks(config, environ)
    yield check_key(config, environ)
    yield from check_host(config, environ)
    yield check_terminal(environ)
    yield check_encoding()
    yield from check_store(Path(config.store.path), now)
    yield check_log(Path(config.log.file))
    if config.audit.file:
        yield check_mirror(Path(config.audit.file))


def check_variables(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Find variables that are called as ours are and set nothing."""
    ours = VARIABLES.values()
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in ours:
            problem = f"{name} sets nothing{did_you_mean(name, ours, alike=0.8)}"
            yield _wrong("variable", problem, f"unset it, or name one of {', '.join(ours)}")


def check_agents(config: Config) -> Iterator[Finding]:
    """Load every agent: an own one runs its tools file; what stops several is told once."""
    problems: set[str] = set()
    for name in names(config):
        try:
            agent = load_agent(config, name)
        except ConfigError as error:
            problem = str(error)
            if problem not in problems:
                yield _wrong("agent", problem, "mend what it names; the agent can't be used until then")
            problems.add(problem)
        else:
            yield _fine("agent", f"{name}: {len(list(agent.toolset))} tools")


def check_hooks(config: Config, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Load the hooks, and look at the programs and scripts they name; none is run."""
    try:
        hooks_of(config)
    except ConfigError as error:
        yield _wrong("hooks", str(error), "mend the file; nothing runs without its hooks")
        return
    hooks = (*config.hooks.pre_tool, *config.hooks.post_tool)
    found = [finding for hook in hooks if (finding := _command_finding(hook.command, environ)) is not None]
    yield from found or [_fine("hooks", f"{len(hooks)} configured")]


def _command_finding(command: Sequence[str], environ: Mapping[str, str]) -> Finding | None:
    """See that a program is there and, where its first argument is a path, what may be the script that it runs."""
    if not command:
        return None
    program = shutil.which(command[0], path=environ.get("PATH"))
    if program is None:
        problem = f"there is no program {command[0]!r} that can be run"
        return _wrong("hooks", problem, "install it, or correct the config: calls it guards are denied")
    missing = [part for part in command[1:2] if os.path.isabs(part) and not os.path.exists(part)]
    if missing:
        advice = "correct the config: if the hook needs it, calls it guards are denied"
        return _wrong("hooks", f"{missing[0]}: {os.strerror(errno.ENOENT)}", advice)
    return None


def check_key(config: Config, environ: Mapping[str, str]) -> Finding:
    """Tell which model answers, and whether there is a key for it."""
    try:
        choice = configured(config, environ)
    except BadRecording as bad:
        return _wrong("key", str(bad), "name another recording, or another model")
    except ConfigError as error:
        with_a_key = f"set {' or '.join(KEYS)}, or " if isinstance(error.__cause__, NoKey) else ""
        return _wrong("key", str(error), f"{with_a_key}name another model")
    obstacle = None if choice.name in OFFLINE else connection_from(environ).obstacle()
    if obstacle is not None:
        return _wrong("key", obstacle.text, "set it anew")
    keys = " and ".join(key for key in KEYS if environ.get(key))
    told = choice.note or f"{keys} set; whether it is right shows with the first message"
    return _fine("key", f"{choice.name} · {told}")


def check_host(config: Config, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Tell where conversations go, if not to Anthropic."""
    host = foreign_host(connection_from(environ).base_url)
    if host is not None and config.model not in OFFLINE:
        yield _fine("host", f"ANTHROPIC_BASE_URL sends conversations to {host}")


def check_terminal(environ: Mapping[str, str]) -> Finding:
    """Tell whether a question could be asked here."""
    if not is_one_terminal(sys.stdin, sys.stdout):
        return _fine("terminal", "none on both ends: `run` leaves questions open, `chat` reads plain lines")
    return terminal_finding(environ, terminal_size())


def terminal_finding(environ: Mapping[str, str], size: os.terminal_size) -> Finding:
    """Tell what a terminal of this size is good for."""
    manner = "dumb: nothing is drawn anew" if is_dumb(environ) else environ.get("TERM", "unknown")
    colours = "" if has_colour(environ, is_terminal=True) else ", without colours"
    told = f"{manner}{colours}, {size.columns} × {size.lines}"
    if size.columns < LEAST_COLUMNS or size.lines < LEAST_ROWS:
        return _wrong("terminal", told, f"make the window {LEAST_COLUMNS} × {LEAST_ROWS} or more for questions")
    return _fine("terminal", told)


def check_encoding() -> Finding:
    """Tell whether every character can be written."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if codecs.lookup(encoding).name == "utf-8":
        return _fine("encoding", "UTF-8")
    return _wrong("encoding", f"the output is {encoding}", "set LANG to a UTF-8 locale, such as C.UTF-8")


def check_store(path: Path, now: datetime) -> Iterator[Finding]:
    """Open the store, see that it can be written, and verify the chains that were written last."""
    if not path.exists():
        yield _folder_of("store", path, f"{path} will be made when it is needed")
        yield check_clock(now, None)
        return
    try:
        with SqliteStore.open(path) as store:
            write(store, _nothing)
            newest = newest_session(store)
            last = store.newest(newest or REGISTER)
            broken = [
                f"{name}, entry {found.breaks[0].first}: {found.breaks[0].damage}"
                for name in filter(None, (REGISTER, newest))
                if not (found := verify(store.rows(name))).whole
            ]
    except StoreFailure as failure:
        yield _wrong("store", str(failure), "nothing runs until this is put right; --db names another file")
        yield check_clock(now, None)
        return
    yield _readable_by_owner("store", path, f"{path} can be read and written")
    if broken:
        yield _wrong("record", "; ".join(broken), "someone changed the file: put back a copy you trust")
    else:
        yield _fine("record", "the newest session's chain is whole")
    yield check_clock(now, None if last is None else last.at)


def check_clock(now: datetime, newest: datetime | None) -> Finding:
    """Compare the clock with the newest entry."""
    if now.year < FIRST_YEAR or (newest is not None and newest - now > CLOCK_SLACK):
        told = f"it says {now:%Y-%m-%d %H:%M} UTC" + (
            f", the newest entry {newest:%Y-%m-%d %H:%M}" if newest else ""
        )
        return _wrong("clock", told, "set the clock: entries and limits go by it")
    return _fine("clock", f"{now:%Y-%m-%d %H:%M} UTC")


def check_log(path: Path) -> Finding:
    """See that the log can be written."""
    if not path.exists():
        return _folder_of("log", path, f"{path} will be made when there is something to log")
    if path.is_dir() or not os.access(path, os.W_OK):
        return _wrong("log", f"{path} can't be written", "let yourself write to it, or set log.file in the config")
    return _readable_by_owner("log", path, str(path))


def check_mirror(path: Path) -> Finding:
    """See that decisions can be copied to the mirror; no folder is made for it."""
    if not path.parent.is_dir():
        return _wrong("mirror", f"there is no folder {path.parent}", "make it: without its mirror nothing runs")
    if not path.exists():
        return _folder_of("mirror", path, f"{path} will be made when something is decided")
    try:
        MirrorFile(path).require_writable()
    except MirrorFailure as failure:
        return _wrong("mirror", failure.detail, "name another file: without its mirror nothing runs")
    return _readable_by_owner("mirror", path, str(path))


def _folder_of(check: str, path: Path, detail: str) -> Finding:
    """See that a file can be made: in its folder, or in the first one above it that exists."""
    folder = next(above for above in path.parents if above.exists())
    if os.access(folder, os.W_OK | os.X_OK):
        return _fine(check, detail)
    return _wrong(check, f"{folder} can't be written", "let yourself write to it, or name another place")


def _readable_by_owner(check: str, path: Path, detail: str) -> Finding:
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        return _wrong(check, f"{path} is open to others ({mode:o})", f"chmod 600 {path}")
    return _fine(check, detail)


def _nothing(transaction: SqliteTransaction) -> None:
    """Write nothing: that the transaction could be begun is all there is to know."""


def _fine(check: str, detail: str) -> Finding:
    return Finding(check, True, detail)


def _wrong(check: str, detail: str, advice: str) -> Finding:
    return Finding(check, False, detail, advice)
