"""The pairings of a Swiss tournament: players of like points who have not met."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

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
    pairs: list[tuple[int, int]] = []
    left, times = order, 0
    while left:
        found, left = _paired(left, lambda pair: met.get(pair, 0) <= times)  # noqa: B023 - called at once
        pairs += found
        times += 1
    return tuple(sorted(pairs, key=lambda pair: order.index(pair[0])))


def byes_of(players: int, rounds: Sequence[Round]) -> list[int]:
    """How many rounds each player had no opponent."""
    return [sum(all(player not in pair for pair in played) for played in rounds) for player in range(players)]


def _paired(
    order: Sequence[int], allowed: Callable[[frozenset[int]], bool]
) -> tuple[list[tuple[int, int]], list[int]]:
    """As many pairs as possible, each player with the next one below that leaves it so, and who is left.

    Who is paired with whom is decided by keeping a largest matching at hand: trying out what the others can
    still do would take exponential time.
    """
    near = {one: [two for two in order if two != one and allowed(frozenset((one, two)))] for one in order}
    partners: dict[int, int] = {}
    for player in order:
        if player not in partners:
            _find_partner(player, near, partners)
    pairs, left = [], []
    while near:
        first = next(iter(near))
        for other in near[first]:
            if (rest := _without(first, other, near, partners)) is not None:
                near, partners = rest
                pairs.append((first, other))
                break
        else:  # it has met all who are there; whoever has not can be paired
            near = _narrowed(near, {first})
            left.append(first)
    return pairs, left


def _narrowed(near: dict[int, list[int]], gone: set[int]) -> dict[int, list[int]]:
    return {one: [two for two in all_ if two not in gone] for one, all_ in near.items() if one not in gone}


def _without(
    one: int, two: int, near: dict[int, list[int]], partners: dict[int, int]
) -> tuple[dict[int, list[int]], dict[int, int]] | None:
    """The graph and a largest matching without the two, None if that loses more than their pair."""
    near = _narrowed(near, {one, two})
    alone = [partners[gone] for gone in (one, two) if gone in partners and partners[gone] in near]
    partners = {a: b for a, b in partners.items() if a in near and b in near}
    if len(alone) < 2 or any(_find_partner(player, near, partners) for player in alone):
        return near, partners
    return None


def _find_partner(root: int, near: dict[int, list[int]], partners: dict[int, int]) -> bool:
    """Give the root a partner so that all who have one keep one; False if that is impossible.

    Edmonds's search for an augmenting path: odd cycles are taken for one vertex, their base.
    """
    base = {player: player for player in near}
    parent: dict[int, int] = {}
    reached, queue = {root}, deque([root])

    def common(one: int, two: int) -> int:
        """The base where the ways from the two to the root meet."""
        seen = set()
        while (one := base[one]) != base[root]:
            seen.add(one)
            one = parent[partners[one]]
        seen.add(one)
        while (two := base[two]) not in seen:
            two = parent[partners[two]]
        return two

    def shrink(player: int, top: int, child: int, cycle: set[int]) -> None:
        """Turn one side of an odd cycle round, from the player up to its top."""
        while base[player] != top:
            partner = partners[player]
            cycle |= {base[player], base[partner]}
            parent[player], child, player = child, partner, parent[partner]

    while queue:
        one = queue.popleft()
        for two in near[one]:
            if base[one] == base[two] or partners.get(one) == two:
                continue
            if two == root or (two in partners and partners[two] in parent):
                top = common(one, two)
                cycle: set[int] = set()
                shrink(one, top, two, cycle)
                shrink(two, top, one, cycle)
                for player in near:
                    if base[player] in cycle:
                        base[player] = top
                        if player not in reached:
                            reached.add(player)
                            queue.append(player)
            elif two not in parent:
                parent[two] = one
                if two not in partners:
                    _turn(two, parent, partners)
                    return True
                reached.add(partners[two])
                queue.append(partners[two])
    return False


def _turn(end: int | None, parent: dict[int, int], partners: dict[int, int]) -> None:
    """Change who is paired along the path from its end to the root."""
    while end is not None:
        before = parent[end]
        after = partners.get(before)
        partners[end], partners[before] = before, end
        end = after
