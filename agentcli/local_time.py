"""Times as people read them: in the time zone of the machine."""

from datetime import datetime


def local_minute(at: datetime) -> str:
    """Return a time to the minute."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M")


def local_second(at: datetime) -> str:
    """Return a time to the second."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
