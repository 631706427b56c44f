"""The board on a phone: this machine's addresses in its networks, and the QR codes that lead there."""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from contextlib import suppress

#: Networks of no phone: of virtual machines and containers, and the tunnels of a VPN.
VIRTUAL = (
    "docker", "br-", "veth", "virbr", "vboxnet", "vmnet",
    "tun", "tap", "wg", "utun", "ppp", "tailscale", "zt",
)  # fmt: skip


def lan_addresses() -> list[str]:
    """Return this machine's private IPv4 addresses, the one that a phone most likely reaches first.

    First those of real networks, and among them that of the default route; 192.168.x.x before the others.
    Nothing is sent.
    """
    found = interface_addresses()
    routed = _routed_address()
    if routed is not None:
        found.setdefault(routed, "")

    def order(address: str) -> tuple[bool, bool, bool, str]:
        is_far = found[address].startswith(VIRTUAL) or ipaddress.ip_address(address).is_link_local
        return is_far, address != routed, not address.startswith("192.168."), address

    return sorted(filter(_is_private, found), key=order)


def is_own_address(address: str) -> bool:
    """Whether the text is an IPv4 address of this machine other than that of itself."""
    try:
        if ipaddress.IPv4Address(address).is_loopback or address == "0.0.0.0":
            return False
        socket.create_server((address, 0)).close()
    except (ValueError, OSError):
        return False
    return True


def interface_addresses() -> dict[str, str]:
    """Return {IPv4 address: name of its interface}; the names are unknown on Windows."""
    if sys.platform == "win32":  # the name of the machine stands for all its addresses there
        with suppress(OSError):
            return dict.fromkeys(socket.gethostbyname_ex(socket.gethostname())[2], "")
        return {}
    import fcntl

    request = 0x8915 if sys.platform == "linux" else 0xC0206921  # SIOCGIFADDR
    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # it has none
                told = fcntl.ioctl(probe, request, struct.pack("256s", name.encode()[:15]))
                found[socket.inet_ntoa(told[20:24])] = name
    return found


def _routed_address() -> str | None:
    """The address from which the rest of the world is reached."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is asked for
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return address


def _is_private(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return address.is_private and not (address.is_loopback or address.is_unspecified)


def qr_rows(text: str) -> list[str]:
    """Return the QR code of a text, a string of 0 (light) and 1 (dark) for each row, without a margin."""
    import segno

    return ["".join(str(int(dark)) for dark in row) for row in segno.make(text, micro=False).matrix]


def qr_text(text: str) -> str:
    """Return the QR code of a text for a terminal, two rows in a line, light on dark as terminals are."""
    rows = qr_rows(text)
    width = len(rows[0]) + 4
    light = "0" * width
    padded = [light, light, *(f"00{row}00" for row in rows), light, light]
    if len(padded) % 2:
        padded.append(light)
    blocks = {("0", "0"): "█", ("0", "1"): "▀", ("1", "0"): "▄", ("1", "1"): " "}
    pairs = zip(padded[::2], padded[1::2], strict=True)
    return "\n".join(
        "".join(blocks[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs
    )
