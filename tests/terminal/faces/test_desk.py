"""What the line, its draft and the open question do with keys."""

import pytest
from msgspec.structs import replace

from agentcli.terminal import happened as h
from agentcli.terminal.drawing.styled import plain
from agentcli.terminal.faces.desk import Desk, Move
from agentcli.terminal.faces.hints import AGAIN, ALL_SHOWN, DRAFT, EDITING, SENT, UNCHANGED
from agentcli.terminal.faces.picture import hint_line
from agentcli.terminal.keys import Effect, Key
from agentcli.terminal.picking import Choice, Picking
from agentcli.terminal.question.answer import Approve, ApproveAndRaise, Decline, Why
from agentcli.terminal.question.arming import MANY_QUICK, QUIET_S, SLOW_QUIET_S, Standing
from agentcli.terminal.question.asking import View
from agentcli.terminal.question.prompted import PromptView
from tests.terminal.views import view_of

PAINTED_AT, NOW = 10.0, 12.5
LONG = '{"text":"' + "row\\n" * 100 + '"}'


def asked(line: str = "", **changes: object) -> Desk:
    """A desk with a question that was painted, quiet, and answered by a typed line that only lacks Enter."""
    desk = Desk()
    desk.open(view_of(**changes), "")
    show(desk)
    type_in(desk, line)
    return desk


def show(desk: Desk, at: float = PAINTED_AT) -> None:
    """Paint the question and let the keyboard be quiet."""
    assert desk.asking is not None
    desk.asking.lines(80, 20)
    desk.asking.painted(at)
    desk.arming = desk.arming.quiet()


def type_in(desk: Desk, line: str) -> None:
    """Type a line key by key."""
    for at, char in enumerate(line):
        desk.key_begins()
        desk.arming = desk.arming.keyed(line[:at], line[: at + 1], typed=char).settled()


@pytest.mark.parametrize(
    ("line", "said"),
    [("y", Approve()), ("n keep it", Decline("keep it")), ("a", ApproveAndRaise())],
)
def test_an_answer_is_given_and_the_question_closes(line: str, said: h.Said) -> None:
    """It names the question it answers and how long that took; answers are not remembered."""
    desk = asked(line, may_raise=True)
    given = h.AnswerGiven("call_2", "3fa9c1", said, NOW - PAINTED_AT)
    assert desk.enter(line, NOW) == Move(given, line="")
    assert desk.asking is None


def test_words_stay_beside_the_open_question() -> None:
    """A message is kept and the question stays open."""
    desk = asked("also add tea")
    move = desk.enter("also add tea", NOW)
    assert move == Move(h.WordsEntered("also add tea"), line="", is_remembered=True)
    assert desk.asking is not None


def test_a_draft_is_sent_as_the_message_it_was() -> None:
    """The reason why it was no answer goes with it."""
    desk = Desk()
    type_in(desk, "hello y")
    desk.open(view_of(), "hello y")
    assert desk.hint == DRAFT
    assert desk.enter("hello y", NOW).happened == h.WordsEntered("hello y", Standing.EARLIER)


def test_a_command_leaves_the_question_open() -> None:
    """It means the same as ever."""
    desk = asked("/level")
    assert desk.enter("/level", NOW) == Move(h.CommandEntered("/level"), line="", is_remembered=True)
    assert desk.asking is not None


@pytest.mark.parametrize(
    ("line", "is_settled", "input", "why"),
    [
        ("", True, '{"id":1}', Why.EMPTY),
        ("  ", True, '{"id":1}', Why.EMPTY),
        ("y", False, '{"id":1}', Why.TOO_FAST),
        ("y", True, LONG, Why.NOT_ALL_SHOWN),
    ],
)
def test_what_does_not_count_asks_again(line: str, is_settled: bool, input: str, why: Why) -> None:
    """The line is empty again and one learns why."""
    desk = asked(line, input=input)
    desk.arming = replace(desk.arming, is_settled=is_settled)
    assert desk.enter(line, NOW) == Move(line="")
    assert desk.hint == AGAIN[why]
    assert desk.asking is not None
    desk.key_begins()
    assert desk.hint == ()


def test_enter_is_no_answer_while_the_question_is_out_of_sight() -> None:
    """Keys that come in one piece close a list and enter a line before anything is painted."""
    desk = asked("y")
    desk.pick(Picking("choose", [Choice("one", "one")]))
    desk.pick(None)
    assert desk.enter("y", NOW) == Move(line="")
    assert desk.hint == AGAIN[Why.TOO_FAST]


