"""Network addresses of clients, and the host names under which browsers may reach the server."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from diamonds.errors import DiamondsError, InvalidInputError

Scope = dict[str, Any]

# RFC 9110 and 9112 allow only one line of each of these headers. With two, a proxy in front of us may have used the
# other one. `Cookie` may have several lines: HTTP/2 splits it, and not every proxy joins it again (RFC 9113, 8.2.3).
SINGLE_HEADERS = frozenset(
    (b"host", b"content-length", b"content-type", b"origin", b"authorization", b"sec-fetch-site", b"last-event-id")
)
_HOST_PATTERN = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(:[0-9]*)?")  # RFC 9110, 7.2


class MisdirectedRequestError(DiamondsError):
    """The request is addressed to another server (421)."""


def check_single_headers(scope: Scope) -> None:
    """Raise `InvalidInputError` if a header that must be unique occurs twice."""
    seen = set()
    for name, _ in scope["headers"]:
        if name in SINGLE_HEADERS:
            if name in seen:
                raise InvalidInputError("server-header-twice", name=name.decode())
            seen.add(name)


def client_network(scope: Scope, proxies: int) -> str:
    """Return the client's network.

    Behind `proxies` trusted proxies, it comes from the address that the outermost proxy saw.
    """
    if proxies:
        seen: list[str] = [
            part.strip()
            for name, value in scope["headers"]
            if name == b"x-forwarded-for"
            for part in value.decode("latin-1").split(",")
        ]
        if len(seen) >= proxies:
            return network_of(seen[-proxies][:64])
    client = scope.get("client")
    return network_of(client[0]) if client else "?"


def network_of(address: str) -> str:
    """Return the network under which an address is counted: itself, or the /64 of an IPv6 address (one household)."""
    return _ipv6_network(address) if ":" in address else address


@lru_cache(maxsize=4_000)
def _ipv6_network(address: str) -> str:
    try:
        ip = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(ip) >> 64 << 64, 64)))


class AllowedHosts:
    """The host names under which browsers may address the server.

    A foreign page could make its own name resolve to this server and so share an origin with it (DNS rebinding);
    requests for other names are therefore refused. Literal IP addresses cannot be redirected.
    """

    def __init__(self, hosts: Sequence[str], allow_any_ip: bool = False) -> None:
        self._hosts = {"localhost", "127.0.0.1", "::1", *(name.strip("[]").rstrip(".").lower() for name in hosts)}
        self._allow_any_ip = allow_any_ip
        self._check_cached = lru_cache(maxsize=1_000)(self._check_host)

    def check(self, scope: Scope) -> None:
        """Check the `Host` header.

        Raise `InvalidInputError` if it is missing or malformed (RFC 9112, 3.2), `MisdirectedRequestError` if it
        is not allowed.
        """
        host = next((value for name, value in scope["headers"] if name == b"host"), None)
        if host is None:
            raise InvalidInputError("server-no-host")
        if not _HOST_PATTERN.fullmatch(host):
            raise InvalidInputError("server-bad-host")
        self._check_cached(host)

    def _check_host(self, host: bytes) -> None:
        name, _, port = host.decode("latin-1").rpartition(":")
        if not name or not port.isdecimal():
            name = host.decode("latin-1")
        name = name.strip("[]").rstrip(".").lower()
        if name in self._hosts or (self._allow_any_ip and _is_ip_address(name)):
            return
        raise MisdirectedRequestError("server-other-name", given=name[:100], name=name[:100])


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_non_loopback_ip(host: str) -> bool:
    """Return whether a bind address is an IP address other than loopback."""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
