"""What a journal says about how words were heard."""

from collections.abc import Iterable

from agentcli.session import entries as e
from agentcli.session.record import Record


def passed_over(records: Iterable[Record]) -> list[int]:
    """The messages that were stored before a request and are not in it."""
    waiting: set[int] = set()
    passed: list[int] = []
    for record in records:
        match record.entry:
            case e.Said(no=no):
                waiting.add(no)
            case e.Unsaid(no=no, text=None):
                waiting.discard(no)
            case e.Heard(nos=nos):
                waiting.difference_update(nos)
            case e.Requested():
                passed += sorted(waiting)
            case _:
                pass
    return passed