@pytest.mark.parametrize("line", ["y", "a", "n keep it"])
def test_what_was_begun_before_the_person_was_away_is_no_answer(line: str) -> None:
    """Who comes back may have forgotten what they were about to allow."""
    desk = asked(line, may_raise=True)
    desk.come_back()
    show(desk)
    assert desk.hint == DRAFT
    assert desk.enter(line, NOW).happened == h.WordsEntered(line, Standing.EARLIER)
    assert desk.asking is not None


def test_a_field_and_an_edited_input_go_on_after_the_person_was_away() -> None:
    """They are not lost, and neither is a yes."""
    desk = prompted(line="3")
    desk.come_back()
    show(desk)
    assert desk.enter("3", NOW).happened == h.PromptAnswered("a form", "3")
    desk = asked("e")
    desk.enter("e", NOW)
    desk.come_back()
    assert desk.hint == EDITING


def test_v_turns_the_pages_and_the_last_one_allows_a_yes() -> None:
    """From the last page it goes back to the first."""
    desk = asked("v", input=LONG)
    assert desk.asking is not None
    first = desk.asking.lines(80, 20)
    while not desk.asking.all_shown:
        assert desk.enter("v", NOW) == Move(line="")
        assert not desk.asking.is_painted
        show(desk)
        type_in(desk, "v")
    desk.enter("v", NOW)
    assert desk.asking.lines(80, 20) == first
    show(desk)
    type_in(desk, "y")
    assert isinstance(desk.enter("y", NOW).happened, h.AnswerGiven)


def test_v_on_a_single_page_says_that_it_is_all() -> None:
    """There is nothing to turn."""
    desk = asked("v")
    desk.enter("v", NOW)
    assert desk.hint == ALL_SHOWN


def test_turning_back_ends_at_the_first_page() -> None:
    """The last page can't be reached backwards without the others."""
    desk = asked(input=LONG)
    assert desk.asking is not None
    first = desk.asking.lines(80, 20)
    desk.turn(-1)
    assert desk.asking.lines(80, 20) == first
    Desk().turn(1)


def test_a_smaller_window_begins_with_the_first_page_again() -> None:
    """What was shown in another layout was not seen in this one."""
    desk = asked(input=LONG)
    assert desk.asking is not None
    desk.turn(1)
    desk.asking.lines(30, 8)
    assert not desk.asking.is_painted
    assert not desk.asking.all_shown


def test_e_puts_the_input_into_the_line_to_be_changed() -> None:
    """What is entered is the answer; it goes into no history."""
    desk = asked("e")
    assert desk.enter("e", NOW) == Move(line='{"id":1}')
    assert desk.hint == EDITING
    assert not desk.is_draft
    move = desk.enter(' {"id":2} ', NOW)
    assert move == Move(h.AnswerGiven("call_2", "3fa9c1", h.Edited('{"id":2}'), NOW - PAINTED_AT), line="")


def test_e_opens_nothing_where_there_is_no_input_to_change() -> None:
    """The question says so, and stays as it is."""
    desk = asked("e", is_undo=True, may_edit=False)
    assert desk.enter("e", NOW) == Move(line="")
    assert desk.hint == AGAIN[Why.NO_INPUT]
    assert desk.asking is not None
    assert not desk.asking.is_editing


@pytest.mark.parametrize("key", [Key.ESC, Key.CTRL_C])
def test_an_edit_can_be_left(key: Key) -> None:
    """The question is back, and must be quiet again before it is armed."""
    desk = asked("e")
    desk.enter("e", NOW)
    assert desk.stop(key, '{"id":2}', NOW) == Move(line="")
    assert desk.asking is not None
    assert not desk.asking.is_editing
    assert not desk.arming.is_armed
    assert desk.hint == UNCHANGED


def test_an_empty_edit_goes_back_to_the_question() -> None:
    """Nothing is not an input."""
    desk = asked("e")
    desk.enter("e", NOW)
    assert desk.enter("  ", NOW) == Move(line="")
    assert desk.asking is not None
    assert not desk.asking.is_editing
    assert desk.hint == UNCHANGED


