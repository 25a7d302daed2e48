"""Python files of the user's own: checked and read through one open file, compiled from the very bytes checked."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from agentcli.config import read_guarded


class OwnCodeError(Exception):
    """A Python file of the user can't be used; the message says which, why, and where in it."""

    def __init__(self, path: Path, problem: str, *, line: int | None = None) -> None:
        place = f"{path}" if line is None else f"{path}:{line}"
        super().__init__(f"{place}: {problem}")
        self.path = path
        self.problem = problem
        self.line = line


def load_own_code(path: Path) -> ModuleType:
    """Return the module that a file's code makes; its folder does not come onto the import path.

    Raises:
        UnsafeFileError: Others can change the file.
        OwnCodeError: It can't be read, or its code fails.
    """
    try:
        source = read_guarded(path)
    except OSError as error:
        raise OwnCodeError(path, error.strerror or "can't be read") from error
    module = ModuleType(f"agentcli_own_{path.stem}")
    module.__file__ = str(path)
    # Annotations given as text are looked up in the module under its name.
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)  # noqa: S102  # it is the user's own
    except SyntaxError as error:
        raise OwnCodeError(path, f"{error.msg}", line=error.lineno) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        told = f"{type(error).__name__}: {error}{_hint(path, error)}"
        raise OwnCodeError(path, told, line=_line_in(path, error)) from error
    return module


def load_own_function(named: str, loaded: dict[str, ModuleType]) -> Any:
    """Return the function that `/path/to/file.py:name` names.

    Args:
        loaded: The modules by file that were loaded before; functions of one file share what it holds.

    Raises:
        UnsafeFileError: Others can change the file.
        OwnCodeError: There is no such function, or the file can't be used.
    """
    file, _, name = named.rpartition(":")
    if file not in loaded:
        loaded[file] = load_own_code(Path(file))
    function = getattr(loaded[file], name, None)
    if not callable(function):
        raise OwnCodeError(Path(file), f"it has no function {name!r}")
    return function


def _hint(path: Path, error: BaseException) -> str:
    """Return what to do about a question, or an import of a file beside the one that was checked."""
    if isinstance(error, EOFError):
        return "; there is nothing to read here: keys and pipes are for the agent alone"
    name = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    beside = path.with_name(name or path.name)
    if not name or not (beside.is_dir() or beside.with_suffix(".py").is_file()):
        return ""
    return "; what lies beside the file is not imported: take it into the file, or install it"


def _line_in(path: Path, error: BaseException) -> int | None:
    """Return the line of the file at which its code failed."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
