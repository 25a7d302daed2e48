"""No test reaches the network, and none sees the developer's keys."""

import os
import socket

import pytest

from tests.conftest import KEPT_OUT


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "api.anthropic.com"])
def test_the_network_is_out_of_reach(host: str) -> None:
    """A connection or a look-up that leaves this machine fails the test that tries it."""
    with pytest.raises(pytest.fail.Exception, match="reached for the network"):
        socket.create_connection((host, 443), timeout=0.1)


def test_this_machine_is_in_reach() -> None:
    """Loopback connections are what tests are made of."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=30).close()


def test_the_environment_is_bare() -> None:
    """No key, no address and no setting of the developer's changes a test."""
    assert [name for name in os.environ if name.startswith(KEPT_OUT)] == []
