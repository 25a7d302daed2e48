"""How wide prompt-toolkit takes characters to be: as wide as all else here is folded by."""

from prompt_toolkit import utils

from agentcli.terminal.drawing.fold import cell_width


class _Widths(utils._CharSizesCache):
    """Widths of texts, remembered as prompt-toolkit does."""

    def __missing__(self, text: str) -> int:
        if len(text) != 1 or text.isascii():
            return super().__missing__(text)
        self[text] = width = cell_width(text)
        return width


def reckon_alike() -> None:
    """Have frames laid out with the widths of `cell_width`."""
    # Nothing public leads there. Left alone it gives the vowels of Indic scripts no width; in tmux and many other
    # terminals they take a cell, and the cursor would stand before its place.
    if not isinstance(utils._CHAR_SIZES_CACHE, _Widths):
        utils._CHAR_SIZES_CACHE = _Widths()
