"""A flag wins over a variable, a variable over the file, the file over the default."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from agentcli.config.errors import ConfigError
from agentcli.config.files import NO_FILE, parse_file
from agentcli.config.places import Places
from agentcli.config.precedence import Flags, config_path, resolve
from agentcli.gate.autonomy import Level

PLACES = Places(config="/home/ana/config.toml", store="/home/ana/agentcli.db", log="/home/ana/a.log", here="/work")
FILE = parse_file(
    "my.toml",
    b"""
agent = "support"
model = "from-file"
autonomy.level = 1
autonomy.tools.add_expense = 1
store.path = "/file.db"
log.file = "/file.log"
limits.steps = 2
""",
)
FLAGS = Flags(agent="library", model="from-flag", autonomy="3", db="/flag.db")
ENVIRON = {
    "AGENTCLI_AGENT": "briefs",
    "AGENTCLI_MODEL": "from-variable",
    "AGENTCLI_AUTONOMY": "0",
    "AGENTCLI_DB": "/variable.db",
}

# key               default                   file           variable         flag
ORDER = {
    "agent":          ("expenses",             "support",     "briefs",        "library"),
    "model":          ("auto",                 "from-file",   "from-variable", "from-flag"),
    "autonomy.level": (Level.PROPOSE,          Level.LOOK,    Level.TALK,      Level.BOUNDED),
    "store.path":     (PLACES.store,           "/file.db",    "/variable.db",  "/flag.db"),
}  # fmt: skip
LEVELS = {"0", "1", "2", "3", "4"}
NAMED = {
    "agent": ("--agent", "AGENTCLI_AGENT"),
    "model": ("--model", "AGENTCLI_MODEL"),
    "autonomy.level": ("--autonomy", "AGENTCLI_AUTONOMY"),
    "store.path": ("--db", "AGENTCLI_DB"),
}


@pytest.mark.parametrize("key", ORDER)
@pytest.mark.parametrize("by_flag", [True, False])
@pytest.mark.parametrize("by_variable", [True, False])
@pytest.mark.parametrize("by_file", [True, False])
def test_the_nearest_to_the_person_wins(key: str, by_flag: bool, by_variable: bool, by_file: bool) -> None:
    """Of flag, variable, file and default the first that says something counts, and is remembered."""
    config = resolve(
        FLAGS if by_flag else Flags(), ENVIRON if by_variable else {}, FILE if by_file else NO_FILE, PLACES
    )
    default, from_file, from_variable, from_flag = ORDER[key]
    flag, variable = NAMED[key]
    value, source = (
        (from_flag, flag)
        if by_flag
        else (from_variable, variable)
        if by_variable
        else (from_file, "my.toml")
        if by_file
        else (default, "default")
    )
    values = {
        "agent": config.agent,
        "model": config.model,
        "autonomy.level": config.autonomy.level,
        "store.path": config.store.path,
    }
    assert (values[key], config.sources.of(key)) == (value, source)


def test_what_a_flag_does_not_touch_is_kept() -> None:
    """A flag replaces its own key alone."""
    config = resolve(Flags(tool_levels=("save_note=4",)), {}, FILE, PLACES)
    assert config.autonomy.level is Level.LOOK
    assert config.autonomy.tools == {"add_expense": Level.LOOK, "save_note": Level.ALONE}
    assert config.sources.of("autonomy.tools.add_expense") == "my.toml"
    assert config.sources.of("autonomy.tools.save_note") == "--tool-level save_note=4"
    assert "save_note" not in FILE.document["autonomy"]["tools"]


def test_the_later_of_two_levels_for_a_tool_counts() -> None:
    """A tool named twice on the command line has the level said last."""
    flags = Flags(tool_levels=("add_expense=3", "add_expense=0"))
    assert resolve(flags, {}, FILE, PLACES).autonomy.tools == {"add_expense": Level.TALK}


def test_flags_of_one_run_reach_their_keys() -> None:
    """`--max-steps`, `--require-approval` and `--plain` set what the file sets otherwise."""
    config = resolve(Flags(max_steps=9, require_approval=True, plain=True), {}, FILE, PLACES)
    assert (config.limits.steps, config.sources.of("limits.steps")) == (9, "--max-steps")
    assert (config.approval.require, config.sources.of("approval.require")) == (True, "--require-approval")
    assert (config.terminal.plain, config.sources.of("terminal.plain")) == (True, "--plain")


def test_flags_that_are_not_given_leave_the_file_alone() -> None:
    """Without the flags the file's own switches hold."""
    file = parse_file("my.toml", b"approval.require = true\nterminal.plain = true")
    config = resolve(Flags(), {}, file, PLACES)
    assert (config.approval.require, config.terminal.plain, config.limits.steps) == (True, True, 6)


def test_default_paths_are_filled_in() -> None:
    """Where the file names no store and no log, they are in the user's folders."""
    config = resolve(Flags(), {}, NO_FILE, PLACES)
    assert (config.store.path, config.log.file, config.audit.file) == (PLACES.store, PLACES.log, "")
    assert resolve(Flags(), {}, FILE, PLACES).log.file == "/file.log"


def test_an_empty_variable_counts_as_not_set() -> None:
    """`AGENTCLI_MODEL=` says nothing."""
    config = resolve(Flags(), dict.fromkeys([*ENVIRON, "AGENTCLI_CONFIG"], ""), FILE, PLACES)
    assert (config.model, config.sources.of("model")) == ("from-file", "my.toml")
    assert config_path(Flags(), {"AGENTCLI_CONFIG": ""}, PLACES) == (PLACES.config, "default")