def test_ctrl_u_sets_a_draft_aside_until_the_answer() -> None:
    """It comes back into the line, as a draft."""
    desk = Desk()
    desk.open(view_of(), "my draft")
    assert desk.is_draft
    assert desk.set_aside("my draft") == Move(line="")
    desk.arming = desk.arming.keyed("my draft", "")
    show(desk)
    type_in(desk, "y")
    move = desk.enter("y", NOW)
    assert isinstance(move.happened, h.AnswerGiven)
    assert move.line == "my draft"


def test_two_drafts_set_aside_come_back_together() -> None:
    """Neither is lost."""
    desk = Desk()
    desk.open(view_of(), "one")
    desk.set_aside("one")
    desk.set_aside("two")
    assert desk.close("") == Move(line="one\ntwo")
    assert desk.arming.line is Standing.EARLIER


def test_a_draft_waits_while_something_else_stands_in_the_line() -> None:
    """It comes back once that is entered."""
    desk = Desk()
    desk.open(view_of(), "draft")
    desk.set_aside("draft")
    desk.arming = desk.arming.keyed("draft", "")
    type_in(desk, "hi")
    assert desk.close("hi") == Move()
    assert desk.enter("hi", NOW) == Move(h.WordsEntered("hi"), line="draft", is_remembered=True)


def test_an_answer_to_a_question_that_closed_does_nothing() -> None:
    """It was answered elsewhere while it was being typed."""
    desk = asked("y")
    desk.close("y")
    assert desk.enter("y", NOW) == Move(line="")
    assert desk.hint == AGAIN[Why.CLOSED]


def test_without_a_question_lines_are_messages_and_commands() -> None:
    """An empty one is nothing."""
    desk = Desk()
    assert desk.enter("hello", NOW) == Move(h.WordsEntered("hello"), line="", is_remembered=True)
    assert desk.enter("/help", NOW) == Move(h.CommandEntered("/help"), line="", is_remembered=True)
    assert desk.enter(" ", NOW) == Move()


def test_a_second_question_arms_anew() -> None:
    """The quiet before the first does not count for it."""
    desk = asked("y")
    desk.enter("y", NOW)
    desk.open(view_of(call_id="call_3"), "")
    assert not desk.arming.is_armed


@pytest.mark.parametrize("key", [Key.CTRL_C, Key.ESC])
def test_a_question_is_cancelled_by_a_key(key: Key) -> None:
    """That is an answer of its own, and a yes typed later answers nothing."""
    desk = asked()
    assert desk.stop(key, "", NOW).happened == h.AnswerGiven("call_2", "3fa9c1", h.Cancelled(), NOW - PAINTED_AT)
    type_in(desk, "y")
    assert desk.enter("y", NOW).happened == h.WordsEntered("y")


@pytest.mark.parametrize(
    ("line", "is_remembered"),
    [("also add tea", True), ("/level", True), ("n keep", False), ("y", False), ("v", False)],
)
def test_ctrl_c_clears_text_and_nothing_else(line: str, is_remembered: bool) -> None:
    """The text goes into the history unless it was an answer, the question stays; it is no first press of two."""
    desk = asked(line)
    assert desk.stop(Key.CTRL_C, line, NOW) == Move(line="", is_remembered=is_remembered)
    assert desk.asking is not None
    assert isinstance(desk.stop(Key.CTRL_C, "", NOW).happened, h.AnswerGiven)


@pytest.mark.parametrize(("standing", "is_remembered"), [("typed", False), ("draft", True)])
def test_what_a_form_asks_for_is_never_remembered(standing: str, is_remembered: bool) -> None:
    """It may be a secret; a message begun before the form is none."""
    desk = Desk()
    desk.open(
        PromptView(about="a form", title="look asks: the code", keys="", asks="code?"),
        "1234" if standing == "draft" else "",
    )
    show(desk)
    type_in(desk, "1234" if standing == "typed" else "")
    assert desk.stop(Key.CTRL_C, "1234", NOW) == Move(line="", is_remembered=is_remembered)


def test_what_fills_in_a_form_is_never_remembered() -> None:
    """It may be a secret."""
    desk = Desk()
    desk.open(PromptView(about="a form", title="look asks: the code", keys="", asks="code?"), "")
    show(desk)
    type_in(desk, "1234")
    assert desk.enter("1234", NOW) == Move(h.PromptAnswered("a form", "1234"), line="")


