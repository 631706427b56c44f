"""The board on a phone: this machine's address in its network, and the QR code that leads there."""

from __future__ import annotations

import socket


def lan_address() -> str | None:
    """Return this machine's IPv4 address in its network; None without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is asked for
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") or address == "0.0.0.0" else address


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
