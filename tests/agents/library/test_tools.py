"""The tools of the library agent, call by call."""

import pytest

from agentcli.agents import shipped
from agentcli.tools.risk import Risk
from tests.agents.bench import Bench

FAILED_LOANS = {"book_not_found", "book_on_loan", "member_not_found", "member_has_fines"}

TOOLS = {
    # tool          risk         asks   fields       statuses
    "search_books": (Risk.READ,  False, ("books",),  {"ok", "service_disruption"}),
    "get_member":   (Risk.READ,  False, ("member",), {"ok", "member_not_found"}),
    "borrow_book":  (Risk.WRITE, True,  ("loan",),   {"ok", *FAILED_LOANS}),
    "return_book":  (Risk.WRITE, False, ("loan",),   {"ok", "book_not_found", "not_on_loan"}),
}  # fmt: skip

DUNE = {"book_id": "B-1", "title": "Dune", "author": "Frank Herbert", "on_loan": False, "due": None}


@pytest.fixture
def bench() -> Bench:
    return Bench(shipped("library"), sample=True)


def test_each_tool_has_its_risk_and_its_outcomes(bench: Bench) -> None:
    """What a wrong call costs, whether a person is always asked, what a result holds, and how it may end."""
    declared = {
        tool.name: (tool.risk, tool.approval, tool.outcomes.fields, set(tool.outcomes.statuses))
        for tool in bench.agent.toolset
    }
    assert declared == TOOLS


@pytest.mark.parametrize("tool", [name for name, (risk, *_) in TOOLS.items() if risk is not Risk.READ])
def test_every_gated_tool_shows_its_effect(bench: Bench, tool: str) -> None:
    """A person who is asked sees what will change."""
    assert bench.agent.toolset[tool].preview is not None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("dune", ["B-1"]),
        ("DUNE", ["B-1"]),
        ("B-1", ["B-1"]),
        ("herbert frank", ["B-1"]),
        ("frank emma", []),
        ("e", ["B-1", "B-2", "B-3"]),
        (" e ", ["B-1", "B-2", "B-3"]),
        ("error", []),
    ],
)
def test_a_book_is_found_by_words_of_id_title_and_author(bench: Bench, query: str, found: list[str]) -> None:
    """Every word has to be there, in any order and any case."""
    assert [book["book_id"] for book in bench.run("search_books", query=query)["books"]] == found


def test_a_found_book_says_whether_it_is_free_and_not_who_has_it(bench: Bench) -> None:
    """Who reads what is nobody else's business."""
    assert bench.run("search_books", query="dune")["books"] == [DUNE]
    (emma,) = bench.run("search_books", query="emma")["books"]
    assert emma == {
        "book_id": "B-2", "title": "Emma", "author": "Jane Austen", "on_loan": True, "due": "2026-12-14",
    }  # fmt: skip


def test_the_query_error_is_a_disruption(bench: Bench) -> None:
    """It stands for a catalogue that is down: a failure that may be tried again, with no books in it."""
    assert bench.run("search_books", query="__error__") == {
        "status": "service_disruption",
        "books": None,
        "isError": True,
        "errorCategory": "transient",
        "isRetryable": True,
        "message": "The catalogue can't be reached; nothing was looked up. Try again in a moment.",
    }


@pytest.mark.parametrize("query", [" __error__", "__error__ ", "__ERROR__", "_error_", "__error__ dune"])
def test_only_that_query_to_the_letter_is_a_disruption(bench: Bench, query: str) -> None:
    """Anything else is a search like others."""
    assert bench.run("search_books", query=query)["status"] == "ok"


def test_a_blank_query_is_refused(bench: Bench) -> None:
    """There has to be something to search for."""
    assert "blank" in bench.problem("search_books", query=" ")


def test_a_loan_is_numbered_and_complete(bench: Bench) -> None:
    """It says who has what since when, and until when: 28 days from today."""
    assert bench.run("borrow_book", book_id="B-1", member_id="M-1")["loan"] == {
        "loan_id": 2,
        "book_id": "B-1",
        "member_id": "M-1",
        "since": "2026-11-30",
        "due": "2026-12-28",
    }


