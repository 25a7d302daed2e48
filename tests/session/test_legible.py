"""What a programmer sees of a record that is printed."""

from datetime import UTC, datetime

import msgspec

from agentcli.session import entries as e
from agentcli.session.allowance import Usage
from agentcli.session.events import ToolFinished

NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
RESULT = msgspec.Raw('{"to":"\u202eAna"}'.encode())


def test_an_event_shows_the_json_that_it_holds() -> None:
    """A result can be read where it is printed, and nothing in it steers the terminal or hides."""
    event = ToolFinished(session="s", at=NOON, call_id="t1", tool="pay", result=RESULT, is_error=False)
    assert repr(event) == (
        f"ToolFinished(session='s', at={NOON!r}, call_id='t1', tool='pay', "
        'result=Raw(\'{"to":"\\u202eAna"}\'), is_error=False)'
    )


def test_an_entry_shows_the_json_that_it_holds() -> None:
    """Also where it holds several, and one that holds none looks as ever."""
    assert "data=Raw('1')" in repr(e.Supplied("t1", 7, msgspec.Raw(b"1"), "ana"))
    blocks = e.Replied(1, (msgspec.Raw(b"1"), msgspec.Raw(b"2")), None, Usage()).__repr__()
    assert "blocks=(Raw('1'), Raw('2'),)" in blocks
    assert repr(e.StopAsked("ana")) == "StopAsked(by='ana')"
