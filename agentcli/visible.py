"""Text from outside, made safe to draw: nothing is stripped, what hides becomes a mark.

A mark names what is there: `⟨U+202E⟩`, `⟨40 × U+200B⟩`, `⟨37 spaces⟩`, `⟨12 blank lines⟩`; where all that is not
ASCII is marked, one mark names a whole run: `⟨U+0442 043E⟩`, `⟨flag DE FR⟩`. As `⟨` itself is always marked, a
mark can't be forged, and two different texts are never drawn alike. Marks are made once, of whole texts: a second
pass would mark the marks, and of a text in pieces the ends of each piece would be marked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from typing import Final

ENCODING_MARK: Final = "\ufeff"
"""What some editors put at the beginning of a file to say that it is UTF-8: no part of its text there."""

LONGEST_RUN: Final = 3  # blanks, blank lines or equal marks in a row; a longer run is drawn as its count
LONGEST_INDENT: Final = 16  # spaces that may begin a later line of a text: code and lists need them
MOST_STACKED: Final = 4  # combining characters on one base

_BRACKETS: Final = frozenset("\u27e8\u2329\u3008\u276c\u29fc")  # ours, and those that could be taken for it
# Printable by their category, yet drawn as nothing, as a blank, or as a variant of what stands before.
_UNSEEN: Final = frozenset(
    map(
        chr,
        chain(
            (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x2D7F, 0x303F),
            (0x3164, 0xFFA0, 0xFFFC, 0x1107F, 0x13441, 0x13442, 0x16FE4, 0x1D159),
            range(0xFE00, 0xFE10),
            range(0xE0100, 0xE01F0),
        ),
    )
)
_SPACE_RUN: Final = " " * (LONGEST_RUN + 1)
_NOT_ASCII: Final = "[^ -~]+"
# Spaces at either end can't be seen, so they are marked whatever their number.
_SUSPECT: Final = re.compile(rf"\A +|{_SPACE_RUN}+| +\Z|{_NOT_ASCII}")
_FLAG: Final = "[\U0001f1e6-\U0001f1ff]"  # a half of one: a letter of the country's code
_PIECE: Final = re.compile(
    rf"(?P<spaces> +)|(?P<flags>{_FLAG}+)|(?P<same>(?P<one>.)(?P=one){{{LONGEST_RUN},}})"
    rf"|(?:(?!{_FLAG}|(?P<next>.)(?P=next){{{LONGEST_RUN}}}).)+",
    re.DOTALL,
)
_SUSPECT_CHARACTERS: Final = re.compile(_NOT_ASCII)
_JSON_BLANKS: Final = str.maketrans("\n\r\t", "   ")

# The first word of a letter's Unicode name tells its script, but for these; "" goes with every script.
_SCRIPT_OF_WORD: Final = {
    "CARON": "",
    "EXTENDED": "ARABIC",
    "HANGZHOU": "CJK",
    "HENTAIGANA": "HIRAGANA",
    "IDEOGRAPHIC": "CJK",
    "MODIFIER": "",
}
_WRITTEN_TOGETHER: Final = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)


def visible(text: str) -> str:
    r"""Return a text of several lines with a mark for everything that hides; only `\n` stays as it is.

    Spaces at the start of the text and at the end of a line are out of sight and always marked; up to
    `LONGEST_INDENT` may begin a later line. Split the result with `split("\n")`: `"a\n"` has two lines.
    """
    if " \n" not in text and "\n" * LONGEST_RUN not in text and _is_plain(text.replace("\n", "")):
        return text
    shown: list[str] = []
    for line, same in groupby(text.split("\n")):
        count = len(list(same))
        if count > LONGEST_RUN and not line.strip():
            kind = "such" if line else "blank"
            shown.append(f"{visible_line(line)}⟨{count} {kind} lines⟩")
            continue
        for _ in range(count):
            shown.append(_later_line(line) if shown else visible_line(line))
    return "\n".join(shown)


def visible_line(text: str) -> str:
    """Return the text as one line with a mark for everything that hides, line breaks and tabs too."""
    return text if _is_plain(text) else _marked(text, _judged)


def spelled_out(text: str) -> str | None:
    """Return a second line, ASCII and marks alone, for a text that may not be what it looks like.

    Returns:
        None for a text of one script that compatibility normalisation (NFKC) leaves as it is.

    Source: UTS #39, section 5.2: Latin may stand beside Chinese, Japanese or Korean; nothing else is mixed.
    """
    if text.isascii() or (unicodedata.is_normalized("NFKC", text) and not _mixes_scripts(text)):
        return None
    return in_ascii(text)


def in_ascii(text: str) -> str:
    """Return the text as one line of ASCII, with marks that name all other characters."""
    return _SUSPECT.sub(lambda suspect: _PIECE.sub(_named, suspect[0]), text)


def visible_json(text: str) -> str:
    r"""Return JSON text on one line that reads the same: what hides is spelled out, as in `"\u202e"`.

    Outside its strings JSON has nothing that hides but line breaks and tabs; they become spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    return _SUSPECT_CHARACTERS.sub(_spelled_where_hidden, text.translate(_JSON_BLANKS))


