"""Padding and floods that push the rest out of view, and what is so long that it might be cut."""

import json
from typing import Final

from agentcli.lab.selftest.attack import PRICE, Ask, Attack, Kind, Send, Type, Wait, question

PAGE_DOWN: Final = "\x1b[6~"
_TOKEN: Final = "".join(chr(ord("a") + at % 26) for at in range(80))
_MANY: Final = json.dumps({f"field{number}": number for number in range(60)} | {"amount": int(PRICE)})
_DEEP: Final = '{"a":' * 40 + PRICE + "}" * 40
_ROWS: Final = "\n".join(f"row {number}" for number in range(500))

_TEXTS: Final = (
    # what pads it                     text                                  how it is shown
    ("thousands of line breaks",       "rent" + "\n" * 5000 + "TRANSFER",    ("⟨4999 blank lines⟩", "TRANSFER")),
    ("thousands of spaces",            "rent" + " " * 5000 + "TRANSFER",     ("rent⟨5000 spaces⟩TRANSFER",)),
    ("thousands of tabs",              "rent" + "\t" * 5000 + "TRANSFER",    ("rent⟨5000 × U+0009⟩TRANSFER",)),
    ("lines that only look blank",     "rent" + "\n \t" * 400 + "\nTRANSFER", ("⟨400 such lines⟩", "TRANSFER")),
    ("odd spaces in lines of their own", "rent" + "\n\u2003" * 99 + "\nTRANSFER", ("⟨99 such lines⟩", "TRANSFER")),
    ("spaces at the ends",             "  rent  ",                           ("⟨2 spaces⟩rent⟨2 spaces⟩",)),
    ("a flood of zero-width spaces",   "rent" + "\u200b" * 9000 + "TRANSFER", ("rent⟨9000 × U+200B⟩TRANSFER",)),
    ("a tower of accents",             "e" + "\u0301" * 300 + "TRANSFER",    ("⟨296 × U+0301⟩TRANSFER",)),
    ("strokes through the digits",     "1\u0338\u0338TRANSFER",              ("1⟨U+0338⟩⟨U+0338⟩TRANSFER",)),
    ("a word that fits no line",       _TOKEN + "TRANSFER",                  (_TOKEN + "TRANSFER",)),
    ("a word of thousands of letters", "x" * 3000 + "TRANSFER",              ("x" * 3000 + "TRANSFER",)),
    ("wide characters",                "漢" * 200 + "TRANSFER",               ("漢" * 200 + "TRANSFER",)),
    ("an indent out of the window",    "a\n" + " " * 120 + "TRANSFER",       ("⟨120 spaces⟩TRANSFER",)),
)  # fmt: skip

ATTACKS: Final = (
    *(
        Attack(
            name=f"a text with {name}",
            kind=Kind.PADDING,
            acts=(Ask(question(text)),),
            shows=(*shown, f"amount {PRICE}"),
        )
        for name, text, shown in _TEXTS
    ),
    Attack(
        name="more fields than fit the screen",
        kind=Kind.PADDING,
        acts=(Ask(question(input=_MANY)),),
        shows=("field59 59", f"amount {PRICE}"),
    ),
    Attack(
        name="a value forty levels deep",
        kind=Kind.PADDING,
        acts=(Ask(question(input=_DEEP, preview=())),),
        shows=(f'{{"a":{PRICE}}}',),
    ),
    Attack(
        name="a field's name that is too long",
        kind=Kind.PADDING,
        acts=(Ask(question(input=json.dumps({_TOKEN: int(PRICE)}))),),
        shows=(f"{_TOKEN} {PRICE}",),
    ),
    Attack(
        name="a tool's name that is too long",
        kind=Kind.PADDING,
        acts=(Ask(question(tool=_TOKEN)),),
        shows=(f"irreversible · {_TOKEN}", PRICE),
    ),
    Attack(
        name="an effect of many lines",
        kind=Kind.PADDING,
        acts=(Ask(question(preview=(*(f"line {number}" for number in range(200)), f"will pay: {PRICE}"))),),
        shows=("line 199", f"will pay: {PRICE}"),
    ),
    Attack(
        name="a yes before the last of 500 lines was shown",
        kind=Kind.PADDING,
        acts=(Ask(question(_ROWS)), Wait(0.6), Type("y\r"), Send(PAGE_DOWN), Wait(0.6), Type("yes\r")),
        shows=("row 499", f"amount {PRICE}"),
    ),
)
