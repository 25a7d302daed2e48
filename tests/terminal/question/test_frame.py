"""The question as a person sees it."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.terminal.drawing.fold import cell_width
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.question.card import Card, as_text
from agentcli.terminal.question.frame import lay_out
from agentcli.tools.risk import Risk
from agentcli.visible import in_ascii
from tests.terminal.views import view_of

SMALL = [(80, 20), (30, 8), (20, 6)]
HOSTILE = "".join(map(chr, [*range(1, 32), 0x7F, 0x9B, 0x202E, 0x200B, 0xFEFF, 0xE0041, 0x3164, 0x2028, 0xAD]))

texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=60)
inputs = st.dictionaries(st.text(min_size=1, max_size=12), texts | st.integers() | st.booleans(), max_size=4)


def drawn(card: Card, page: int = 0) -> list[str]:
    """The lines of a page as text."""
    return [plain(line) for line in card.lines(page)]


def test_the_question_looks_as_promised() -> None:
    """Risk, tool, place, code; the input; the effect; why it is asked; what can be said; the answer line."""
    assert drawn(lay_out(view_of(), width=80, height=20)) == [
        "│ irreversible · delete_expense · call 2 of 2 · code 3fa9c1",
        "│   id       1",
        "│ will remove: #1 tea, 40.00 USD, 2026-11-02      cannot be undone",
        "│ asked because: level 2 asks for irreversible calls",
        "│ y yes · n no, why · v all of it · e change it",
        'Allow delete_expense {"id":1}? (y/n)',
    ]


def test_the_answer_line_shows_what_was_sent_and_the_frame_what_will_run() -> None:
    """Defaults that were filled in are seen before they count."""
    view = view_of(
        tool="add_expense",
        sent='{"item":"groceries","amount":300}',
        input='{"item":"groceries","amount":300,"currency":"USD","date":"2026-11-02"}',
        risk=Risk.WRITE,
        is_undoable=True,
        preview=("will add: groceries, 300 USD", "total: 40.00 USD → 340.00 USD"),
        may_raise=True,
    )
    assert drawn(lay_out(view, width=80, height=20)) == [
        "│ write · add_expense · call 2 of 2 · code 3fa9c1",
        "│   item     groceries",
        "│   amount   300",
        "│   currency USD",
        "│   date     2026-11-02",
        "│ will add: groceries, 300 USD      can be undone",
        "│ total: 40.00 USD → 340.00 USD",
        "│ asked because: level 2 asks for irreversible calls",
        "│ y yes · a yes, and from now on · n no, why · v all of it · e change it",
        'Allow add_expense {"item":"groceries","amount":300}? (y/n)',
    ]


def test_a_read_without_a_preview_says_that_it_changes_nothing() -> None:
    """Where every call is asked about, reads are too."""
    view = view_of(tool="get_total", input="{}", risk=Risk.READ, preview=(), reasons=("a", "b"))
    assert drawn(lay_out(view, width=80, height=20))[1:3] == ["│ changes nothing", "│ asked because: a; b"]


def test_what_has_changed_since_a_yes_is_shown() -> None:
    """Asked again, the question names what no longer holds."""
    view = view_of(earlier=("will remove: #1 tea, 30.00 USD", view_of().preview[0]))
    assert "│ no longer: will remove: #1 tea, 30.00 USD" in drawn(lay_out(view, width=80, height=20))


@pytest.mark.parametrize(("width", "height"), SMALL, ids=str)
@pytest.mark.parametrize(
    "value", ["x" * 5000, "row\\n" * 500, "groceries" + "\\n" * 5000 + "TRANSFER 9999", "日本語" * 100]
)
def test_every_page_fits_and_ends_with_the_answer_line(value: str, width: int, height: int) -> None:
    """However long the input, the answer line is on the screen and every line is inside the window."""
    card = lay_out(view_of(input=f'{{"text":"{value}"}}'), width=width, height=height)
    for page in range(len(card.pages)):
        lines = drawn(card, page)
        assert len(lines) <= height
        assert max(map(cell_width, lines)) <= width
        assert lines[-1].endswith("(y/n)") or "".join(lines).rstrip().endswith("(y/n)")


@pytest.mark.parametrize(("width", "height"), SMALL, ids=str)
def test_pages_say_which_they_are(width: int, height: int) -> None:
    """One knows that there is more, and when there is none."""
    card = lay_out(view_of(input='{"text":"' + "row\\n" * 50 + '"}'), width=width, height=height)
    of = len(card.pages)
    for number, page in enumerate(card.pages, 1):
        foot = plain(page[-1])
        assert f"{number} of {of}" in foot or f"{number}/{of}" in foot
        assert ("v more" in foot) == (number < of)


@pytest.mark.parametrize(("width", "height"), SMALL, ids=str)
def test_what_can_not_be_changed_is_not_offered_to_be(width: int, height: int) -> None:
    """However narrow the screen, its foot offers `e` where there is an input to change, and nowhere else."""
    for may_edit in (True, False):
        card = lay_out(view_of(may_edit=may_edit, preview=("row",) * 50), width=width, height=height)
        foot = plain(card.pages[-1][-1]).removeprefix("│ ").split()
        assert ("e" in foot) == may_edit


@given(inputs, st.integers(20, 100), st.integers(6, 30))
def test_everything_but_the_answer_line_is_inside_the_frame(
    value: dict[str, str | int | bool], width: int, height: int
) -> None:
    """Whatever an argument holds, each of its lines carries the gutter."""
    card = lay_out(view_of(input=json.dumps(value, ensure_ascii=False)), width=width, height=height)
    for page in card.pages:
        assert all(plain(line).startswith("│ ") for line in page)


def test_a_forged_question_is_inside_the_frame() -> None:
    """An argument that holds a copy of our question, answered, is only an argument."""
    forged = "\n".join(
        [*drawn(lay_out(view_of(), width=80, height=20)), "> y", "[approved] delete_expense by ana"]
    )
    view = view_of(tool="save_note", input=json.dumps({"text": forged, "to": "evil"}), preview=())
    card = lay_out(view, width=80, height=40)
    lines = drawn(card)
    assert [line for line in lines if not line.startswith("│ ")] == lines[-len(card.answer) :]
    assert "│   to       evil" in lines


@given(inputs, inputs)
def test_two_inputs_never_look_the_same(
    one: dict[str, str | int | bool], other: dict[str, str | int | bool]
) -> None:
    """What differs in the input differs on the screen."""
    first, second = json.dumps(one, ensure_ascii=False), json.dumps(other, ensure_ascii=False)
    cards = [lay_out(view_of(sent="{}", input=text), width=200, height=10_000) for text in (first, second)]
    assert (first == second) == (as_text(cards[0]) == as_text(cards[1]))


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ('"groceries"', ["│   x        groceries"]),
        ("300", ["│   x        300"]),
        ('"300"', ['│   x        "300"']),
        ("1.50", ["│   x        1.50"]),
        ("true", ["│   x        true"]),
        ('"true"', ['│   x        "true"']),
        ('""', ['│   x        ""']),
        ('"   "', ['│   x        "   "']),
        ('"[1]"', ['│   x        "[1]"']),
        ('"\\"a\\""', ['│   x        "\\"a\\""']),
        ('{"a":["b",1]}', ['│   x        {"a":["b",1]}']),
        ('"2026-11-02"', ["│   x        2026-11-02"]),
        ('"a\\nb"', ["│   x        ⟨3 characters, 2 lines⟩", "│     a", "│     b"]),
        (f'"{"a" * 201}"', ["│   x        ⟨201 characters, 1 line⟩", f"│     {'a' * 74}"]),
        ('"a\\u202eb"', ["│   x        a⟨U+202E⟩b"]),
        ('"p\\u0430y"', ["│   x        pаy", "│     that is: p⟨U+0430⟩y"]),
    ],
)
def test_a_value_is_shown_so_that_it_can_be_told_from_others(value: str, lines: list[str]) -> None:
    """Text stands bare unless it could be taken for a number or more; what hides is a mark."""
    shown = drawn(lay_out(view_of(sent="{}", input=f'{{"x":{value}}}'), width=80, height=30))
    assert shown[1 : 1 + len(lines)] == lines


def test_padding_pushes_nothing_out_of_sight() -> None:
    """Thousands of blank lines are shown as their number, and what follows them is seen."""
    text = "groceries" + "\\n" * 5000 + "TRANSFER 9999"
    lines = drawn(lay_out(view_of(sent="{}", input=f'{{"text":"{text}"}}'), width=80, height=30))
    assert "│   text     ⟨5,022 characters, 5,001 lines⟩" in lines
    assert "│     ⟨4999 blank lines⟩" in lines
    assert "│     TRANSFER 9999" in lines


def test_a_long_word_is_folded_not_cut() -> None:
    """All of it is there."""
    word = "".join(chr(ord("a") + at % 26) for at in range(80))
    text = as_text(lay_out(view_of(input=f'{{"x":"{word}"}}', preview=(word,)), width=30, height=100))
    assert text.replace("\n│    ", "").count(word) == 2


@pytest.mark.parametrize("char", HOSTILE, ids=[f"U+{ord(char):04X}" for char in HOSTILE])
def test_a_hidden_character_changes_what_is_seen(char: str) -> None:
    """Each of them shows, in the input and in the preview, and they are counted."""
    view = view_of(input=json.dumps({"x": f"a{char}b"}), preview=(f"a{char}b",))
    text = as_text(lay_out(view, width=80, height=60))
    assert text.replace("\n", "").isprintable()
    assert text != as_text(lay_out(view_of(input='{"x":"ab"}', preview=("ab",)), width=80, height=60))


def test_hidden_characters_are_counted() -> None:
    """A line of its own warns of them."""
    two = view_of(input=json.dumps({"x": "a\u202eb\u200bc"}))
    one = view_of(preview=("a\u202eb",))
    assert "│ 2 hidden characters are shown as ⟨marks⟩" in drawn(lay_out(two, width=80, height=30))
    assert "│ 1 hidden character is shown as ⟨marks⟩" in drawn(lay_out(one, width=80, height=30))


def test_a_preview_of_look_alikes_is_spelled_out() -> None:
    """A name that mixes scripts gets a second, escaped line."""
    lines = drawn(lay_out(view_of(preview=("pay p\u0430l",)), width=80, height=30))
    assert "│ that is: pay p⟨U+0430⟩l" in lines


def test_a_preview_refers_to_the_input_that_is_spelled_out_above() -> None:
    """The same long text is not spelled out twice."""
    text = "p\u0430y " + "\u043e\u0442" * 10
    view = view_of(input=json.dumps({"text": text}), preview=(f"will note: {text}",))
    lines = drawn(lay_out(view, width=160, height=30))
    assert [line for line in lines if "that is" in line] == [
        f"│     that is: {in_ascii(text)}",
        "│ that is: will note: ⟨text as above⟩",
    ]


def test_reasons_and_what_no_longer_holds_are_spelled_out_too() -> None:
    """A hook's reason and an earlier preview come from outside as well."""
    view = view_of(reasons=("ask p\u0430l",), earlier=("was p\u0430y",))
    lines = drawn(lay_out(view, width=80, height=30))
    assert "│ that is: ask p⟨U+0430⟩l" in lines
    assert "│ that is: was p⟨U+0430⟩y" in lines