def json_escape(char: str) -> str:
    """Return how JSON spells a character in ASCII; outside the first plane as a pair of surrogates."""
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def count_hidden(text: str) -> int:
    r"""Return how many characters of the text would be out of sight; `\n`, tabs and spaces don't count."""
    return sum(
        is_marked and char not in _BRACKETS and char not in "\n\t"
        for run in _SUSPECT_CHARACTERS.finditer(text)
        for char, is_marked in _judged(run)
    )


def is_blank(text: str) -> bool:
    """Tell whether nothing of the text would be seen: it is empty, or made of blanks and of what draws as none."""
    return not any(map(_is_seen, text))


def valid_unicode(text: str) -> str:
    """Return the text so that it can be stored, sent and hashed: a lone surrogate becomes U+FFFD.

    Two surrogates that belong together become their character.
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_seen(char: str) -> bool:
    # What this Python does not know yet may well be drawn; private characters are, by many a font.
    return not char.isspace() and char not in _UNSEEN and unicodedata.category(char) not in ("Cc", "Cf", "Cs")


def _is_plain(line: str) -> bool:
    return (
        line.isprintable()
        and not line.startswith(" ")
        and not line.endswith(" ")
        and _SPACE_RUN not in line
        and (line.isascii() or not any(map(_needs_care, set(line))))
    )


def _needs_care(char: str) -> bool:
    return char in _UNSEEN or char in _BRACKETS or _sits_on_another(char)


def _later_line(line: str) -> str:
    rest = line.lstrip(" ")
    indent = len(line) - len(rest)
    if not rest or indent > LONGEST_INDENT:
        return visible_line(line)
    return " " * indent + visible_line(rest)


def _marked(text: str, judge: Callable[[re.Match[str]], Iterable[tuple[str, bool]]]) -> str:
    def mark(suspect: re.Match[str]) -> str:
        return _count_of_spaces(suspect[0]) if suspect[0].startswith(" ") else _written(judge(suspect))

    return _SUSPECT.sub(mark, text)


def _spelled_where_hidden(run: re.Match[str]) -> str:
    return "".join(json_escape(char) if is_marked else char for char, is_marked in _judged(run))


def _judged(run: re.Match[str]) -> Iterator[tuple[str, bool]]:
    """Say of each character in a run outside ASCII whether it is marked."""
    before = run.string[max(run.start() - 1, 0) : run.start()]
    # What has no base to sit on would change a character that is not of this text, as the quote of JSON around it.
    stacked = 0 if before.strip(' "') else MOST_STACKED
    for char in run[0]:
        if not char.isprintable() or char in _UNSEEN or char in _BRACKETS:
            stacked = MOST_STACKED
            yield char, True
        elif not _sits_on_another(char):
            stacked = 0
            yield char, False
        elif stacked < MOST_STACKED and not _covers_another(char):
            stacked += 1
            yield char, False
        else:
            stacked = MOST_STACKED
            yield char, True


def _sits_on_another(char: str) -> bool:
    # Terminals draw the vowels and finals of taken apart Hangul in the cell of the letter before.
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb"


def _covers_another(char: str) -> bool:
    return unicodedata.category(char) == "Me" or unicodedata.combining(char) == 1


def _written(judged: Iterable[tuple[str, bool]]) -> str:
    pieces = []
    for (char, is_marked), same in groupby(judged):
        count = len(list(same))
        if not is_marked:
            pieces.append(char * count)
        elif count > LONGEST_RUN:
            pieces.append(f"⟨{count} × U+{ord(char):04X}⟩")
        else:
            pieces.append(f"⟨U+{ord(char):04X}⟩" * count)
    return "".join(pieces)


def _named(piece: re.Match[str]) -> str:
    """Return the mark of a run of spaces, of flags, of one character, or of several."""
    if piece["spaces"]:
        return _count_of_spaces(piece[0])
    if piece["flags"]:
        letters = "".join(chr(ord(half) - ord("\U0001f1e6") + ord("A")) for half in piece[0])
        return _counted("flag ", [letters[at : at + 2] for at in range(0, len(letters), 2)])
    return _counted("U+", [f"{ord(char):04X}" for char in piece[0]])


def _counted(kind: str, names: list[str]) -> str:
    count = len(names)
    is_one = count > LONGEST_RUN and len(set(names)) == 1
    return f"⟨{count} × {kind}{names[0]}⟩" if is_one else f"⟨{kind}{' '.join(names)}⟩"


def _count_of_spaces(spaces: str) -> str:
    return "⟨1 space⟩" if len(spaces) == 1 else f"⟨{len(spaces)} spaces⟩"


def _mixes_scripts(text: str) -> bool:
    scripts = {_script_of(char) for char in set(text)} - {""}
    return len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER)


def _script_of(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] != "L" and (category not in ("Nd", "Nl") or char.isascii()):
        return ""
    word = re.split("[ -]", unicodedata.name(char, ""), maxsplit=1)[0]
    return _SCRIPT_OF_WORD.get(word, word)
