"""Importing a file by saying so."""

from pathlib import Path

import pytest

from agentcli.agents import shipped
from agentcli.agents.expenses.offline import reply
from agentcli.agents.expenses.offline.sentences import GRAMMAR
from agentcli.agents.offline.wishes import Remark, Step
from tests.agents.bench import TODAY, Bench
from tests.agents.talk import Talk, refused


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    (tmp_path / "lunch.csv").write_text("item,amount,date\ntea,4.50,2026-11-02\nbus,3,2026-11-03\n")
    (tmp_path / "one.csv").write_text("item,amount,date\ntea,4,2026-11-02\n")
    (tmp_path / "bad.csv").write_text("item,amount,date\ntea,x,2026-11-02\n")
    return Talk(reply, Bench(shipped("expenses"), import_folder=str(tmp_path)))


@pytest.mark.parametrize(
    ("sentence", "files"),
    [
        ("import lunch.csv", ["lunch.csv"]),
        ("Please import lunch.csv.", ["lunch.csv"]),
        ("import the expenses from 2026/may.csv", ["2026/may.csv"]),
        ("read in “my lunch.csv”", ["my lunch.csv"]),
        ('import "lunch"', ["lunch"]),
        ("import lunch.csv and bank.TSV", ["lunch.csv", "bank.TSV"]),
    ],
)
def test_a_file_that_is_named_is_imported(sentence: str, files: list[str]) -> None:
    """By its name as it was said, several as well."""
    wishes = GRAMMAR.understand(sentence, TODAY)
    calls = [wish.proposal for wish in wishes if isinstance(wish, Step)]
    assert [call.tool for call in calls] == ["import_expenses"] * len(files)
    assert [call.input for call in calls] == [f'{{"file":"{file}"}}' for file in files]


@pytest.mark.parametrize("sentence", ["import my expenses", "import"])
def test_without_a_name_it_asks_for_one(sentence: str) -> None:
    """It guesses none."""
    (wish,) = GRAMMAR.understand(sentence, TODAY)
    assert isinstance(wish, Remark)
    assert "Which file?" in wish.answer


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("import lunch.csv", "Imported 2 expenses from lunch.csv as #1 to #2: 7.50 USD."),
        ("import one.csv", "Imported 1 expense from one.csv as #1: 4.00 USD."),
        (
            "import other.csv",
            "I could not import other.csv: There is no file 'other.csv' in the import folder. If another file is meant, just say which.",
        ),
        (
            "import bad.csv",
            "I could not import bad.csv: The file 'bad.csv' can't be imported: line 2: 'x' is no amount in USD above 0. "
            "Put the file right and say it again.",
        ),
    ],
)  # fmt: skip
def test_what_came_of_it_is_told_in_words(talk: Talk, sentence: str, answer: str) -> None:
    """How many, under which numbers, and how much; or what is wrong with the file."""
    assert talk.say(sentence) == answer


def test_after_a_no_another_file_can_be_named(talk: Talk) -> None:
    """A decline is told politely, with another way."""
    said = talk.say("import lunch.csv", refuse=lambda proposal: refused("declined"))
    assert said == "You said no, so I did not import lunch.csv. If another file is meant, just say which."
