"""What is asked line by line: forms, outcomes that nobody knows, offers."""

import json
from typing import Any

import msgspec
import pytest

from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.terminal.question.forms import Filling, Offer, UnknownOutcome, undecided
from agentcli.terminal.question.prompted import PromptView
from tests.session import telling as t

FIELDS: dict[str, Any] = {
    "day": {"type": "string", "format": "date", "title": "Which day?"},
    "order": {"enum": ["day first", "month first"]},
    "count": {"type": "integer"},
    "share": {"type": "number"},
    "sure": {"type": "boolean"},
    "note": {"type": "string"},
    "about": {"const": "3fa9"},
}


def suspended(
    *names: str, required: tuple[str, ...] = (), question: str = "how?", shown: tuple[str, ...] = ()
) -> Call:
    """A call that asks for these fields."""
    form = {"type": "object", "properties": {name: FIELDS[name] for name in names}, "required": list(required)}
    entry = e.Suspended("c1", question, msgspec.Raw(json.dumps(form).encode()), shown)
    return t.state_of(*t.BEGUN, t.replied(t.use()), entry).calls["c1"]


def test_a_field_is_asked_with_what_helps_to_fill_it_in() -> None:
    """What the tool shows, the place among the fields, the choices by number, and how to answer."""
    filling = Filling(suspended("order", "note", required=("order",), shown=("01/02/2026 can be read two ways",)))
    assert filling.view() == PromptView(
        about=f"form c1 {filling.code}",
        title="note asks: how?",
        lines=("01/02/2026 can be read two ways", "1 of 2 · order", "  1 day first", "  2 month first"),
        keys="one of them, by number or text · Esc cancels the call",
        asks="order?",
        choices=("day first", "month first"),
    )
    assert filling.take("2") == ""
    assert filling.view().lines[1:] == ("2 of 2 · note",)
    assert filling.view().follows
    assert filling.view().seen == 1


def test_what_is_fixed_is_not_asked() -> None:
    """It comes back with the answers, whoever gives them."""
    call = suspended("about", "order", required=("order", "about"))
    filling = Filling(call)
    assert filling.view().lines[0] == "order"
    assert (filling.take("1"), filling.is_full, filling.data) == ("", True, '{"order":"day first"}')
    assert filling.code == call.form_code


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("day", "a date, YYYY-MM-DD"),
        ("order", "one of them, by number or text"),
        ("count", "a whole number"),
        ("share", "a number"),
        ("sure", "yes or no"),
        ("note", "a text"),
    ],
)
def test_how_a_field_is_filled_in_is_said(name: str, how: str) -> None:
    """And that it may be left out, where it may."""
    assert Filling(suspended(name, required=(name,))).view().keys == f"{how} · Esc cancels the call"
    assert Filling(suspended(name)).view().keys == f"{how}; empty leaves it out · Esc cancels the call"


def test_what_does_not_fit_is_told_above_the_same_field() -> None:
    """A line for it may then be begun at once."""
    filling = Filling(suspended("day", required=("day",)))
    complaint = filling.take("soon")
    assert complaint == "day: 'soon' is not a date (YYYY-MM-DD)"
    assert filling.view(complaint).complaint == complaint
    assert filling.view(complaint).follows
    assert not filling.is_full


def test_the_field_before_can_be_filled_in_once_more() -> None:
    """From the second on, as its keys say; what was filled in before no longer counts."""
    filling = Filling(suspended("day", "order", "count"))
    assert not filling.view().may_go_back
    filling.take("2026-12-01")
    filling.take("1")
    view = filling.view()
    assert view.may_go_back
    assert view.keys == "a whole number; empty leaves it out · Shift-Tab goes back · Esc cancels the call"
    filling.go_back()
    assert filling.view().asks == "order?"
    filling.take("")
    filling.take("3")
    assert (filling.is_full, filling.data) == (True, '{"day":"2026-12-01","count":3}')


def test_before_the_first_field_there_is_none() -> None:
    """It is asked for once more, its line may be begun at once, and what all fields share was seen by then."""
    filling = Filling(suspended("day", "count", shown=("a file",)))
    assert filling.view().seen == 0
    filling.take("2026-12-01")
    filling.go_back()
    filling.go_back()
    assert (filling.view().asks, filling.view().follows, filling.view().seen) == ("day?", True, 1)
    filling.take("")
    filling.take("3")
    assert filling.data == '{"count":3}'


def test_a_needed_field_can_not_be_left_out() -> None:
    """An empty line is no value."""
    filling = Filling(suspended("note", required=("note",)))
    assert filling.take("") != ""
    assert not filling.is_full


def test_a_full_form_is_data() -> None:
    """Of the kinds that were asked for, without what was left out."""
    filling = Filling(suspended("day", "order", "count", "share", "sure", "note"))
    for line in ("2026-12-01", "month first", "3", "0.50", "y"):
        assert filling.take(line) == ""
    assert not filling.is_full
    assert filling.take("") == ""
    assert filling.is_full
    assert filling.data == '{"day":"2026-12-01","order":"month first","count":3,"share":0.50,"sure":true}'


def test_what_hides_in_a_form_is_marked() -> None:
    """The tool's words and the person's own."""
    filling = Filling(suspended("day", question="how\x1b[2J?", shown=("a\u202eb",)))
    view = filling.view(filling.take("\u200b"))
    assert view.title == "note asks: how⟨U+001B⟩[2J?"
    assert view.lines[0] == "a⟨U+202E⟩b"
    assert view.complaint.isprintable()


def test_what_may_deceive_in_a_prompt_is_spelled_out() -> None:
    """In what a tool asks and shows, and in a call whose outcome nobody knows."""
    filling = Filling(suspended("day", question="p\u0430y?", shown=("\ufb01ne",)))
    assert filling.view().lines == ("\ufb01ne", "that is: p⟨U+0430⟩y?", "that is: ⟨U+FB01⟩ne", "Which day?")
    unknown = UnknownOutcome("c1", "note", '{"to":"p\u0430y"}')
    assert unknown.view().lines[0] == 'that is: {"to":"p⟨U+0430⟩y"}'


def test_an_unknown_outcome_takes_one_of_three_words() -> None:
    """It says which call it is about."""
    unknown = UnknownOutcome("c1", "launch", '{"at": 1}')
    view = unknown.view()
    assert view.title == 'unknown outcome: launch {"at":1}'
    assert view.answers == ("happened", "not", "retry")
    assert [unknown.read(word) for word in view.answers] == ["happened", "not", "retry"]


def test_an_offer_names_what_is_not_decided() -> None:
    """A yes or a no answers it."""
    view = Offer("Go on?", ('note {"a":1}',)).view()
    assert (view.asks, view.lines) == ("Go on? (y/n)", ('not decided yet: note {"a":1}',))
    assert view.answers == ("y", "yes", "n", "no")


def test_undecided_is_what_code_or_a_person_has_not_decided() -> None:
    """In the model's order: also a call that nobody could be asked about any more."""
    uses = [t.use(f"c{number}", at=number) for number in range(1, 4)]
    waits = t.decided("c2", Decision.ASK, input_text='{"at":2}')
    state = t.state_of(*t.BEGUN, t.replied(*uses), t.finished("c1"), waits)
    assert undecided(state.batch) == ('note {"at":2}', 'note {"at":3}')
