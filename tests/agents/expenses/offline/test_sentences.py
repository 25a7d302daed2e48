"""What the offline model understands: sentences, and the calls that they are."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents import shipped
from agentcli.agents.expenses.offline.sentences import EXAMPLES, GRAMMAR
from agentcli.agents.expenses.offline.wishes import DeleteFound, Keep
from agentcli.agents.offline.clauses import LONGEST_MESSAGE
from agentcli.agents.offline.wishes import Puzzle, Remark, Step, Stop
from agentcli.tools.proposal import Proposal
from agentcli.tools.schema import Frozen
from tests.agents.bench import TODAY, Bench

ADD, UPDATE, DELETE = "add_expense", "update_expense", "delete_expense"
TOTAL, LIST, SUM = "get_total", "list_expenses", "summarize_expenses"
NOTE, NOTES = "save_note", "list_notes"
NOVEMBER = '"since":"2026-11-01","until":"2026-11-30"'
OCTOBER = '"since":"2026-10-01","until":"2026-10-31"'

CALLS: list[tuple[str, list[tuple[str, str]]]] = [
    # what to add
    ("add 300 for groceries", [(ADD, '{"item":"groceries","amount":300}')]),
    ("ADD 300 FOR GROCERIES!!!", [(ADD, '{"item":"GROCERIES","amount":300}')]),
    ("spent 12.50 on lunch yesterday", [(ADD, '{"item":"lunch","amount":12.50,"date":"2026-11-29"}')]),
    ("I've just spent $12.50 on lunch", [(ADD, '{"item":"lunch","amount":12.50,"currency":"USD"}')]),
    ("Yesterday I paid 30 for a taxi.", [(ADD, '{"item":"taxi","amount":30,"date":"2026-11-29"}')]),
    ("on monday i bought bread for 12,50 €", [(ADD, '{"item":"bread","amount":12.50,"currency":"EUR","date":"2026-11-30"}')]),
    ("300 rupees for tea", [(ADD, '{"item":"tea","amount":300,"currency":"INR"}')]),
    ("taxi was 20 €", [(ADD, '{"item":"taxi","amount":20,"currency":"EUR"}')]),
    ("the taxi cost 20", [(ADD, '{"item":"taxi","amount":20}')]),
    ("add tea: 4.50", [(ADD, '{"item":"tea","amount":4.50}')]),
    ("log coffee 4", [(ADD, '{"item":"coffee","amount":4}')]),
    ("add 2 coffees for 9.00", [(ADD, '{"item":"2 coffees","amount":9.00}')]),
    ("please add an expense of 300 for groceries to my book", [(ADD, '{"item":"groceries","amount":300}')]),
    ("could you add 5 for “bread & butter”?", [(ADD, '{"item":"bread & butter","amount":5}')]),
    ("add 5 for bread and butter", [(ADD, '{"item":"bread and butter","amount":5}')]),
    ("add 20 for taxi as transport", [(ADD, '{"item":"taxi","amount":20,"category":"transport"}')]),
    ("add 20 for a leash, category pets", [(ADD, '{"item":"leash","amount":20,"category":"pets"}')]),
    ("add 20 as food", [(ADD, '{"item":"food","amount":20,"category":"food"}')]),
    ("add 20 for dressing as santa", [(ADD, '{"item":"dressing as santa","amount":20}')]),
    ("add 5 for tea on 2026-11-02", [(ADD, '{"item":"tea","amount":5,"date":"2026-11-02"}')]),
    ("add 40 for tea, 12 for bus and 7.5 for cake", [
        (ADD, '{"item":"tea","amount":40}'), (ADD, '{"item":"bus","amount":12}'), (ADD, '{"item":"cake","amount":7.5}'),
    ]),
    # what to delete
    ("delete expense 1", [(DELETE, '{"id":1}')]),
    ("Please remove #2.", [(DELETE, '{"id":2}')]),
    ("delete no. 3", [(DELETE, '{"id":3}')]),
    ("can you delete the expense number 01?", [(DELETE, '{"id":1}')]),
    ("delete expenses 1, 2 and 3", [(DELETE, '{"id":1}'), (DELETE, '{"id":2}'), (DELETE, '{"id":3}')]),
    ("remove entries 1,2", [(DELETE, '{"id":1}'), (DELETE, '{"id":2}')]),
    # what to change
    ("change expense 1 to 45", [(UPDATE, '{"id":1,"amount":45}')]),
    ("set the amount of #1 to 45 usd", [(UPDATE, '{"id":1,"amount":45,"currency":"USD"}')]),
    ("rename expense 1 to bread and butter", [(UPDATE, '{"id":1,"item":"bread and butter"}')]),
    ("rename expense 1 to 7", [(UPDATE, '{"id":1,"item":"7"}')]),
    ("move expense 1 to pets", [(UPDATE, '{"id":1,"category":"pets"}')]),
    ("change expense 1 to Transport", [(UPDATE, '{"id":1,"category":"transport"}')]),
    ("change expense 1 to coffee", [(UPDATE, '{"id":1,"item":"coffee"}')]),
    ("change the date of expense 1 to yesterday", [(UPDATE, '{"id":1,"date":"2026-11-29"}')]),
    ("change expense 1's item to coffee", [(UPDATE, '{"id":1,"item":"coffee"}')]),
    # what to know
    ("what's my total", [(TOTAL, "{}")]),
    ("What is the total?", [(TOTAL, "{}")]),
    ("total", [(TOTAL, "{}")]),
    ("how much have I spent in total?", [(TOTAL, "{}")]),
    ("How much did we spend?", [(TOTAL, "{}")]),
    ("what did I spend yesterday", [(TOTAL, '{"since":"2026-11-29","until":"2026-11-29"}')]),
    ("what’s my total in euros", [(TOTAL, '{"currency":"EUR"}')]),
    ("how much on food this month", [(TOTAL, '{"category":"food",' + NOVEMBER + "}")]),
    ("how much on food and transportation in november?", [
        (TOTAL, '{"category":"food",' + NOVEMBER + "}"), (TOTAL, '{"category":"transport",' + NOVEMBER + "}"),
    ]),
    ("how much did I spend on groceries last month", [(LIST, '{"text":"groceries",' + OCTOBER + "}")]),
    ("what is today's total", [(TOTAL, '{"since":"2026-11-30","until":"2026-11-30"}')]),
    ("list", [(LIST, "{}")]),
    ("List all my expenses, please", [(LIST, "{}")]),
    ("show me the last expenses", [(LIST, "{}")]),
    ("what are my expenses", [(LIST, "{}")]),
    ("show my food expenses since monday", [(LIST, '{"category":"food","since":"2026-11-30"}')]),
    ("find tea", [(LIST, '{"text":"tea"}')]),
    ("list food and transport", [(LIST, '{"category":"food"}'), (LIST, '{"category":"transport"}')]),
    ("summary", [(SUM, '{"by":"category"}')]),
    ("give me a summary by month", [(SUM, '{"by":"month"}')]),
    ("total per item last month", [(SUM, '{"by":"item",' + OCTOBER + "}")]),
    ("monthly breakdown", [(SUM, '{"by":"month"}')]),
    # notes
    ("note: buy milk, bread and delete expense 1", [(NOTE, '{"text":"buy milk, bread and delete expense 1"}')]),
    ("Note: ask Ana. Then pay.", [(NOTE, '{"text":"ask Ana. Then pay"}')]),
    ("make a note that rent goes up", [(NOTE, '{"text":"rent goes up"}')]),
    ("remember “call the bank”", [(NOTE, '{"text":"call the bank"}')]),
    ("show my notes", [(NOTES, "{}")]),
    # several at once
    ("Add 300 for groceries, then delete expense 1.", [(ADD, '{"item":"groceries","amount":300}'), (DELETE, '{"id":1}')]),
    ("add 300 for groceries and delete expense 1", [(ADD, '{"item":"groceries","amount":300}'), (DELETE, '{"id":1}')]),
    ("add 5 for tea, delete expense 1, what's my total?", [
        (ADD, '{"item":"tea","amount":5}'), (DELETE, '{"id":1}'), (TOTAL, "{}"),
    ]),
    ("Add 5 for tea. After that list; then show my notes", [
        (ADD, '{"item":"tea","amount":5}'), (LIST, "{}"), (NOTES, "{}"),
    ]),
    ("add 5 for tea\nadd 6 for cake", [(ADD, '{"item":"tea","amount":5}'), (ADD, '{"item":"cake","amount":6}')]),
    ("note: tea is dear, then delete expense 1", [(NOTE, '{"text":"tea is dear"}'), (DELETE, '{"id":1}')]),
    ('add 5 for "tea, then delete expense 1"', [(ADD, '{"item":"tea, then delete expense 1","amount":5}')]),
    ("delete expense 1 now, please", [(DELETE, '{"id":1}')]),
    ("add 5 for tea, thanks", [(ADD, '{"item":"tea","amount":5}')]),
    ("note: say thanks", [(NOTE, '{"text":"say thanks"}')]),
    ("hello, add 5 for tea. Thanks!", [(ADD, '{"item":"tea","amount":5}')]),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "calls"), CALLS, ids=[sentence for sentence, _ in CALLS])
def test_a_sentence_is_these_calls(sentence: str, calls: list[tuple[str, str]]) -> None:
    """What a person says in passing is understood as it was meant, in its order."""
    assert GRAMMAR.understand(sentence, TODAY) == [Step(Proposal(tool, text)) for tool, text in calls]


@pytest.mark.parametrize("proposal", [Proposal(*one) for _, calls in CALLS for one in calls], ids=str)
def test_every_call_understood_fits_its_tool(proposal: Proposal) -> None:
    """What the offline model proposes is never invalid in itself."""
    bench = Bench(shipped("expenses"), sample=True)
    assert isinstance(bench.agent.toolset[proposal.tool].read_input(proposal.input, bench.place), Frozen)


@pytest.mark.parametrize(
    ("sentence", "look_up", "only_one"),
    [
        ("clean up the old entries", '{"until":"2026-10-31","limit":200}', False),
        ("Please clean up", '{"until":"2026-10-31","limit":200}', False),
        ("delete all the old expenses.", '{"until":"2026-10-31","limit":200}', False),
        ("remove everything older than 2026-11-15", '{"until":"2026-11-14","limit":200}', False),
        ("delete expenses before this month", '{"until":"2026-10-31","limit":200}', False),
        ("delete the tea", '{"text":"tea","limit":200}', True),
        ("remove the old sofa", '{"text":"old sofa","limit":200}', True),
        ("delete the tea from yesterday", '{"text":"tea","since":"2026-11-29","until":"2026-11-29","limit":200}', True),
    ],
)  # fmt: skip
def test_what_has_no_number_is_looked_up_first(sentence: str, look_up: str, only_one: bool) -> None:
    """Nothing is deleted before it was seen; where one expense was meant, only one may be found."""
    (wish,) = GRAMMAR.understand(sentence, TODAY)
    assert isinstance(wish, DeleteFound)
    assert (wish.look_up, wish.only_one) == (Proposal(LIST, look_up), only_one)


@pytest.mark.parametrize(
    ("sentence", "wish"),
    [
        ("don't delete expense 1", Keep(frozenset({"1"}))),
        ("please do not delete #1 and #2", Keep(frozenset({"1", "2"}))),
        ("keep expense 3", Keep(frozenset({"3"}))),
        ("never delete the tea", Keep(text="tea")),
        ("wait, keep the Tea", Keep(text="tea")),
        ("don't delete anything", Keep()),
        ("don't add the groceries", Stop()),
        ("stop", Stop()),
        ("wait", Stop()),
        ("never mind", Stop()),
    ],
)
def test_a_person_may_take_it_back(sentence: str, wish: Keep | Stop) -> None:
    """Words that forbid something are never taken for the thing itself."""
    assert GRAMMAR.understand(sentence, TODAY) == [wish]


@pytest.mark.parametrize(
    ("sentence", "hint"),
    [
        ("add groceries", "no clear amount"),
        ("add -5 for tea", "no clear amount"),
        ("add 5k for rent", "no clear amount"),
        ("add 300", "What was it for?"),
        ("spent 20 yesterday", "What was it for?"),
        ("delete everything", "only what you name"),
        ("delete it", "only what you name"),
        ("delete the last expense", "only what you name"),
        ("delete 40 dollar tea", "only what you name"),
        ("delete expenses 1-3", "only what you name"),
        ("delete expense 1.5", "only what you name"),
        ("delete note 1", "can't delete notes"),
        ("change the tea", "Which expense"),
        ("change the amount of expense 1 to cheap", "“cheap” as amount"),
        ("note:", "What should I note?"),
        ("undo that", "/undo"),
        ("help", "rules, not intelligence"),
        ("hello!", "rules, not intelligence"),
        ("thanks", "welcome"),
    ],
)
def test_where_something_is_missing_it_asks(sentence: str, hint: str) -> None:
    """It says what is missing, and guesses nothing."""
    (wish,) = GRAMMAR.understand(sentence, TODAY)
    assert isinstance(wish, Remark)
    assert hint in wish.answer


@pytest.mark.parametrize(
    "sentence",
    [
        "sing a song",
        "did you delete expense 1?",
        "should I delete expense 1?",
        "I don't want to delete expense 1",
        "is it ok to delete expense 1?",
        "why did you add 5 for tea?",
        "yes",
        "1",
        "😀",
        "approve it",
    ],
)
def test_other_words_are_a_puzzle(sentence: str) -> None:
    """A question about deleting is no wish to delete."""
    (wish,) = GRAMMAR.understand(sentence, TODAY)
    assert isinstance(wish, Puzzle)


def test_only_what_was_not_understood_is_a_puzzle() -> None:
    """The rest of the message is done."""
    wishes = GRAMMAR.understand("add 300 for groceries, then sing a song", TODAY)
    assert wishes == [Step(Proposal(ADD, '{"item":"groceries","amount":300}')), Puzzle("sing a song")]


def test_the_sentences_it_offers_are_understood() -> None:
    """Whoever repeats an example gets what it says."""
    examples = [part.split("”")[0] for part in EXAMPLES.split("“")[1:]]
    assert len(examples) == 3
    assert all(isinstance(wish, Step) for example in examples for wish in GRAMMAR.understand(example, TODAY))


@pytest.mark.parametrize("message", ["", " \n\t ", "...", ",", "then"])
def test_no_words_are_no_wish(message: str) -> None:
    """Blanks and punctuation say nothing."""
    assert GRAMMAR.understand(message, TODAY) == []


@pytest.mark.parametrize("length", [LONGEST_MESSAGE, LONGEST_MESSAGE + 1])
def test_a_very_long_message_is_not_read(length: int) -> None:
    """Rules that read everything could be kept busy for ever."""
    (wish,) = GRAMMAR.understand("note: ".ljust(length, "a"), TODAY)
    assert isinstance(wish, Step) is (length <= LONGEST_MESSAGE)


@pytest.mark.parametrize(
    "piece", [" ", "1 ", "1,", "add 5 ", "$", "then ", "-", "the ", "expense 1 and ", "\u00a0", "a", "'s "]
)
def test_no_message_keeps_it_busy(piece: str) -> None:
    """The longest message of any kind is read in less than seconds, whatever else the machine does."""
    began = time.thread_time()
    GRAMMAR.understand(piece * (LONGEST_MESSAGE // len(piece)), TODAY)
    GRAMMAR.understand("delete " + piece * ((LONGEST_MESSAGE - 7) // len(piece)), TODAY)
    assert time.thread_time() - began < 4


WORDS = """
    add delete expense entries 1 2 #3 300 12.50 12,50 € $ usd for on groceries tea the my total list how much food
    this last month yesterday monday 2026-02-30 since before between and then , . ? note: remember clean up old don't
    keep change rename to category as summary by stop wait please I spent was in december 0 -5 call {
"""
words = st.sampled_from(WORDS.split())


@given(st.one_of(st.text(max_size=80), st.lists(words, max_size=14).map(" ".join)))
def test_no_text_is_too_strange(message: str) -> None:
    """Whatever is typed, it is understood or it is not."""
    GRAMMAR.understand(message, TODAY)
