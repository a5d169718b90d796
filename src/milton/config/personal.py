"""Settings that belong to a person and machine, not to a run: secrets, addresses, folders, deployment, money.

Reads no files.

A run folder may come from anybody. Where secrets go, where files are written, what may be spent, and whether
a network plays, challenges or chats in the user's name is therefore never taken from a run's stored settings,
only from the user's own file, `--config` or the command line.
"""

import ipaddress
from urllib.parse import urlsplit

from milton.errors import ConfigError

PERSONAL_KEYS: tuple[str, ...] = (
    "coach.api_key",
    "coach.base_url",
    "coach.monthly_token_budget",
    "lichess.enabled",
    "lichess.token",
    "lichess.base_url",
    "lichess.games_folder",
    "lichess.matchmaking",
    "lichess.chat_greeting",
    "lichess.chat_goodbye",
)


def check_address(address: str, what: str) -> str:
    """`address` if it is a plain http(s) URL with a host; ConfigError otherwise."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port  # the port is judged when it is asked for
    except ValueError as error:
        raise ConfigError(f"{what} must be an address such as https://host/path: {error}") from None
    if parts.scheme not in ("http", "https") or not host or not address.isprintable() or " " in address:
        raise ConfigError(f"{what} must be an address such as https://host/path, got {address[:200]!r}")
    if parts.username is not None or parts.password is not None or "\\" in address:
        # https://lichess.org@evil.example leads to evil.example.
        raise ConfigError(f"{what} must not hold a user name or password before the host {host!r}")
    return address


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine and nothing else."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_private_line(address: str) -> bool:
    """Whether a secret may be sent there: over TLS, or to this machine."""
    parts = urlsplit(address)
    return parts.scheme == "https" or is_loopback(parts.hostname or "")
