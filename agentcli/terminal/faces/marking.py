"""The input line with marks for what hides in it: a person sees what they send, each cell where it seems to be."""

from functools import lru_cache
from itertools import accumulate
from typing import Final

from prompt_toolkit.formatted_text import fragment_list_to_text
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

from agentcli.visible import in_ascii, visible_line

_BASE: Final = "x"
_JOINING: Final = frozenset(map(chr, (*range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400))))
"""The halves of flags, and skin tones: terminals do not agree on whether they join the character before."""


class Marks(Processor):
    """Draws a mark in the place of each character that has no sure place; the text itself stays as it is."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Return the line as it is drawn, and which place of it is which in the text."""
        text = fragment_list_to_text(transformation_input.fragments)
        if text.isascii() and text.isprintable():
            return Transformation(transformation_input.fragments)
        shown = [_shown(char) for char in text]
        starts = [0, *accumulate(map(len, shown))]
        places = [at for at, piece in enumerate(shown) for _ in piece]
        return Transformation(
            [("", "".join(shown))],
            source_to_display=lambda at: starts[min(at, len(text))],
            display_to_source=lambda at: places[at] if at < len(places) else len(text),
        )


@lru_cache(maxsize=4096)
def _shown(char: str) -> str:
    if char in _JOINING:
        return in_ascii(char)
    # Behind a base, so that what is written on another character is none that hides.
    return char if char == " " else visible_line(_BASE + char)[len(_BASE) :]
