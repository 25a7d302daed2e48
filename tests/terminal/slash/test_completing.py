"""What a word that is begun could become."""

import pytest

from agentcli.terminal.slash.command_table import COMMANDS
from agentcli.terminal.slash.completing import complete
from agentcli.terminal.surroundings import Vocabulary

KNOWN = Vocabulary(
    tools=("get_total", "add_expense", "add_note"),
    agents=("expenses", "support"),
    sessions=lambda: {"08j462": "tea · 08j462", "08k111": "cake · 08k111"},
)


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("/q", ("/queue", "/quit")),
        ("/help le", ("level",)),
        ("/level ad", ("add_expense", "add_note")),
        ("/level 3", ("3",)),
        ("/level add_note ", ("0", "1", "2", "3", "4", "default")),
        ("/level add_note 3 ", ()),
        ("/queue ", ("edit", "drop")),
        ("/sessions 08k", ("08k111",)),
        ("/new s", ("support",)),
        ("/LEVEL get", ("get_total",)),
        ("/quit ", ()),
        ("/nothing a", ()),
        ("call add_e", ("add_expense",)),
        ("call ", ()),
        ("please", ()),
        ("two\n/q", ()),
    ],
)
def test_what_can_be_typed_here_is_offered(before: str, words: tuple[str, ...]) -> None:
    """Commands, what each takes, and in a message the names of tools that are begun."""
    assert complete(before, KNOWN).words == words


def test_an_id_is_offered_with_what_it_is_of() -> None:
    """Words that speak for themselves are not."""
    assert complete("/sessions ", KNOWN).labels["08j462"] == "tea · 08j462"
    assert complete("/new ", KNOWN).labels == {}


def test_an_empty_line_offers_every_command() -> None:
    """So that they can be found."""
    assert complete("", KNOWN).words == tuple(f"/{command.name}" for command in COMMANDS)


@pytest.mark.parametrize(
    ("before", "common"),
    [("/le", "/level "), ("/q", "/qu"), ("/level add", "add_"), ("call get", "get_total "), ("/help ", "")],
)
def test_what_all_of_them_share_can_be_put_in_at_once(before: str, common: str) -> None:
    """One alone is whole, with a blank after it."""
    assert complete(before, KNOWN).common == common
