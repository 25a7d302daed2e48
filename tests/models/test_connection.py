"""Key, token and address as the SDK reads them, and what never shows."""

import pytest

from agentcli.models.connection import OFFICIAL, Connection, connection_from, foreign_host
from agentcli.session.ports import FailureKind


def test_the_environment_names_key_token_and_address() -> None:
    """The three variables mean what the SDK says they mean."""
    environment = {
        "ANTHROPIC_API_KEY": "sk-key",
        "ANTHROPIC_AUTH_TOKEN": "token",
        "ANTHROPIC_BASE_URL": "https://gateway.example.test/v",
    }
    connection = connection_from(environment)
    assert (connection.api_key, connection.auth_token) == ("sk-key", "token")
    assert connection.base_url == "https://gateway.example.test/v"
    assert connection.credential_name == "ANTHROPIC_API_KEY"


@pytest.mark.parametrize("environment", [{}, {"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": ""}])
def test_an_empty_variable_counts_as_not_set(environment: dict[str, str]) -> None:
    """Without a key there is none, and without an address it is Anthropic's."""
    connection = connection_from(environment)
    assert not connection.has_credential
    assert connection.base_url == OFFICIAL


@pytest.mark.parametrize("environment", [{"ANTHROPIC_API_KEY": "k"}, {"ANTHROPIC_AUTH_TOKEN": "t"}])
def test_a_key_or_a_token_is_enough(environment: dict[str, str]) -> None:
    """Either of them is a credential."""
    assert connection_from(environment).has_credential


@pytest.mark.parametrize(
    ("connection", "kind", "named"),
    [
        (Connection(), FailureKind.UNAUTHORIZED, "ANTHROPIC_API_KEY"),
        (Connection(api_key="sk key"), FailureKind.UNAUTHORIZED, "ANTHROPIC_API_KEY"),
        (Connection(api_key="sk-key\n"), FailureKind.UNAUTHORIZED, "ANTHROPIC_API_KEY"),
        (Connection(auth_token="töken"), FailureKind.UNAUTHORIZED, "ANTHROPIC_AUTH_TOKEN"),
        (Connection(api_key="k", base_url="api.anthropic.com"), FailureKind.REJECTED, "ANTHROPIC_BASE_URL"),
        (Connection(api_key="k", base_url="ftp://example.test"), FailureKind.REJECTED, "ANTHROPIC_BASE_URL"),
        (Connection(api_key="k", base_url="https://"), FailureKind.REJECTED, "ANTHROPIC_BASE_URL"),
        (Connection(api_key="k", base_url="https://[::1"), FailureKind.REJECTED, "ANTHROPIC_BASE_URL"),
        (Connection(api_key="k", base_url="https://h:port"), FailureKind.REJECTED, "ANTHROPIC_BASE_URL"),
    ],
)
def test_what_can_not_work_is_said_before_anything_is_sent(
    connection: Connection, kind: FailureKind, named: str
) -> None:
    """A missing or impossible key or address is a clear failure that names its variable."""
    obstacle = connection.obstacle()
    assert obstacle is not None
    assert obstacle.failure is kind
    assert named in obstacle.text


def test_a_key_and_an_address_are_no_obstacle() -> None:
    """With both, a request can be tried."""
    assert Connection(api_key="sk-key").obstacle() is None


@pytest.mark.parametrize(
    ("base_url", "foreign"),
    [
        ("https://api.anthropic.com", None),
        ("https://API.Anthropic.com./v1/", None),
        ("https://eu.api.anthropic.com:443", None),
        ("http://api.anthropic.com", "api.anthropic.com without TLS"),
        ("https://api.anthropic.com.example.test", "api.anthropic.com.example.test"),
        ("https://notanthropic.com", "notanthropic.com"),
        ("https://api.anthropic.com@example.test/x", "example.test"),
        ("https://example.test\\@api.anthropic.com.example", "api.anthropic.com.example"),
        ("https://user:secret@gateway.example.test:8443/v", "gateway.example.test:8443"),
        ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("http://[::1]:8080", "[::1]:8080"),
        ("https://аpi.anthropic.com.example", "аpi.anthropic.com.example"),
        ("nonsense", "an address that can't be read"),
        ("https://[::1", "an address that can't be read"),
    ],
)
def test_a_host_that_is_not_anthropics_is_named(base_url: str, foreign: str | None) -> None:
    """The first line says where a conversation goes unless it goes to Anthropic over TLS; it shows no password."""
    assert foreign_host(base_url) == foreign


@pytest.mark.parametrize(
    ("base_url", "loopback"),
    [
        ("http://127.0.0.1:8080", True),
        ("http://127.8.8.8", True),
        ("http://localhost:1", True),
        ("http://[::1]:1", True),
        ("http://128.0.0.1", False),
        ("https://localhost.example.test", False),
        ("https://[::1", False),
        ("", False),
    ],
)
def test_loopback_addresses_are_known(base_url: str, loopback: bool) -> None:
    """Only addresses of this machine go without the environment's proxies."""
    assert Connection(base_url=base_url).is_loopback is loopback


def test_an_address_that_can_not_be_read_is_not_shown() -> None:
    """What is no address may be anything, a key too."""
    assert "sk-secret" not in Connection(base_url="sk-secret-in-the-wrong-place").host


SECRETS = {
    "ANTHROPIC_API_KEY": "sk-ant-0123456789",
    "ANTHROPIC_AUTH_TOKEN": "token-0123456789",
    "ANTHROPIC_BASE_URL": "https://operator:password%2D0123@gateway.example.test",
    "ANTHROPIC_CUSTOM_HEADERS": "x-gateway-key: gateway-0123456789\nx-short: on\nno header",
}


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-0123456789",
        "token-0123456789",
        "operator",
        "password-0123",
        "password%2D0123",
        "gateway-0123456789",
    ],
)
def test_no_secret_is_left_in_a_text(secret: str) -> None:
    """Whatever the environment gives to send is struck out of what is shown, by its value."""
    connection = connection_from(SECRETS)
    assert connection.redact(f"before {secret} after") == "before [secret] after"
    assert secret not in repr(connection)


def test_what_is_too_short_to_be_a_secret_is_left_alone() -> None:
    """A header whose value is a common word does not black out that word."""
    assert connection_from(SECRETS).redact("it is on") == "it is on"


def test_an_address_that_can_not_be_read_hides_nothing_else() -> None:
    """Striking out works without an address too."""
    connection = Connection(api_key="sk-ant-0123456789", base_url="https://[::1")
    assert connection.redact("sk-ant-0123456789") == "[secret]"
