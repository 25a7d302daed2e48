"""Where Claude is reached and with what: key, token and address, as the SDK takes them from the environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from agentcli.session.ports import FailureKind, ReplyFailed

OFFICIAL: Final = "https://api.anthropic.com"

_OFFLINE_HINT: Final = "--model offline needs no key and no network."
_SHORTEST_SECRET: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A key or a token, and the address they are sent to; nothing of it shows when it is printed."""

    api_key: str | None = field(default=None, repr=False)
    auth_token: str | None = field(default=None, repr=False)
    base_url: str = field(default=OFFICIAL, repr=False)
    headers: tuple[str, ...] = field(default=(), repr=False)

    @property
    def has_credential(self) -> bool:
        """Whether there is a key or a token."""
        return bool(self.api_key or self.auth_token)

    @property
    def host(self) -> str:
        """The host, with its port where one is given, for a person to read."""
        return _shown(_split(self.base_url)) or "the address in ANTHROPIC_BASE_URL"

    @property
    def is_loopback(self) -> bool:
        """Whether the address is on this machine, where no proxy has a place."""
        parts = _split(self.base_url)
        return parts is not None and _is_loopback(parts.hostname or "")

    def obstacle(self) -> ReplyFailed | None:
        """Return why nothing can be sent at all, or None."""
        if not self.has_credential:
            return ReplyFailed(
                FailureKind.UNAUTHORIZED,
                f"No key: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN. {_OFFLINE_HINT}",
            )
        if not _is_printable_ascii(self.api_key or self.auth_token or ""):
            return ReplyFailed(
                FailureKind.UNAUTHORIZED,
                f"{self.credential_name} holds a character that no key has, such as a blank or a line end.",
            )
        if not _shown(_split(self.base_url)):
            return ReplyFailed(
                FailureKind.REJECTED, "ANTHROPIC_BASE_URL is no address that begins with http:// or https://."
            )
        return None

    @property
    def credential_name(self) -> str:
        """The variable whose value is sent."""
        return "ANTHROPIC_API_KEY" if self.api_key else "ANTHROPIC_AUTH_TOKEN"

    def redact(self, text: str) -> str:
        """Return the text with every secret of this connection struck out, by value."""
        parts = _split(self.base_url)
        userinfo = (parts.username or "", parts.password or "") if parts else ()
        secrets = (self.api_key or "", self.auth_token or "", *userinfo, *map(unquote, userinfo), *self.headers)
        for secret in secrets:
            if len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, "[secret]")
        return text


def connection_from(environment: Mapping[str, str]) -> Connection:
    """Return the connection that the environment's variables name; an empty variable counts as not set.

    Where both are set, the SDK sends the key and not the token.
    """
    lines = environment.get("ANTHROPIC_CUSTOM_HEADERS", "").split("\n")
    return Connection(
        api_key=environment.get("ANTHROPIC_API_KEY") or None,
        auth_token=environment.get("ANTHROPIC_AUTH_TOKEN") or None,
        base_url=environment.get("ANTHROPIC_BASE_URL") or OFFICIAL,
        headers=tuple(line.partition(":")[2].strip() for line in lines if ":" in line),
    )


def foreign_host(base_url: str) -> str | None:
    """Return the host that conversations go to if it is not Anthropic's over TLS, else None."""
    parts = _split(base_url)
    host = (parts.hostname or "").removesuffix(".") if parts else ""
    is_official = host == "anthropic.com" or host.endswith(".anthropic.com")
    if parts is None or not is_official:
        return _shown(parts) or "an address that can't be read"
    return None if parts.scheme == "https" else f"{_shown(parts)} without TLS"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _shown(parts: SplitResult | None) -> str:
    """Return host and port without the user and password that an address may hold; empty if it is no address."""
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return host if parts.port is None else f"{host}:{parts.port}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_printable_ascii(text: str) -> bool:
    return all("!" <= character <= "~" for character in text)
