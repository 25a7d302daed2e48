"""What holds for every test: no network but this machine's own, nothing from the developer's environment, and
reports that can be sent from one process to another.
"""

import ipaddress
import os
import sys
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import settings

KEPT_OUT = ("ANTHROPIC_", "AGENTCLI_")

# A busy machine is no failure of a property.
settings.register_profile("agentcli", deadline=None)
settings.load_profile("agentcli")

outside = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(KEPT_OUT)}
"""What was kept out of the environment; for the live tests."""

_network = {"is_open": False}


def _is_near(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    if _network["is_open"] or event not in ("socket.connect", "socket.getaddrinfo"):
        return
    address = arguments[1] if event == "socket.connect" else arguments
    # A path names a socket of this machine.
    if isinstance(address, tuple) and not _is_near(address[0]):
        # Not an OSError: code that copes with a broken network would take it for one and the test would pass.
        pytest.fail(f"a test reached for the network: {event} {address[0]!r}")


sys.addaudithook(_guard)


@pytest.fixture(autouse=True)
def network(request: pytest.FixtureRequest) -> Iterator[None]:
    """Open the network for tests marked `live`, and for no others."""
    _network["is_open"] = request.node.get_closest_marker("live") is not None
    yield
    _network["is_open"] = False


@pytest.fixture(autouse=True)
def _no_session_stays_held() -> Iterator[None]:
    """Close what a test has left open: whatever a later one starts would seem to be started by an agent at work."""
    yield
    garage = sys.modules.get("tests.wiring.garage")
    while garage is not None and garage.still_held:
        garage.still_held.pop().close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Spell out halves of surrogate pairs: some tests log words that are no valid Unicode."""
    report = yield
    report.sections = [(title, text.encode(errors="backslashreplace").decode()) for title, text in report.sections]
    return report
