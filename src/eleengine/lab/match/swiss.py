"""The pairings of a Swiss tournament: players of like points who have not met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Round = tuple[tuple[int, int], ...]


def next_round(points: Sequence[float], rounds: Sequence[Round]) -> Round:
    """Who meets whom in the next round.

    points: of each player, in the order of the seeds. rounds: those played. Players are sorted by points,
    those of equal points by their seeds. Each meets the next one below that it has not met (the system of
    Monrad); if that leaves nobody for some, as few as possible meet again. Of an odd number the last one who
    has had the fewest byes has one.

    >>> next_round([2, 0, 2, 0], [((0, 1), (2, 3))])
    ((0, 2), (1, 3))
    """
    order = sorted(range(len(points)), key=lambda player: (-points[player], player))
    if len(order) % 2:
        byes = byes_of(len(points), rounds)
        order.remove(min(reversed(order), key=lambda player: byes[player]))
    met: dict[frozenset[int], int] = {}
    for pairing in (pairing for played in rounds for pairing in played):
        met[frozenset(pairing)] = met.get(frozenset(pairing), 0) + 1
    again = 0
    while (found := _paired(order, met, again)) is None:
        again += 1
    return tuple(found)


def byes_of(players: int, rounds: Sequence[Round]) -> list[int]:
    """How many rounds each player had no opponent."""
    return [sum(all(player not in pair for pair in played) for played in rounds) for player in range(players)]


def _paired(
    order: Sequence[int], met: Mapping[frozenset[int], int], again: int
) -> list[tuple[int, int]] | None:
    """The pairs with that many meetings again at most, or None."""
    if not order:
        return []
    first, *rest = order
    for other in rest:
        times = met.get(frozenset((first, other)), 0)
        if times <= again:
            left = [player for player in rest if player != other]
            if (found := _paired(left, met, again - times)) is not None:
                return [(first, other), *found]
    return None
