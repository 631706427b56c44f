"""What is copied of an object: its attributes, in __dict__ and in the __slots__ of each class, or nothing."""

from __future__ import annotations

from typing import Any, NoReturn, SupportsIndex


def refuse_copy(thing: object, instead: str = "make a new one") -> NoReturn:
    """TypeError says that the thing cannot be copied or pickled, and what to do instead."""
    raise TypeError(f"{type(thing).__name__} cannot be copied or pickled: {instead}")


class NotCopied:
    """A base for what holds a search, a program or an open file: a copy would share it, and close it."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_copy(self)


def attributes_of(thing: object) -> dict[str, Any]:
    """The attributes that are set, by name."""
    named, slots = _parts(object.__getstate__(thing))
    return named | slots


def give_state(thing: object, state: object) -> None:
    """Set what `object.__getstate__` has returned of another thing of the class, as unpickling does."""
    named, slots = _parts(state)
    if named:
        thing.__dict__.update(named)
    for name, value in slots.items():
        object.__setattr__(thing, name, value)


def _parts(state: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    named, slots = state if isinstance(state, tuple) else (state, None)
    return named or {}, slots or {}
