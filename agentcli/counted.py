"""A count with its noun, as people read it: `1 expense`, `2,000 expenses`. Pure."""


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return the count with its noun.

    Args:
        plural: The noun for every count but 1, where that is more than an `s` behind it.
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