@pytest.mark.parametrize(
    ("tool", "members", "status", "category", "message"),
    [
        ("get_member", {"member_id": "M-9"}, "member_not_found", "validation", "There is no member M-9."),
        ("get_member", {"member_id": "m-1"}, "member_not_found", "validation", "There is no member m-1."),
        ("borrow_book", {"book_id": "B-9", "member_id": "M-1"}, "book_not_found", "validation", "There is no book B-9."),
        ("borrow_book", {"book_id": "B-1", "member_id": "M-9"}, "member_not_found", "validation", "There is no member M-9."),
        ("borrow_book", {"book_id": "B-2", "member_id": "M-1"}, "book_on_loan", "business", "B-2 “Emma” by Jane Austen is on loan until 2026-12-14."),
        ("borrow_book", {"book_id": "B-2", "member_id": "M-2"}, "book_on_loan", "business", "B-2 “Emma” by Jane Austen is on loan until 2026-12-14."),
        ("borrow_book", {"book_id": "B-1", "member_id": "M-2"}, "member_has_fines", "business", "Member M-2 owes 4.50 USD in fines."),
        ("return_book", {"book_id": "B-9"}, "book_not_found", "validation", "There is no book B-9."),
        ("return_book", {"book_id": "B-1"}, "not_on_loan", "business", "B-1 “Dune” by Frank Herbert is not on loan"),
    ],
)  # fmt: skip
def test_a_failure_is_told_as_data(
    bench: Bench, tool: str, members: dict[str, str], status: str, category: str, message: str
) -> None:
    """Status, category and a message; the fields of a success are there and null, and nothing has changed."""
    before = bench.rows()
    result = bench.run(tool, **members)
    (field,) = bench.agent.toolset[tool].outcomes.fields
    assert result[field] is None
    assert (result["status"], result["errorCategory"], result["isError"]) == (status, category, True)
    assert result["isRetryable"] is (category == "validation")
    assert result["message"].startswith(message)
    assert bench.rows() == before


def test_a_book_is_lent_once(bench: Bench) -> None:
    """The second one to ask is told when it comes back; after that it is free again."""
    assert bench.run("borrow_book", book_id="B-1", member_id="M-1")["status"] == "ok"
    assert bench.run("borrow_book", book_id="B-1", member_id="M-1")["status"] == "book_on_loan"
    assert bench.run("return_book", book_id="B-1")["status"] == "ok"
    assert bench.run("borrow_book", book_id="B-1", member_id="M-1")["status"] == "ok"


def test_who_has_fines_may_still_return(bench: Bench) -> None:
    """Nobody keeps a book because they owe money."""
    assert bench.run("return_book", book_id="B-2")["loan"]["member_id"] == "M-2"
    assert bench.run("search_books", query="emma")["books"][0]["on_loan"] is False


@pytest.mark.parametrize("fines", ["0.01", "0.00"])
def test_the_smallest_fine_is_one(bench: Bench, fines: str) -> None:
    """One cent has to be paid; no cent has not."""
    bench.tables.execute("UPDATE library_members SET fines = ? WHERE id = 'M-2'", (fines,))
    result = bench.run("borrow_book", book_id="B-1", member_id="M-2")
    assert result["status"] == ("ok" if fines == "0.00" else "member_has_fines")


@pytest.mark.parametrize(
    ("tool", "members", "lines"),
    [
        (
            "borrow_book",
            {"book_id": "B-1", "member_id": "M-1"},
            ["will lend: B-1 “Dune” by Frank Herbert to M-1 Ines Costa", "free → on loan until 2026-12-28"],
        ),
        (
            "return_book",
            {"book_id": "B-2"},
            ["will take back: B-2 “Emma” by Jane Austen from M-2", "on loan until 2026-12-14 → free"],
        ),
    ],
)
def test_a_person_sees_the_book_before_and_after(
    bench: Bench, tool: str, members: dict[str, str], lines: list[str]
) -> None:
    """Title and member, not ids alone, and when the book will be back."""
    assert bench.preview(tool, **members) == lines


@pytest.mark.parametrize(
    ("tool", "members", "line"),
    [
        ("borrow_book", {"book_id": "B-9", "member_id": "M-1"}, "nothing will be lent: There is no book B-9."),
        ("borrow_book", {"book_id": "B-1", "member_id": "M-9"}, "nothing will be lent: There is no member M-9."),
        (
            "borrow_book",
            {"book_id": "B-2", "member_id": "M-1"},
            "nothing will be lent: B-2 “Emma” by Jane Austen is",
        ),
        ("borrow_book", {"book_id": "B-1", "member_id": "M-2"}, "nothing will be lent: Member M-2 owes 4.50 USD"),
        (
            "return_book",
            {"book_id": "B-1"},
            "nothing will be returned: B-1 “Dune” by Frank Herbert is not on loan",
        ),
        ("return_book", {"book_id": "B-9"}, "nothing will be returned: There is no book B-9."),
    ],
)
def test_a_person_sees_that_nothing_would_come_of_it(
    bench: Bench, tool: str, members: dict[str, str], line: str
) -> None:
    """A call that the rules will refuse is shown as such, and drawing it changes nothing."""
    before = bench.rows()
    (shown,) = bench.preview(tool, **members)
    assert shown.startswith(line)
    assert bench.rows() == before
