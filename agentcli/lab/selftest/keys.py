"""Keys that nobody meant as an answer, what a terminal sends by itself, and answers that have to count."""

from typing import Final

from agentcli.lab.selftest.attack import (
    SIZES,
    Act,
    Ask,
    Attack,
    Close,
    Kind,
    Resize,
    Send,
    Stall,
    Type,
    Wait,
    question,
)

ENTER, ESC, BACKSPACE, CTRL_R, CTRL_U, CTRL_W, CTRL_Y = "\r", "\x1b", "\x7f", "\x12", "\x15", "\x17", "\x19"
UP, LEFT, SHIFT_TAB, ALT_Y = "\x1b[A", "\x1b[D", "\x1b[Z", "\x1by"
_PASTE, _END = "\x1b[200~", "\x1b[201~"

_ASK: Final = Ask(question("short"))
_AGAIN: Final = Ask(question("short", call_id="call_2", code="77ab02"))
_QUIET: Final = Wait(0.6)
_YES: Final = Type("y\r")
_HURRIED: Final[tuple[Act, ...]] = (_ASK, Wait(0.45), Type("y\r", 0.05)) * 5

_KEYS: Final[tuple[tuple[str, tuple[Act, ...]], ...]] = (
    ("a yes typed before the question", (Send("y"), _ASK, _QUIET, Send(ENTER))),
    ("a yes and Enter that waited for the question", (Stall(0.3, "y\r"), _ASK, _QUIET)),
    ("a yes 20 ms after the question", (_ASK, Wait(0.02), Send("y"), Wait(0.1), Send(ENTER))),
    ("a word that ends in the answer", (Type("onl"), _ASK, Wait(0.05), _YES)),
    ("a word that pauses over the question", (Type("onl"), _ASK, _QUIET, _YES)),
    ("a sentence typed across the question", (Type("file it under car "), _ASK, Type("yes\r", 0.08))),
    ("keys that waited while the program stood still", (_ASK, Wait(0.1), Stall(2, "y"), Wait(0.1), Send(ENTER))),
    ("a yes and Enter in one burst", (_ASK, _QUIET, Send("y\r"))),
    ("a yes right after an arrow", (_ASK, _QUIET, Send(LEFT), Wait(0.1), _YES)),
    ("a pasted yes", (_ASK, _QUIET, Send(f"{_PASTE}y{_END}"), Wait(0.1), Send(ENTER))),
    ("a pasted yes with its Enter", (_ASK, _QUIET, Send(f"{_PASTE}y\r{_END}"), Wait(0.1), Send(ENTER))),
    ("a paste that ends itself", (_ASK, _QUIET, Send(f"{_PASTE}{_END}y\r{_END}"), Wait(0.1), Send(ENTER))),
    ("a paste in which typing goes on", (_ASK, _QUIET, Send(f"{_PASTE}y{_END}"), Type("es\r"))),
    ("a paste without an end", (_ASK, _QUIET, Send(f"{_PASTE}y\r"), Wait(3), Send(ENTER))),
    (
        "a typed yes with a pasted rest",
        (_ASK, _QUIET, Type("y"), Send(f"{_PASTE}es{_END}"), Wait(0.1), Send(ENTER)),
    ),
    ("a key held down", (_ASK, Wait(0.3), Type("y" * 40, 0.03), Send(ENTER))),
    ("Enter held down", (_ASK, _QUIET, Type(ENTER * 40, 0.03))),
    ("Enter alone", (_ASK, _QUIET, Send(ENTER))),
    ("a blank", (_ASK, _QUIET, Type(" \r"))),
    ("a tab", (_ASK, _QUIET, Type("\t\r"))),
    (
        "a click",
        (_ASK, _QUIET, Send("\x1b[M !!"), Wait(0.1), Send("\x1b[<0;5;5M\x1b[<0;5;5m"), Wait(0.1), Send(ENTER)),
    ),
    ("a yes from the history", (_YES, _ASK, _QUIET, Send(UP), Wait(0.6), Send(ENTER))),
    ("a yes found in the history", (_YES, _ASK, _QUIET, Send(CTRL_R), Wait(0.2), _YES, Wait(0.2), Send(ENTER))),
    (
        "a yes put back from what was cut",
        (Type("y"), Send(CTRL_W), _ASK, _QUIET, Send(CTRL_Y), Wait(0.6), Send(ENTER)),
    ),
    ("a yes completed", (_ASK, _QUIET, Type("ye\t\r"))),
    ("a yes to a window of another size", (_ASK, _QUIET, Resize(40, 12), Wait(0.1), _YES)),
    ("a yes across a change of size", (_ASK, _QUIET, Type("y"), Resize(40, 12), _AGAIN, Wait(0.1), Send(ENTER))),
    ("a yes to a question that was replaced", (_ASK, _QUIET, Type("y"), _AGAIN, _QUIET, Send(ENTER))),
    ("a yes to a question that is closed", (_ASK, _QUIET, Type("y"), Close(), Wait(0.1), Send(ENTER))),
    ("a late yes to the question before", (_ASK, _QUIET, Type("y"), Close(), _AGAIN, _QUIET, Send(ENTER))),
    (
        "a search that the question interrupts",
        (_YES, Send(CTRL_R), Wait(0.2), Type("y"), _ASK, _QUIET, Send(ENTER), Wait(0.2), Send(ENTER)),
    ),
    ("a yes typed on in a search", (_YES, Send(CTRL_R), Wait(0.2), _ASK, _QUIET, _YES, Wait(0.2), Send(ENTER))),
    (
        "a paste that the question interrupts",
        (Send(f"{_PASTE}may"), _ASK, Wait(0.3), Send(f"be y\r{_END}"), Wait(0.1), Send(ENTER)),
    ),
    ("the same key twice", (_ASK, _QUIET, Type("yy\r"))),
    ("a sentence that begins with yes", (_ASK, _QUIET, Type("yes please\r"))),
    ("a yes with a Cyrillic letter", (_ASK, _QUIET, Type("y\u0435s\r"))),
    ("a yes with a long s", (_ASK, _QUIET, Type("ye\u017f\r"))),
    ("a full-width y", (_ASK, _QUIET, Type("\uff59\r"))),
    ("a yes of two lines", (_ASK, _QUIET, Type("y"), Send("\n"), Wait(0.1), _YES)),
    ("a yes from now on that is not offered", (_ASK, _QUIET, Type("a\r"))),
    ("true, ok, 1", (_ASK, _QUIET, Type("true\r"), _QUIET, Type("ok\r"), _QUIET, Type("1\r"))),
    ("a draft set aside in mid-word", (Type("may"), _ASK, Wait(0.2), Send(CTRL_U), Wait(0.1), _YES)),
    ("a yes with Alt", (_ASK, _QUIET, Send(ALT_Y), Wait(0.2), Send(ENTER))),
    (
        "an empty edit",
        (_ASK, _QUIET, Type("e\r"), _QUIET, Send(BACKSPACE * 30), Wait(0.1), Send(ENTER), Wait(0.1), _YES),
    ),
)