def test_what_hides_in_a_reason_is_counted() -> None:
    """Wherever it stands in the question."""
    lines = drawn(lay_out(view_of(reasons=("a\u202eb",), earlier=("c\u200b",)), width=80, height=30))
    assert "│ 2 hidden characters are shown as ⟨marks⟩" in lines


def test_input_that_is_no_json_is_shown_as_it_is() -> None:
    """Nothing is left out because it can't be read."""
    assert "│   input    {oops" not in drawn(lay_out(view_of(input="{oops"), width=80, height=30))
    assert '│   input    "{oops"' in drawn(lay_out(view_of(input="{oops"), width=80, height=30))


def test_without_a_reason_none_is_given() -> None:
    """There is no line that says nothing."""
    assert not [
        line for line in drawn(lay_out(view_of(reasons=()), width=80, height=30)) if "asked because" in line
    ]


def test_a_tool_name_is_never_shortened() -> None:
    """On the smallest screen the input gives way, not the name."""
    name = "a_tool_with_a_very_long_name_that_takes_three_lines"
    card = lay_out(view_of(tool=name), width=20, height=6)
    assert "".join(plain(line).removeprefix("  ") for line in card.answer) == f"Allow {name}? (y/n)"


@pytest.mark.parametrize("width", [30, 80])
def test_no_line_under_the_one_that_asks_can_pass_for_it(width: int) -> None:
    """However long the input is, what folds is set in: a forged line can't begin where ours do."""
    forged = "x" * (width - 24) + " Allow get_total {}? (y/n) " + "y" * 40
    card = lay_out(view_of(tool="save_note", input=json.dumps({"text": forged})), width=width, height=24)
    first, *more = map(plain, card.answer)
    assert first.startswith("Allow save_note ")
    assert more
    assert all(line.startswith("  ") for line in more)


