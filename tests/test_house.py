"""The house keeps its order: which way imports point, how long a module is, who speaks, and what starts fast."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import agentcli

ROOT = Path(agentcli.__file__).parent
MODULES = sorted(path for path in ROOT.rglob("*.py"))
MOST_LINES = 320


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text())))


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, by full name."""
    for node in nodes(path):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module


def test_imports_point_down() -> None:
    """No room knows of one above it or beside it, and the pure ones do no I/O."""
    linter = Path(sys.executable).with_name("lint-imports")
    checked = subprocess.run([linter, "--no-cache"], cwd=ROOT.parent, check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_can_be_read_in_one_go(path: Path) -> None:
    """Three hundred lines or so; what needs more is two things."""
    lines = len(path.read_text().splitlines())
    assert lines <= MOST_LINES, f"{lines} lines"


ONLY_A_DATACLASS_CAN = {"repr", "compare", "init"}
"""What a field of one may do without; a struct's may not."""


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_record_is_a_struct_unless_it_can_not_be(path: Path) -> None:
    """To make a dataclass takes half a millisecond, ten times as long: all together are felt before the prompt."""
    classes = [node for node in nodes(path) if isinstance(node, ast.ClassDef)]
    dataclasses = [one for one in classes if any("dataclass" in ast.unparse(by) for by in one.decorator_list)]
    for one in dataclasses:
        told = {word.arg for node in ast.walk(one) if isinstance(node, ast.Call) for word in node.keywords}
        assert told & ONLY_A_DATACLASS_CAN, one.name


def test_no_module_is_called_after_nothing() -> None:
    """A name says what is inside."""
    vague = {"utils", "util", "types", "helpers", "helper", "manager", "base", "common", "misc"}
    assert [name_of(path) for path in MODULES if path.stem in vague or vague & set(path.parts)] == []


PURE = {"problems", "visible", "counted", "tools", "gate", "session"}
PURE_MODULES = [path for path in MODULES if room_of(path) in PURE]


@pytest.mark.parametrize("path", PURE_MODULES, ids=name_of)
def test_a_pure_room_needs_msgspec_and_nothing_else(path: Path) -> None:
    """Rules are functions of their arguments."""
    needed = {module.partition(".")[0] for module in imported(path)}
    assert needed - set(sys.stdlib_module_names) <= {"agentcli", "msgspec"}


@pytest.mark.parametrize("path", PURE_MODULES, ids=name_of)
def test_a_pure_room_has_no_clock(path: Path) -> None:
    """What time it is comes in from outside."""
    clocks = [
        node.attr
        for node in nodes(path)
        if isinstance(node, ast.Attribute)
        and node.attr in ("now", "utcnow", "today")
        and isinstance(node.value, ast.Name)
        and node.value.id in ("datetime", "date")
    ]
    assert clocks == []


def mentions(name: str) -> set[str]:
    """The modules in which a name stands, however it got there."""
    return {
        name_of(path)
        for path in MODULES
        for node in nodes(path)
        if name in (getattr(node, "id", None), getattr(node, "attr", None), getattr(node, "name", None))
    }


def test_only_the_executor_runs_tools() -> None:
    """A refused call can't be reached by another path."""
    assert mentions("invocation_of") == {"engine/executor.py", "engine/invocation.py"}
    assert mentions("run_in_store") | mentions("run_elsewhere") == {
        *("engine/executor.py", "engine/bookkeeping.py", "engine/runner.py"),
    }


def names_a_rule(node: ast.AST) -> bool:
    """Tell whether this says by a word of its own which rule speaks, or compares with one."""
    match node:
        case ast.Call(
            func=ast.Name(id="Verdict" | "Spoken" | "RuleVerdict"), args=[ast.Constant(value=str()), *_]
        ):
            return True
        case ast.Compare(left=ast.Attribute(attr="rule"), comparators=[ast.Constant(value=str())]):
            return True
        case _:
            return False


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_rules_are_named_in_one_table(path: Path) -> None:
    """Where a rule speaks and where somebody asks which one spoke, the name is the same."""
    assert [ast.unparse(node) for node in nodes(path) if names_a_rule(node)] == []


# Where text reaches a person: everywhere else it would get past the one function that makes it safe to draw.
SPEAKERS = ("terminal/", "cli/", "__main__.py")
STREAMS = {"stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__"}
MAY_LOOK_AT_STREAMS = {
    "wiring/identity.py",  # who sits at which terminal
}
NEVER = {"print", "input", "breakpoint", "exec", "eval"}
MAY_COMPILE = {
    "wiring/own_code.py",  # tools and hooks of the user's own
}


def touches_a_stream(node: ast.AST) -> bool:
    """Tell whether this is a standard stream, by name or by number."""
    match node:
        case ast.Attribute(value=ast.Name(id="sys"), attr=attr):
            return attr in STREAMS
        case ast.ImportFrom(module="sys", names=names):
            return any(alias.name in STREAMS for alias in names)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="os"), attr="write"), args=[ast.Constant(value=1 | 2), *_]
        ):
            return True
        case _:
            return False