@pytest.mark.parametrize(
    ("flags", "environ", "message"),
    [
        (Flags(), {"AGENTCLI_AUTONOMY": "5"}, "AGENTCLI_AUTONOMY: '5' is not a level from 0 to 4"),
        (Flags(), {"AGENTCLI_AUTONOMY": "high"}, "AGENTCLI_AUTONOMY: 'high' is not a level from 0 to 4"),
        (Flags(), {"AGENTCLI_AUTONOMY": " 2"}, "AGENTCLI_AUTONOMY: ' 2' is not a level from 0 to 4"),
        (Flags(), {"AGENTCLI_AUTONOMY": "２"}, "AGENTCLI_AUTONOMY: '２' is not a level from 0 to 4"),
        (Flags(), {"AGENTCLI_AUTONOMY": "true"}, "AGENTCLI_AUTONOMY: 'true' is not a level from 0 to 4"),
        (Flags(autonomy="9"), {}, "--autonomy: '9' is not a level from 0 to 4"),
        (Flags(), {"AGENTCLI_AGENT": "suport"}, "AGENTCLI_AGENT: no agent 'suport'; did you mean 'support'?"),
        (Flags(agent="zzz"), {}, "--agent: no agent 'zzz'; there are expenses, support, library, briefs"),
        (Flags(), {"AGENTCLI_MODEL": "\udc80"}, "AGENTCLI_MODEL: '\\udc80' is not a name: text that is not blank"),
        (Flags(model=""), {}, "--model: is empty"),
        (Flags(db=""), {}, "--db: is empty"),
        (Flags(db="a\x00"), {}, "--db: '/work/a\\x00' is not an absolute path"),
        (Flags(max_steps=0), {}, "--max-steps: 0 is not a whole number from 1 to"),
        (Flags(tool_levels=("add_expense",)), {}, "--tool-level: 'add_expense' is not TOOL=N"),
        (Flags(tool_levels=("add_expense=5",)), {}, "--tool-level: 'add_expense=5' is not TOOL=N"),
        (Flags(tool_levels=("=2",)), {}, "--tool-level: '=2' is not TOOL=N"),
        (Flags(tool_levels=("a=2\n",)), {}, "--tool-level: 'a=2\\n' is not TOOL=N"),
    ],
)
def test_a_bad_flag_or_variable_is_named(flags: Flags, environ: dict[str, str], message: str) -> None:
    """The error says which flag or variable holds the value, with or without a file."""
    for file in (FILE, NO_FILE):
        with pytest.raises(ConfigError) as caught:
            resolve(flags, environ, file, PLACES)
        assert str(caught.value).startswith(message)


def test_a_variable_that_a_flag_overrules_is_not_judged() -> None:
    """What does not count can't be wrong."""
    config = resolve(Flags(autonomy="3"), {"AGENTCLI_AUTONOMY": "high"}, NO_FILE, PLACES)
    assert config.autonomy.level is Level.BOUNDED


@pytest.mark.parametrize("typed", ["my.db", "./my.db", "sub/my.db"])
def test_a_path_typed_is_relative_to_where_it_was_typed(typed: str) -> None:
    """Paths on the command line and in variables start from the current folder."""
    assert resolve(Flags(db=typed), {}, NO_FILE, PLACES).store.path == f"/work/{typed}"
    assert resolve(Flags(), {"AGENTCLI_DB": typed}, NO_FILE, PLACES).store.path == f"/work/{typed}"


def test_a_path_typed_may_begin_with_the_home_folder() -> None:
    """`--db=~/my.db` works in shells that leave the `~` as it is."""
    assert resolve(Flags(db="~/my.db"), {}, NO_FILE, PLACES).store.path == str(Path.home() / "my.db")


def test_a_relative_path_from_nowhere_is_refused() -> None:
    """Where the current folder is gone, only absolute paths mean something."""
    with pytest.raises(ConfigError, match=r"^--db: 'my\.db' is not an absolute path"):
        resolve(Flags(db="my.db"), {}, NO_FILE, replace(PLACES, here=""))


@pytest.mark.parametrize(
    ("flags", "environ", "found"),
    [
        (Flags(config="a.toml"), {"AGENTCLI_CONFIG": "/b.toml"}, ("/work/a.toml", "--config")),
        (Flags(), {"AGENTCLI_CONFIG": "/b.toml"}, ("/b.toml", "AGENTCLI_CONFIG")),
        (Flags(), {}, ("/home/ana/config.toml", "default")),
    ],
)
def test_the_config_file_is_found_by_the_same_rule(
    flags: Flags, environ: dict[str, str], found: tuple[str, str]
) -> None:
    """`--config` wins over `AGENTCLI_CONFIG`, and that over the user's config folder."""
    assert config_path(flags, environ, PLACES) == found


def test_an_empty_config_flag_is_an_error() -> None:
    """`--config ""` names no file, so it does not mean the default one."""
    with pytest.raises(ConfigError, match=r"^--config: is empty$"):
        config_path(Flags(config=""), {}, PLACES)


@given(st.text(st.characters(exclude_categories=[]), min_size=1).filter(lambda text: text not in LEVELS))
def test_only_the_five_levels_are_levels(text: str) -> None:
    """Any other text in the variable is a config error that names it."""
    with pytest.raises(ConfigError, match=r"^AGENTCLI_AUTONOMY: "):
        resolve(Flags(), {"AGENTCLI_AUTONOMY": text}, NO_FILE, PLACES)


def test_other_variables_are_not_looked_at() -> None:
    """A variable that agentcli does not document changes nothing."""
    config = resolve(Flags(), {"AGENTCLI_LEVEL": "4", "AUTONOMY": "4", "MODEL": "x"}, NO_FILE, PLACES)
    assert config.autonomy.level is Level.PROPOSE
    assert dict(config.sources.given) == {}