def test_ctrl_c_forgets_an_answer_to_a_question_that_closed() -> None:
    """It was begun as one."""
    desk = asked("n its pin is 1234")
    desk.close("n its pin is 1234")
    assert desk.stop(Key.CTRL_C, "n its pin is 1234", NOW) == Move(line="")


@pytest.mark.parametrize(
    ("is_at_work", "presses", "effects"),
    [
        (False, [(Key.CTRL_C, 0.0), (Key.CTRL_C, 1.9)], [Effect.SAY_HOW, Effect.LEAVE]),
        (False, [(Key.CTRL_C, 0.0), (Key.CTRL_C, 2.1)], [Effect.SAY_HOW, Effect.SAY_HOW]),
        (True, [(Key.CTRL_C, 0.0), (Key.CTRL_C, 1.0)], [Effect.STOP, Effect.LEAVE]),
        (True, [(Key.ESC, 0.0), (Key.ESC, 0.1)], [Effect.STOP, Effect.STOP]),
        (True, [(Key.ESC, 0.0), (Key.CTRL_C, 0.1)], [Effect.STOP, Effect.STOP]),
        (False, [(Key.CTRL_D, 0.0)], [Effect.LEAVE]),
        (True, [(Key.CTRL_D, 0.0)], [Effect.LEAVE_SAFELY]),
    ],
)
def test_keys_that_stop_or_leave(
    is_at_work: bool, presses: list[tuple[Key, float]], effects: list[Effect]
) -> None:
    """A second Ctrl-C within two seconds leaves; Esc never does."""
    desk = Desk()
    desk.is_at_work = is_at_work
    assert [desk.stop(key, "", now).happened for key, now in presses] == [h.KeyPressed(one) for one in effects]


def test_ctrl_c_right_after_a_cancelled_question_leaves() -> None:
    """The first press cancelled, the second leaves."""
    desk = asked()
    desk.stop(Key.CTRL_C, "", NOW)
    desk.is_at_work = True
    assert desk.stop(Key.CTRL_C, "", NOW + 1).happened == h.KeyPressed(Effect.LEAVE)


def test_ctrl_d_leaves_a_question_open() -> None:
    """It is still there when the session goes on."""
    desk = asked()
    assert desk.stop(Key.CTRL_D, "", NOW).happened == h.KeyPressed(Effect.LEAVE_OPEN)
    assert desk.asking is not None


def test_esc_does_nothing_to_text() -> None:
    """Nor when idle."""
    assert Desk().stop(Key.ESC, "text", NOW) == Move()
    assert Desk().stop(Key.ESC, "", NOW) == Move()


def test_quick_yeses_slow_the_next_question() -> None:
    """Those given here, and those that the question brings along from before."""
    desk = Desk()
    for _ in range(MANY_QUICK):
        desk.open(view_of(), "")
        assert desk.arming.quiet_s == QUIET_S
        show(desk, at=NOW - 0.5)
        type_in(desk, "y")
        desk.enter("y", NOW)
    desk.open(view_of(), "")
    assert desk.arming.quiet_s == SLOW_QUIET_S
    fresh = Desk()
    fresh.open(view_of(quick_yeses=MANY_QUICK), "")
    assert fresh.arming.quiet_s == SLOW_QUIET_S


FIELD = PromptView(about="a form", title="ask asks: when?", keys="a date", asks="day?")


def prompted(view: PromptView = FIELD, line: str = "") -> Desk:
    """A desk with a prompt that was painted, quiet, and answered by a typed line that only lacks Enter."""
    desk = Desk()
    desk.open(view, "")
    show(desk)
    type_in(desk, line)
    return desk


def test_a_prompt_stays_until_it_is_replaced_or_closed() -> None:
    """The line is empty again; a second Enter meanwhile does nothing."""
    desk = prompted(line="2026-12-01")
    assert desk.enter(" 2026-12-01 ", NOW) == Move(h.PromptAnswered("a form", "2026-12-01"), line="")
    assert desk.asking is not None
    assert desk.enter("", NOW) == Move()


def test_a_form_takes_no_value_before_its_last_page_was_shown() -> None:
    """What was typed stays in the line."""
    long = replace(FIELD, lines=tuple(f"row {number}" for number in range(30)))
    desk = prompted(long, line="5")
    assert desk.asking is not None
    assert desk.enter("5", NOW) == Move()
    assert desk.hint == AGAIN[Why.UNSEEN]
    desk.turn(1)
    show(desk)
    assert desk.enter("5", NOW) == Move(h.PromptAnswered("a form", "5"), line="")


