"""Texts that try to hide something, and the way back from what is drawn to the text."""

import re
from typing import Final

from hypothesis import strategies as st

BLANK: Final = {
    "no-break space": "\u00a0",
    "ogham space": "\u1680",
    "en quad": "\u2000",
    "thin space": "\u2009",
    "narrow no-break space": "\u202f",
    "mathematical space": "\u205f",
    "ideographic space": "\u3000",
    "ideographic half fill space": "\u303f",
    "braille blank": "\u2800",
    "Hangul filler": "\u3164",
    "Hangul choseong filler": "\u115f",
    "Hangul jungseong filler": "\u1160",
    "half-width Hangul filler": "\uffa0",
    "object replacement": "\ufffc",
    "Egyptian full blank": "\U00013441",
    "Egyptian half blank": "\U00013442",
    "musical null notehead": "\U0001d159",
}
UNSEEN: Final = {
    **{f"C0 {code:02x}": chr(code) for code in range(0x20) if code not in (0x09, 0x0A)},
    **{f"C1 {code:02x}": chr(code) for code in range(0x7F, 0xA0)},
    **{
        f"bidi {code:04x}": chr(code)
        for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    },
    "soft hyphen": "\u00ad",
    "grapheme joiner": "\u034f",
    "zero-width space": "\u200b",
    "zero-width non-joiner": "\u200c",
    "zero-width joiner": "\u200d",
    "word joiner": "\u2060",
    "invisible times": "\u2062",
    "Mongolian vowel separator": "\u180e",
    "Khmer inherent vowel aq": "\u17b4",
    "Khmer inherent vowel aa": "\u17b5",
    "Mongolian variation selector 1": "\u180b",
    "Mongolian variation selector 2": "\u180c",
    "Mongolian variation selector 3": "\u180d",
    "Mongolian variation selector 4": "\u180f",
    "Tifinagh joiner": "\u2d7f",
    "Brahmi number joiner": "\U0001107f",
    "Khitan filler": "\U00016fe4",
    "byte order mark": "\ufeff",
    "interlinear annotation": "\ufff9",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "first variation selector": "\ufe00",
    "emoji variation selector": "\ufe0f",
    "variation selector 17": "\U000e0100",
    "variation selector 256": "\U000e01ef",
    "language tag": "\U000e0001",
    "tag a": "\U000e0061",
    "cancel tag": "\U000e007f",
    "private use": "\ue000",
    "private use plane 16": "\U0010fffd",
    "unassigned": "\u0378",
    "noncharacter": "\ufffe",
    "lone high surrogate": "\ud800",
    "lone low surrogate": "\udfff",
}
HIDDEN: Final = {**BLANK, **UNSEEN}

_MARK: Final = r"⟨(?:(\d+) spaces?|(?:(\d+) × )?(?:U\+([0-9A-F]{4,6}(?: [0-9A-F]{4,6})*)|flag ([A-Z ]+)))⟩"


def read_back(shown: str) -> str:
    """Undo the marks of a text; that this can be done at all is what makes two texts look different."""

    def characters(mark: re.Match[str]) -> str:
        spaces, times, codes, flags = mark.groups()
        if spaces:
            return " " * int(spaces)
        read = (
            (chr(int(code, 16)) for code in codes.split(" "))
            if codes
            else (chr(ord(letter) - ord("A") + 0x1F1E6) for letter in flags.replace(" ", ""))
        )
        return "".join(read) * int(times or 1)

    lines: list[str] = []
    for line in shown.split("\n"):
        run = re.fullmatch(r"(.*)⟨(\d+) (?:blank|such) lines⟩", line, re.DOTALL)
        kind, times = (run[1], int(run[2])) if run else (line, 1)
        text = re.sub(_MARK, characters, kind)
        lines += [text] * times
    return "\n".join(lines)


any_character = st.characters(exclude_categories=())
hostile_text = st.lists(
    st.one_of(
        st.text(any_character, max_size=8),
        st.sampled_from(
            [
                *HIDDEN.values(),
                "\n",
                "\t",
                " ",
                "⟨",
                "⟩",
                "⟨U+202E⟩",
                "⟨5 spaces⟩",
                "⟨4 blank lines⟩",
                "e",
                "🇩",
                "🇪",
            ]
        ),
        st.tuples(
            st.sampled_from([" ", "\n", " \n", "\t", "\u200b", "\u0301", "\u0338", "🇩", "🇩🇪"]), st.integers(1, 20)
        ).map(lambda piece: piece[0] * piece[1]),
    ),
    max_size=10,
).map("".join)
