"""CBL, the libraries of CCBridge (象棋桥): many CBR records in one file, with an index.

Read one record after the other. The first bytes of records show where they begin; the index says which of
them are deleted and in what order they are shown.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import BinaryIO, Final

from .cbr import MAGIC as RECORD
from .cbr import entry_of
from .entry import RecordEntry
from .errors import RecordError
from .limits import limits
from .tree import Game

MAGIC: Final = b"CCBridgeLibrary\0"
HEADER: Final = 66_624
_ENTRY: Final = 276
_SLOT: Final = 4096
_MOST: Final = 1 << 20  # entries of an index: more than any real one has


def scan(file: BinaryIO) -> Iterator[RecordEntry]:
    """The games in the order of the file; those marked as deleted have `deleted` set.

    RecordError if it is no CBL file; a record that cannot be read is a game with a warning.
    """
    head = file.read(HEADER)
    if not head.startswith(MAGIC):
        raise RecordError("not a CBL file: it must begin with {!r}", MAGIC.decode()[:-1], offset=0)
    if len(head) < HEADER:
        raise RecordError("a CBL file has at least {} bytes, but here are {}", HEADER, len(head), offset=0)
    entries = int.from_bytes(head[60:64], "little")
    if entries > _MOST:
        raise RecordError("the index cannot have {} entries", entries, offset=60)
    deleted = _deleted(file.read(_ENTRY * entries))
    offset = HEADER + _ENTRY * entries
    slots: list[bytes] = []  # of the record that begins at start
    start = offset
    while True:
        slot = file.read(_SLOT)
        if slots and (not slot or slot.startswith(RECORD)):
            yield _entry(b"".join(slots), start, deleted)
            slots = []
        if not slot:
            return
        if not slots and (at := slot.find(RECORD)) >= 0:  # not at 0 where the index is longer than it says
            slot = slot[at:] + file.read(at)
            offset += at
            start = offset
            slots = [slot]
        elif slots and _SLOT * len(slots) < limits.game:
            slots.append(slot)
        offset += len(slot)


def _deleted(index: bytes) -> set[str]:
    """The GUIDs of the records that are deleted and not live elsewhere."""
    states: dict[bool, set[str]] = {True: set(), False: set()}
    for at in range(0, len(index) - _ENTRY + 1, _ENTRY):
        state = int.from_bytes(index[at : at + 4], "little")
        if state:
            guid = index[at + 20 : at + 100].decode("utf-16-le", "replace").partition("\0")[0]
            states[bool(state & 2)].add(guid.upper())
    return states[False] - states[True]


def _entry(data: bytes, offset: int, deleted: set[str]) -> RecordEntry:
    guid = f"{{{uuid.UUID(bytes_le=data[20:36])}}}".upper() if len(data) >= 36 else ""
    try:
        return entry_of(data, offset, deleted=guid in deleted)
    except RecordError as error:
        broken = Game()
        broken.error = error
        broken.warnings.append(error)
        return RecordEntry({}, lambda: broken, offset=offset)
