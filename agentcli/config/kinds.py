"""What a value of the config may be; each description completes the sentence "… is not …"."""

import os
import re
from decimal import Decimal
from typing import Annotated, Final, Literal

from msgspec import Meta

from agentcli.gate.autonomy import Level

# `datetime` ends with the year 9999: times beyond these would overflow when they are added to now.
_CENTURY_S: Final = 100 * 365 * 86_400
_CENTURY_MIN: Final = 100 * 365 * 1_440
_MANY: Final = 10**12
_DAY_S: Final = 86_400

# Without control characters and half surrogate pairs, which can't be stored, sent or shown.
_PLAIN: Final = r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]"
_AMOUNT: Final = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)


def exact(value: object) -> Decimal:
    """Return the amount that a text says.

    Raises:
        ValueError: Not text, or not digits with at most one point: no sign, exponent, `NaN` or `1_000`.
    """
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        raise ValueError(value)
    return Decimal(value)


def absolute(path: str) -> str:
    """Return the path with `~/` replaced by the home folder; an empty one stays empty.

    Raises:
        ValueError: The path would depend on the current directory.
    """
    full = os.path.expanduser(path)
    if path and not os.path.isabs(full):
        raise ValueError(path)
    return full


def absolute_function(reference: str) -> str:
    """Return `FILE:FUNCTION` with an absolute file.

    Raises:
        ValueError: The file would depend on the current directory, or the function is no name.
    """
    file, _, function = reference.rpartition(":")
    if not file or not function.isidentifier():
        raise ValueError(reference)
    return f"{absolute(file)}:{function}"


def absolute_command(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command with an absolute program, or one that is looked up on the PATH.

    Raises:
        ValueError: The program would depend on the current directory, or is blank.
    """
    program, *arguments = words
    if not program.strip():
        raise ValueError(program)
    looked_up = os.path.basename(program) == program
    return (program if looked_up else absolute(program), *arguments)


def _whole(least: int, most: int) -> Meta:
    return Meta(ge=least, le=most, description=f"a whole number from {least} to {most:,}")


# A function after the `Meta` is applied to the value last: it may change it, and refuses it with a ValueError.
Switch = Annotated[bool, Meta(description="true or false")]
Count = Annotated[int, _whole(1, _MANY)]
CountOrNone = Annotated[int, _whole(0, _MANY)]
WholeSeconds = Annotated[int, _whole(1, _CENTURY_S)]
WholeMinutes = Annotated[int, _whole(0, _CENTURY_MIN)]
Seconds = Annotated[float, Meta(gt=0, le=_DAY_S, description=f"a number of seconds above 0 and up to {_DAY_S:,}")]
AutonomyLevel = Annotated[Level, Meta(description="a level from 0 to 4")]
Amount = Annotated[Decimal, Meta(description='an amount in quotes, such as "1.00"'), exact]
Name = Annotated[
    str, Meta(pattern=rf"^(?=.*\S){_PLAIN}+\Z", description="a name: text that is not blank, on one line")
]
Names = Annotated[tuple[Name, ...], Meta(min_length=1, description='a list of names, such as ["a", "b"]')]
Currency = Annotated[
    str, Meta(pattern=r"^[A-Z]{3}\Z", description='a currency of three capital letters, such as "USD"')
]
Address = Annotated[
    str,
    Meta(
        pattern=r"^(https?://[A-Za-z0-9.:\[\]-]+(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?)?\Z",
        description='a web address without user, query and fragment, such as "https://api.example.test"',
    ),
]
FilePath = Annotated[
    str, Meta(pattern=rf"^{_PLAIN}*\Z", description='an absolute path, or one that begins with "~/"'), absolute
]
NeededFilePath = Annotated[
    str, Meta(pattern=rf"^{_PLAIN}+\Z", description='an absolute path, or one that begins with "~/"'), absolute
]
Function = Annotated[
    str,
    Meta(pattern=rf"^{_PLAIN}+\Z", description='an absolute file and a function, such as "/path/policy.py:check"'),
    absolute_function,
]
Command = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[^\x00\ud800-\udfff]*\Z")], ...],
    Meta(
        min_length=1,
        description='a list that begins with a program, by name or absolute path, such as ["/path/to/check"]',
    ),
    absolute_command,
]
WithoutTerminal = Annotated[Literal["write", "irreversible"], Meta(description='"write" or "irreversible"')]
