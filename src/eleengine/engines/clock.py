"""How long to think: from a clock to two limits for the search.

The search treats the optimum as an aim, which it stretches or shrinks by what it sees, and the
maximum as a wall. Both are in milliseconds; 0 means "no such limit".
"""

MAX_MS = 2**31 - 1


def usable_ms(time_ms: int, overhead_ms: int) -> int:
    """What is left of the clock for searching: at least 1 ms.

    >>> usable_ms(60_000, 50), usable_ms(100, 50), usable_ms(-7, 50)
    (59950, 25, 1)
    """
    if time_ms < 4 * overhead_ms:
        return max(1, time_ms // 4)
    return max(1, time_ms - overhead_ms)


def share(usable: int, moves: int | None, increment: int | None) -> tuple[int, int]:
    """The (optimum, maximum) for one move out of a clock with `usable` ms.

    moves: to be made before the next time control, this one included; None: the whole game.
    increment: ms gained after each move.

    >>> share(1000, 1, None), share(1000, 10, None), share(60_000, None, 0), share(60_000, None, 2000)
    ((900, 1000), (100, 400), (2000, 10000), (3900, 22000))
    """
    if moves is not None and moves <= 1:
        return usable * 9 // 10, usable
    if moves is not None:
        return usable // moves, min(4 * usable // moves, usable * 4 // 5)
    if increment is not None and increment > 0:
        return usable // 25 + increment * 3 // 4, min(usable // 3 + increment, usable * 4 // 5)
    return usable // 30, usable // 6


def after_waiting(optimum: int, maximum: int, waited_ms: int) -> tuple[int, int]:
    """What is left of (optimum, maximum) when some of the time has gone before the search.

    A move keeps half of its share of a clock that has much more.

    >>> after_waiting(1000, 5000, 700), after_waiting(1000, 5000, 9000), after_waiting(0, 545, 2000)
    ((500, 4300), (500, 500), (0, 1))
    """
    least = max(1, optimum // 2 if maximum >= 4 * optimum else 0)
    return max(least, optimum - waited_ms) if optimum else 0, max(
        least, maximum - waited_ms
    ) if maximum else 0


def clock_budget(
    clock_ms: int, increment_ms: int | None, moves: int | None, *, overhead_ms: int, ponder: bool = False
) -> tuple[int, int]:
    """Return (optimum, maximum) for one move with the clock's time, each at least 1 ms.

    increment_ms, moves: as for `share`. overhead_ms: of each move, not available for searching.
    ponder: some of the thinking will be done on the opponent's time, so some more may be spent.

    >>> clock_budget(60_050, 0, None, overhead_ms=50), clock_budget(10, 5000, None, overhead_ms=50)
    ((2000, 10000), (1, 1))
    """
    optimum, maximum = share(usable_ms(clock_ms, overhead_ms), moves, increment_ms)
    if ponder:
        optimum = optimum * 5 // 4
    maximum = max(1, maximum)
    return max(1, min(optimum, maximum)), maximum
