"""How a record with JSON in it is shown to who writes a program: the JSON as text, not as an object somewhere."""

from typing import Any

import msgspec


def legible(record: msgspec.Struct) -> str:
    """Return what `repr` says of a record, with the JSON that it holds."""
    fields = ((name, getattr(record, name)) for name in record.__struct_fields__)
    return f"{type(record).__name__}({', '.join(f'{name}={_legible(value)}' for name, value in fields)})"


def _legible(value: Any) -> str:
    if isinstance(value, msgspec.Raw):
        return f"Raw({bytes(value).decode('utf-8', 'replace')!r})"
    if isinstance(value, tuple) and any(isinstance(one, msgspec.Raw) for one in value):
        return f"({', '.join(map(_legible, value))},)"
    return repr(value)
