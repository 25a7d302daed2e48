"""Every key with its value and where it came from."""

import tomllib

from agentcli.config.files import NO_FILE, parse_file
from agentcli.config.places import Places
from agentcli.config.precedence import Flags, resolve
from agentcli.config.records import Config
from agentcli.config.show import Row, rows

PLACES = Places(config="/c.toml", store="/store.db", log="/agentcli.log", here="/")
FULL = """
autonomy.tools.add_expense = 3
limits.cost_usd = "0.50"
[prices."claude-sonnet-5"]
input = "3.00"
output = "15.00"
cache_read = "0.30"
cache_write = "3.75"
[[hooks.pre_tool]]
tools = ["process_refund"]
command = ["/check", 'say "é"']
timeout = 0.5
[agents.mine]
tools = "/tools.py"
"""


def shown(config: Config) -> dict[str, Row]:
    return {row.key: row for row in rows(config)}


def test_a_row_tells_value_and_source() -> None:
    """A value of the file, of a flag and a default each say where they came from."""
    file = parse_file("my.toml", FULL.encode())
    table = shown(resolve(Flags(model="offline"), {"AGENTCLI_AUTONOMY": "1"}, file, PLACES))
    assert table["model"] == Row("model", "offline", "--model")
    assert table["autonomy.level"] == Row("autonomy.level", 1, "AGENTCLI_AUTONOMY")
    assert table["autonomy.tools.add_expense"] == Row("autonomy.tools.add_expense", 3, "my.toml")
    assert table["limits.cost_usd"] == Row("limits.cost_usd", "0.50", "my.toml")
    assert table["limits.steps"] == Row("limits.steps", 6, "default")
    assert table["store.path"] == Row("store.path", "/store.db", "default")
    assert table["prices.claude-sonnet-5.input"].source == "my.toml"
    assert table["hooks.pre_tool[0].tools"].value == ("process_refund",)
    assert table["hooks.pre_tool[0].python"].source == "default"
    assert table["agents.mine.tools"].value == "/tools.py"


def test_the_rows_say_the_config_again() -> None:
    """Written one under the other, the rows are TOML that says what the file said."""
    file = parse_file("my.toml", FULL.encode())
    given = [row for row in rows(resolve(Flags(), {}, file, PLACES)) if row.source == "my.toml"]
    # TOML has no way to address an entry of a list of tables.
    lines = [f"{row.key} = {row.literal}".replace("hooks.pre_tool[0]", "first_hook") for row in given]
    said = tomllib.loads("\n".join(lines))
    expected = dict(file.document)
    expected["first_hook"] = expected.pop("hooks")["pre_tool"][0]
    assert said == expected


def test_empty_lists_and_tables_have_a_row() -> None:
    """Every key is shown, also one that holds nothing yet."""
    table = shown(resolve(Flags(), {}, NO_FILE, PLACES))
    assert {key for key, row in table.items() if row.literal in {"{}", "[]"}} == {
        "autonomy.tools",
        "prices",
        "hooks.pre_tool",
        "hooks.post_tool",
        "problems",
    }


def test_where_values_came_from_is_no_key() -> None:
    """The sources are told in each row, they are no row."""
    assert not [key for key in shown(Config()) if key.startswith("sources")]


def test_a_path_with_bytes_that_are_no_text_is_shown() -> None:
    """A folder of the system whose name is no Unicode text does not keep the config from being shown."""
    places = Places(config="/c", store="/home/\udcff/agentcli.db", log="/l", here="/")
    literal = shown(resolve(Flags(), {}, NO_FILE, places))["store.path"].literal
    assert tomllib.loads(f"path = {literal}")["path"] == "/home/\\udcff/agentcli.db"


def test_whole_seconds_are_shown_without_a_point() -> None:
    """A number of seconds is written as a person would."""
    table = shown(Config())
    assert table["agents.briefs.timeout_s"].literal == "10"
    for written, literal in ((b"3", "3"), (b"3.0", "3"), (b"2.50", "2.5")):
        file = parse_file("my.toml", b"agents.briefs.timeout_s = " + written)
        assert shown(resolve(Flags(), {}, file, PLACES))["agents.briefs.timeout_s"].literal == literal
