"""Ids as people write them: `C-1`, `order o-1001`, `member 2`."""

import re
from collections.abc import Mapping

from msgspec import Struct


class Ids(Struct, frozen=True):
    """Finds ids of several kinds, each kind a letter: `C-1` is of kind `C`.

    Attributes:
        nouns: What each kind is called; `order 1001` then names `O-1001`, as far as it is in `by_number`.
    """

    nouns: Mapping[str, str]
    by_number: frozenset[str]

    def named(self, kind: str, text: str) -> list[str]:
        """Return the ids of one kind, in capitals, in the order in which they are named first."""
        letters = {noun: letter for letter, noun in self.nouns.items()}
        found = (
            (match["letter"].upper(), match["rest"].upper())
            if match["letter"]
            else (letters[match["noun"].lower()], match["number"])
            for match in self._pattern.finditer(text)
        )
        return list(dict.fromkeys(f"{letter}-{rest}" for letter, rest in found if letter == kind))

    def is_all(self, text: str) -> bool:
        """Whether a text consists of ids."""
        rest = self.without(text)
        return rest != text and not re.sub(r"\W|\band\b", "", rest, flags=re.I)

    def without(self, text: str) -> str:
        """Return the text with a blank in place of each id."""
        return self._pattern.sub(" ", text)

    @property
    def _pattern(self) -> re.Pattern[str]:
        nouns, numbered = (
            "|".join(self.nouns.values()),
            "|".join(self.nouns[kind] for kind in sorted(self.by_number)),
        )
        return re.compile(
            rf"\b(?:(?:{nouns})s?\s+)?(?P<letter>[{''.join(self.nouns)}])-(?=[a-z]*[0-9])(?P<rest>[a-z0-9]{{1,20}})"
            r"(?![\w-])(?:'s\b)?"
            rf"|\b(?P<noun>{numbered})s?\s+(?:no\.?\s+|number\s+)?#?(?P<number>[0-9]{{1,18}})(?![\w.,]?[\w-])(?:'s\b)?",
            re.I | re.A,
        )