_REPLIES: Final = (
    ("a title report that says yes", "\x1b]ly\x1b\\"),
    ("a cursor report", "\x1b[59;1R"),
    ("a report of what the terminal is", "\x1b[?62;22c"),
    ("a report of a setting", "\x1bP1$r0m\x1b\\"),
    ("the clipboard's content", "\x1b]52;c;eQ0=\x07"),
    ("a colour report", "\x1b]11;rgb:0000/0000/0000\x07"),
    ("the window coming to the front", "\x1b[I"),
    ("a function key of another terminal", "\x1b[57428u"),
)

_SAID: Final[tuple[tuple[str, tuple[Act, ...], tuple[str, ...]], ...]] = (
    # what is said                            what is done                                    answers
    ("a yes of who has looked",               (_ASK, _QUIET, _YES),                           ("approved",)),
    ("YES",                                   (_ASK, _QUIET, Type(" YES \r")),                ("approved",)),
    ("a yes after an arrow and quiet",        (_ASK, _QUIET, Send(LEFT), _QUIET, _YES),       ("approved",)),
    ("a yes after a slip",                    (_ASK, _QUIET, Type("yrs"), Type(BACKSPACE * 2 + "es\r")),("approved",)),
    ("a yes in a new size after quiet",       (_ASK, Resize(*SIZES[0]), _QUIET, _YES),        ("approved",)),
    ("a yes beside a draft set aside",        (Type("draft"), _ASK, _QUIET, Send(CTRL_U), _QUIET, _YES),("approved",)),
    ("a no",                                  (_ASK, _QUIET, Type("n\r")),                    ("declined",)),
    ("a no whose reason holds other keys",    (_ASK, _QUIET, Type("n y1"), Send(SHIFT_TAB), Type("a\r")),("declined",)),
    ("Esc",                                   (_ASK, Send(ESC), Wait(0.2), _YES),             ("cancelled",)),
    ("Ctrl-C",                                (_ASK, Send("\x03"), Wait(0.2), _YES),          ("cancelled",)),
    ("a second question is armed anew",       (_ASK, _QUIET, _YES, _AGAIN, Wait(0.1), _YES),  ("approved",)),
    ("and takes a yes of its own",            (_ASK, _QUIET, _YES, _AGAIN, _QUIET, _YES),     ("approved",) * 2),
)  # fmt: skip

_EXACTLY_SAID: Final[tuple[tuple[str, tuple[Act, ...], tuple[str, ...]], ...]] = (
    # what is said                            what is done                                    answers
    ("a yes 410 ms after the question",       (_ASK, Wait(0.41), _YES),                       ("approved",)),
    ("five quick yeses slow the sixth",       (*_HURRIED, _ASK, _QUIET, _YES),                ("approved",) * 5),
    ("a second of quiet lets it through",     (*_HURRIED, _ASK, Wait(1.1), _YES),             ("approved",) * 6),
)  # fmt: skip

# On smaller ones the question has several pages, and a yes before the last would prove nothing.
_SIZES: Final = (SIZES[0],)

ATTACKS: Final = (
    *(Attack(name=name, kind=Kind.KEYS, acts=acts, sizes=_SIZES) for name, acts in _KEYS),
    Attack(
        name="a yes 390 ms after the question",
        kind=Kind.KEYS,
        acts=(_ASK, Wait(0.39), Send("y"), Wait(0.1), Send(ENTER)),
        sizes=_SIZES,
        is_exact=True,
    ),
    *(
        Attack(
            name=name,
            kind=Kind.REPLIES,
            acts=(_ASK, _QUIET, Send(sent + "y"), Wait(0.1), Send(ENTER)),
            sizes=_SIZES,
        )
        for name, sent in _REPLIES
    ),
    *(
        Attack(name=name, kind=Kind.HONEST, acts=acts, answers=answers, sizes=_SIZES)
        for name, acts, answers in _SAID
    ),
    *(
        Attack(name=name, kind=Kind.HONEST, acts=acts, answers=answers, sizes=_SIZES, is_exact=True)
        for name, acts, answers in _EXACTLY_SAID
    ),
)