LONG_FORM = replace(FIELD, lines=tuple(f"row {number}" for number in range(30)))


def after_a_long_form(view: PromptView) -> Desk:
    """A desk on which a prompt of several pages was answered and another follows it, painted where it begins."""
    desk = prompted(LONG_FORM)
    desk.turn(1)
    show(desk)
    type_in(desk, "5")
    desk.enter("5", NOW)
    desk.open(replace(view, follows=True), "")
    show(desk)
    type_in(desk, "6")
    return desk


def test_what_does_not_fit_is_told_on_the_page_where_it_was_typed() -> None:
    """All of the form was shown by then, so the next line counts at once."""
    desk = after_a_long_form(replace(LONG_FORM, complaint="no day"))
    assert desk.asking is not None
    assert "│ no day" in map(plain, desk.asking.lines(80, 20))
    assert desk.enter("6", NOW).happened == h.PromptAnswered("a form", "6")


def test_a_further_field_begins_where_it_is_asked_for() -> None:
    """What stood above the field before it was shown, and is a page before."""
    desk = after_a_long_form(replace(LONG_FORM, lines=(*LONG_FORM.lines, "2 of 2 · day"), seen=30))
    assert desk.asking is not None
    assert plain(desk.asking.lines(80, 20)[0]) == "│ 2 of 2 · day"
    assert desk.enter("6", NOW).happened == h.PromptAnswered("a form", "6")


def test_a_further_field_of_several_pages_is_seen_to_its_end() -> None:
    """It begins with the first of its choices, and takes no value before the last was shown."""
    days = tuple(f"  {number} day {number}" for number in range(1, 31))
    desk = after_a_long_form(replace(LONG_FORM, lines=(*LONG_FORM.lines, "2 of 2 · day", *days), seen=30))
    assert desk.asking is not None
    assert plain(desk.asking.lines(80, 20)[1]) == "│   1 day 1"
    assert desk.enter("6", NOW) == Move()
    assert desk.hint == AGAIN[Why.UNSEEN]
    desk.turn(1)
    show(desk)
    assert desk.enter("6", NOW).happened == h.PromptAnswered("a form", "6")


def test_a_further_field_takes_no_value_that_was_typed_while_the_person_was_away() -> None:
    """What is typed into the shell may have been for anything."""
    desk = prompted(line="1")
    desk.enter("1", NOW)
    desk.open(replace(FIELD, follows=True), "")
    show(desk)
    desk.come_back()
    type_in(desk, "2")
    assert desk.enter("2", NOW).happened == h.WordsEntered("2", Standing.EARLIER)


def test_a_further_field_takes_no_value_before_it_was_laid_out() -> None:
    """How many pages it has is not known yet."""
    desk = prompted(line="1")
    desk.enter("1", NOW)
    desk.open(replace(FIELD, follows=True), "")
    assert desk.enter("2", NOW) == Move()


def test_a_form_goes_back_to_the_field_before_by_a_key() -> None:
    """Once, until that is asked for again; never from the first, nor away from text that stands in the line."""
    assert prompted().go_back("") == Move()
    desk = prompted(replace(FIELD, may_go_back=True))
    assert desk.go_back("5") == Move()
    assert desk.go_back("") == Move(h.PromptTakenBack("a form"))
    assert desk.go_back("") == Move()
    assert Desk().go_back("") == Move()


def test_a_prompt_that_follows_takes_a_line_at_once() -> None:
    """A new one does not: it has to be quiet first."""
    desk = prompted(line="1")
    desk.enter("1", NOW)
    desk.open(replace(FIELD, follows=True), "")
    show(desk)
    type_in(desk, "2")
    assert desk.enter("2", NOW).happened == h.PromptAnswered("a form", "2")
    desk.open(FIELD, "")
    type_in(desk, "3")
    assert desk.is_draft
    assert desk.enter("3", NOW).happened == h.WordsEntered("3", Standing.EARLIER)


def test_a_prompt_that_follows_nothing_has_to_be_quiet_first() -> None:
    """It was answered elsewhere, and this one is another."""
    desk = Desk()
    desk.open(replace(FIELD, follows=True), "")
    type_in(desk, "2")
    assert desk.enter("2", NOW).happened == h.WordsEntered("2", Standing.EARLIER)