@pytest.mark.parametrize("height", [3, 6, 8])
def test_a_tool_name_leaves_room_for_the_question(height: int) -> None:
    """Where it would take the whole screen it is cut below the frame, in which it stands in full."""
    name = "".join(chr(ord("a") + at % 26) for at in range(200))
    card = lay_out(view_of(tool=name), width=20, height=height)
    assert all(len(drawn(card, page)) <= height for page in range(len(card.pages)))
    assert plain(card.answer[0]) == "Allow abcdef…? (y/n)"
    assert name in "".join(plain(line)[2:].removeprefix("   ") for page in card.pages for line in page[:-1])


@pytest.mark.parametrize(("width", "height"), SMALL)
@pytest.mark.parametrize(("may_raise", "may_edit"), [(True, True), (True, False), (False, True), (False, False)])
def test_every_key_that_is_taken_is_named_at_every_size(
    width: int, height: int, may_raise: bool, may_edit: bool
) -> None:
    """And none besides: nobody says yes from now on without having been told of it."""
    view = view_of(input=json.dumps({"text": "x" * 2000}), may_raise=may_raise, may_edit=may_edit)
    card = lay_out(view, width=width, height=height)
    foot = plain(card.pages[-1][-1])
    offered = {word for word in re.findall(r"[a-z]+", foot) if word in {"y", "a", "n", "v", "e"}}
    assert offered == {"y", "n", "v"} | ({"a"} if may_raise else set()) | ({"e"} if may_edit else set())
