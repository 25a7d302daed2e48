"""The example config is the reference: every key, its default, nothing else."""

import re
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.config.errors import ConfigError
from agentcli.config.example import example_text, write_example
from agentcli.config.files import parse_file, read_file
from agentcli.config.reading import read_config
from agentcli.config.records import Config, Hook, OwnAgent, Price
from agentcli.config.show import rows
from agentcli.problems import Pair

ROOT = Path(__file__).parents[2]
SAMPLE = re.compile(r"^# (?=\[|\w+ = )")
KEY = re.compile(r"^\[*([\w\".-]+)(?:\]| = )")
NAME = re.compile(r"\"[^\"]+\"|\w+")

FREE_NAMES = {"add_expense", '"claude-sonnet-5"', "mine"}

# The example with its samples uncommented, and where in it (line, first and last column) names of keys stand.
WITH_SAMPLES = "\n".join(SAMPLE.sub("", line) for line in example_text().splitlines())
NAMES = [
    (number, *name.span())
    for number, line in enumerate(WITH_SAMPLES.splitlines())
    if (key := KEY.match(line))
    for name in NAME.finditer(line, key.start(1), key.end(1))
    if name[0] not in FREE_NAMES
]


def config_of(text: str) -> Config:
    file = parse_file("config.example.toml", text.encode())
    return read_config(file.document, file.sources.error)


def leaves(node: object, at: str = "") -> dict[str, object]:
    if not isinstance(node, dict) or not node:
        return {at: node}
    return {
        key: leaf
        for name, inner in node.items()
        for key, leaf in leaves(inner, f"{at}.{name}".lstrip(".")).items()
    }


def test_the_example_in_the_repository_is_the_one_that_ships() -> None:
    """Who reads the example on the web reads what `config init` writes."""
    assert (ROOT / "config.example.toml").read_text(encoding="utf-8") == example_text()


def test_the_example_loads_as_it_stands_and_changes_nothing() -> None:
    """A fresh copy of the example is a config equal to the defaults."""
    assert config_of(example_text()) == Config()


def test_the_example_shows_every_key_with_its_default() -> None:
    """Each key with a default stands in the example, with exactly that value, and no other key does."""
    without_entries = {"prices", "hooks.pre_tool", "hooks.post_tool", "problems"}
    expected = {row.key: row.value for row in rows(Config()) if row.key not in without_entries}
    assert leaves(tomllib.loads(example_text())) == expected


def test_the_samples_of_the_example_load_too() -> None:
    """What stands in comments works once the comment signs are removed, and shows every field there is."""
    config = config_of(WITH_SAMPLES)
    document = tomllib.loads(WITH_SAMPLES)
    assert set(config.autonomy.tools) == {"add_expense"}
    assert set(document["prices"]["claude-sonnet-5"]) == set(Price.__struct_fields__)
    hooks = [*document["hooks"]["pre_tool"], *document["hooks"]["post_tool"]]
    assert {key for hook in hooks for key in hook} == set(Hook.__struct_fields__)
    assert set(document["problems"][0]) == set(Pair.__struct_fields__)
    assert set(document["agents"]["mine"]) == set(OwnAgent.__struct_fields__)
    assert config.hooks.pre_tool[0].timeout == Hook(command=("/check",)).timeout


def test_every_key_is_among_those_to_be_misspelt() -> None:
    """The search for names finds as many keys as the file has."""
    headers = len(re.findall(r"^\[", WITH_SAMPLES, re.MULTILINE))
    keys = len(re.findall(r"^\w+ = ", WITH_SAMPLES, re.MULTILINE))
    assert len({number for number, _, _ in NAMES}) == headers + keys - len({"add_expense"})


@given(st.sampled_from(NAMES), st.data())
def test_a_misspelt_key_is_never_passed_over(name: tuple[int, int, int], data: st.DataObject) -> None:
    """Whichever key of the example is misspelt, the file is refused, and the error is on its line."""
    number, start, end = name
    lines = WITH_SAMPLES.splitlines()
    line = lines[number]
    place = data.draw(st.integers(start, end - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz_XYZ09-").filter(lambda new: new != line[place]))
    cut = data.draw(st.sampled_from([place, place + 1]), label="insert or replace")
    lines[number] = line[:place] + letter + line[cut:]
    with pytest.raises(ConfigError) as caught:
        config_of("\n".join(lines))
    assert caught.value.line == number + 1
    assert re.match(r"unknown key|no agent", caught.value.problem)


def test_the_example_is_written_for_the_user_alone(tmp_path: Path) -> None:
    """`config init` makes the folder and the file, readable by nobody else, and the file loads."""
    path = tmp_path / "config" / "agentcli" / "config.toml"
    write_example(str(path))
    assert path.read_text(encoding="utf-8") == example_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_file(str(path), may_be_missing=False).document["agent"] == "expenses"


def test_a_config_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    """`config init` leaves a file alone, and says so."""
    path = tmp_path / "config.toml"
    path.write_text("model = 'offline'")
    with pytest.raises(ConfigError, match="exists already and is left as it is"):
        write_example(str(path))
    assert path.read_text() == "model = 'offline'"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    """A link at the config's place, even one that leads nowhere, is left alone too."""
    link = tmp_path / "config.toml"
    link.symlink_to(tmp_path / "elsewhere.toml")
    with pytest.raises(ConfigError, match="exists already"):
        write_example(str(link))
    assert not (tmp_path / "elsewhere.toml").exists()


def test_a_place_that_can_not_be_written_is_an_error(tmp_path: Path) -> None:
    """Where a folder can't be made, the error says why."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="can't be written: File exists"):
        write_example(str(tmp_path / "file" / "config.toml"))