@pytest.mark.parametrize(
    ("line", "happened"),
    [
        ("retry", h.PromptAnswered("a form", "retry")),
        ("perhaps", h.WordsEntered("perhaps")),
        ("/help", h.CommandEntered("/help")),
    ],
)
def test_a_prompt_for_one_of_several_words_takes_no_other(line: str, happened: h.Happened) -> None:
    """Other lines are what they always are, and it stays open."""
    desk = prompted(replace(FIELD, answers=("happened", "retry")), line)
    assert desk.enter(line, NOW).happened == happened
    assert desk.asking is not None


def test_an_empty_line_is_none_of_the_words() -> None:
    """It is said that something is wanted."""
    desk = prompted(replace(FIELD, answers=("happened", "retry")))
    assert desk.enter("", NOW) == Move(line="")
    assert desk.hint == AGAIN[Why.NO_ANSWER]


def test_a_prompt_is_dropped_by_whoever_opened_it() -> None:
    """The key is told, and nothing is answered."""
    desk = prompted()
    assert desk.stop(Key.ESC, "", NOW) == Move(h.KeyPressed(Effect.CANCEL))
    assert desk.asking is not None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("oops", "not a JSON object: Expecting value at character 1"),
        ('{"id":1,"id":2}', "not a JSON object: the member 'id' stands there twice"),
        ("[1]", "not a JSON object: it has no members"),
    ],
)
def test_an_edit_that_is_no_json_object_stays_in_the_line(text: str, problem: str) -> None:
    """One is told why, and can mend it."""
    desk = asked("e")
    desk.enter("e", NOW)
    assert desk.enter(text, NOW) == Move()
    assert desk.hint[0].startswith(problem)
    desk.key_begins()
    assert desk.hint == EDITING


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (83, "not a JSON object: Expecting property name enclosed in double quotes at character 9"),
        (80, "Expecting property name enclosed in double quotes at character 9"),
        (63, "no JSON at character 9"),
        (22, "no JSON at character 9"),
        (21, "no JSON"),
    ],
)
def test_why_an_edit_is_no_json_is_said_on_narrow_screens_too(columns: int, said: str) -> None:
    """At least where it stops to be."""
    desk = asked("e")
    desk.enter("e", NOW)
    desk.enter('{"id":1,{}}', NOW)
    assert plain(hint_line(desk.hint, columns)) == said


def test_an_edit_that_was_refused_can_be_mended() -> None:
    """It is in the line when the same question is changed again; another question begins with its own input."""
    desk = asked("e")
    desk.enter("e", NOW)
    assert isinstance(desk.enter('{"idd":2}', NOW).happened, h.AnswerGiven)
    for code, line in (("3fa9c1", '{"idd":2}'), ("000000", view_of().input)):
        desk.open(view_of(code=code), "")
        show(desk)
        type_in(desk, "e")
        assert desk.enter("e", NOW) == Move(line=line)


@pytest.mark.parametrize("view", [view_of(), FIELD], ids=["question", "form"])
def test_an_answer_that_came_too_early_is_said_to_have_been_a_message(view: View) -> None:
    """Below the line, since the question may leave no room above it."""
    desk = Desk()
    desk.open(view, "")
    type_in(desk, "1")
    assert desk.enter("1", NOW).happened == h.WordsEntered("1", Standing.EARLIER)
    assert desk.hint == SENT
    assert plain(hint_line(desk.hint, 30)) == "a message: answer once more"
    desk.key_begins()
    show(desk)
    type_in(desk, "what")
    desk.enter("what", NOW)
    assert desk.hint != SENT


@pytest.mark.parametrize(
    ("view", "is_draft"),
    [(FIELD, False), (replace(FIELD, answers=("y", "n")), True), (view_of(), True)],
    ids=["field", "words", "question"],
)
def test_what_is_pasted_into_a_field_is_no_draft(view: View, is_draft: bool) -> None:
    """It is what the field is filled with; where a yes counts, it is a message and said to be one."""
    desk = Desk()
    desk.open(view, "")
    show(desk)
    desk.arming = desk.arming.keyed("", "Datum")
    assert desk.is_draft is is_draft
    assert (desk.hint == DRAFT) is is_draft
    assert isinstance(desk.enter("Datum", NOW).happened, h.WordsEntered) is is_draft