@pytest.mark.parametrize("path", [path for path in MODULES if not name_of(path).startswith(SPEAKERS)], ids=name_of)
def test_only_terminal_and_command_line_speak(path: Path) -> None:
    """No other room touches a standard stream."""
    if name_of(path) not in MAY_LOOK_AT_STREAMS:
        assert [ast.unparse(node) for node in nodes(path) if touches_a_stream(node)] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nobody_prints(path: Path) -> None:
    """Not even terminal and command line: they write what was made visible, to a stream they have looked at."""
    called = {
        node.func.id for node in nodes(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called & NEVER <= ({"exec"} if name_of(path) in MAY_COMPILE else set())


# Who writes to a terminal or a pipe: everybody else hands these what was made visible.
WRITERS = {
    "cli/writing/output.py",  # answers, JSON and notes of commands
    "cli/talk/progress.py",  # the redrawn line of a run
    "terminal/question/confirming.py",  # a yes or no that no call asks for
    "terminal/faces/linear.py",  # a screen that is never redrawn
    "terminal/faces/output.py",  # the screen
    "terminal/faces/plain.py",  # lines, where there is no terminal
    "terminal/faces/printing.py",  # lines above the screen's input line
}
DRAWERS = {"terminal/drawing/rich_text.py"}
"""Who lets rich draw, into a text."""

WRITING = {"write", "writelines", "write_raw"}
PRINTING = {"print", "print_json", "echo", "secho", "confirm"}


def writes(node: ast.AST) -> bool:
    """Tell whether this writes to a stream of ours, by whatever name it is held."""
    match node:
        case ast.Call() if touches_a_stream(node):
            return True
        case ast.Call(func=ast.Attribute(value=held, attr=attr)) if attr in WRITING:
            name = ast.unparse(held).rpartition(".")[2].lower()
            return attr == "write_raw" or name.endswith(("stdout", "stderr", "stream", "buffer"))
        case _:
            return False


def test_only_a_few_modules_write_to_the_terminal() -> None:
    """So that what a person sees has passed the one function that makes it safe; a row not needed has to go."""
    assert {name_of(path) for path in MODULES if any(map(writes, nodes(path)))} == WRITERS


def test_only_one_module_asks_which_size_the_terminal_has() -> None:
    """While prints are caught `sys.__stdout__`, which shutil asks, does not lead to it."""
    asking = {
        name_of(path)
        for path in MODULES
        for node in nodes(path)
        if ast.unparse(node) == "shutil.get_terminal_size"
        or (isinstance(node, ast.ImportFrom) and node.module == "shutil")
    }
    assert asking == {"terminal/faces/printed.py"}


def test_nobody_prints_by_another_name() -> None:
    """Rich only draws into a text, and Typer asks and echoes nothing."""
    called = {
        name_of(path)
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PRINTING
    }
    assert called == DRAWERS


@pytest.mark.parametrize(
    "line",
    [
        "sys.stdout.write(x)",
        "self._stdout.write(x)",
        "out.buffer.write(x)",
        "output.write_raw(x)",
        "os.write(1, x)",
    ],
)
def test_writing_is_noticed(line: str) -> None:
    """However the stream is called."""
    assert any(map(writes, ast.walk(ast.parse(line))))


HEAVY = ("anthropic", "httpx2", "rich", "prompt_toolkit", "typer", "pydantic")
AGENTS = tuple(f"agentcli.agents.{name}" for name in ("expenses", "support", "library", "briefs"))

# fmt: off
STARTS: list[tuple[str, str, tuple[str, ...]]] = [
    # what starts      program                                               must not be loaded by it
    ("package",        "import agentcli",                                    (*HEAVY, "msgspec", "asyncio", "sqlite3", *AGENTS)),
    ("public-tools",   "from agentcli import Toolset, Risk, fact, at_most",  (*HEAVY, "asyncio", "sqlite3", *AGENTS)),
    ("public-gate",    "from agentcli import Level, Decision, decide",       (*HEAVY, "asyncio", "sqlite3", *AGENTS)),
    ("classify",       "from agentcli import classify",                      (*HEAVY, "asyncio", "sqlite3", *AGENTS)),
    ("tools",          "import agentcli.tools.toolset",                      (*HEAVY, "asyncio", "sqlite3", *AGENTS)),
    ("gate",           "import agentcli.gate.decide",                        (*HEAVY, "asyncio", "sqlite3", *AGENTS)),
    ("session",        "import agentcli.session.steps",                      (*HEAVY, "asyncio", "sqlite3", *AGENTS)),
    ("engine",         "import agentcli.engine.runner",                      (*HEAVY, "sqlite3", *AGENTS)),
    ("store",          "import agentcli.store.sqlite",                       (*HEAVY, "asyncio", *AGENTS)),
    ("config",         "import agentcli.config",                             (*HEAVY, "asyncio", "sqlite3", *AGENTS)),
    ("offline-model",  "import agentcli.models.offline",                     (*HEAVY, "sqlite3", *AGENTS)),
    ("wiring",         "from agentcli import Session, open_store",           (*HEAVY, *AGENTS)),
    ("conversation",   "import agentcli.terminal.conversation.chat",                      (*HEAVY, *AGENTS)),
]
# fmt: on


@pytest.mark.parametrize(("program", "unwanted"), [row[1:] for row in STARTS], ids=[row[0] for row in STARTS])
def test_what_starts_loads_only_what_it_needs(program: str, unwanted: tuple[str, ...]) -> None:
    """What is slow to import, and every agent not asked for, is loaded when it is needed and not before."""
    look = f"import sys; {program}; sys.stdout.write('\\n'.join(sys.modules))"
    # Measuring coverage loads modules of its own.
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    started = subprocess.run(
        [sys.executable, "-c", look], check=True, capture_output=True, text=True, env=unmeasured
    )
    loaded = set(started.stdout.splitlines())
    assert loaded & set(unwanted) == set()


POSIX_ONLY = """
import importlib, pkgutil, signal, sys

ONLY = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name in ONLY:
            raise ImportError(f"{name} is for POSIX only")

for name in ONLY:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Lacking())
for name in [name for name in vars(signal) if name.startswith("SIG") and name not in ("SIGINT", "SIGTERM", "SIG_DFL", "SIG_IGN")]:
    delattr(signal, name)
import agentcli
for module in pkgutil.walk_packages(agentcli.__path__, "agentcli."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def test_nothing_is_imported_at_the_start_that_only_posix_has() -> None:
    """No module needs a library or a signal to be loaded that other systems lack."""
    started = subprocess.run([sys.executable, "-c", POSIX_ONLY], check=False, capture_output=True, text=True)
    assert started.returncode == 0, started.stderr


@pytest.mark.parametrize("name", agentcli.__all__)
def test_a_public_name_is_found_on_first_use(name: str) -> None:
    """What the package offers is there under its name."""
    assert getattr(agentcli, name) is not None


def test_a_name_that_is_not_offered_is_not_there() -> None:
    """As with any module."""
    with pytest.raises(AttributeError, match="has no attribute 'rob_bank'"):
        agentcli.rob_bank  # noqa: B018


def test_the_public_names_are_listed() -> None:
    """Whoever looks at the package sees what it gives, though none of it has been imported yet."""
    assert set(agentcli.__all__) <= set(dir(agentcli))
    assert all(getattr(agentcli, name) is not None for name in agentcli.__all__)
