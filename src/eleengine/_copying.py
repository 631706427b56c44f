"""What copies of an object need."""

from __future__ import annotations

from typing import Any


def attributes_of(thing: object) -> dict[str, Any]:
    """The attributes in __dict__ and in the __slots__ of each class, as far as they are set."""
    state = object.__getstate__(thing)
    named, slots = state if isinstance(state, tuple) else (state, None)
    return {**(named or {}), **(slots or {})}
