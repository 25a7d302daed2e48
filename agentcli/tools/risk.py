"""What a wrong call of a tool costs."""

from enum import StrEnum


class Risk(StrEnum):
    """How bad a wrong call is: nothing changed, changed and reversible, or neither."""

    READ = "read"
    WRITE = "write"
    IRREVERSIBLE = "irreversible"
