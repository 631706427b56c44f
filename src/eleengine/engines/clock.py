"""How long to think: from the clock words of `go` to two limits for the search.

The search treats the optimum as an aim, which it stretches or shrinks by what it sees, and the
maximum as a wall. Both are in milliseconds; 0 means "no such limit".
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..ucci.parse import Go

MAX_MS = 2**31 - 1
DEFAULT_MS = 5000  # for a `go` without any usable limit


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


def budget(
    go: "Go", red_to_move: bool, *, usemillisec: bool, overhead_ms: int, ponder: bool
) -> tuple[int, int]:
    """The (optimum_ms, maximum_ms) that the clock words of a `go` allow; (0, 0) without any.

    usemillisec: the unit of `time` and `increment` is ms, otherwise seconds; UCI words are always ms.
    ponder: the GUI intends to think on the opponent's time, so some more may be spent.
    """
    clock, increment = go.clock(red_to_move, 1 if usemillisec else 1000)
    optimum = maximum = 0
    if clock is not None:
        moves = go.movestogo
        if moves is None and increment is None and go.one_move:
            moves = 1
        optimum, maximum = share(usable_ms(clock, overhead_ms), moves, increment)
        if ponder:
            optimum = optimum * 5 // 4
        optimum, maximum = max(1, optimum), max(1, maximum)
    if go.movetime is not None:
        exactly = max(1, go.movetime - min(overhead_ms, go.movetime // 10))
        maximum = min(maximum, exactly) if maximum else exactly
    maximum = min(maximum, MAX_MS)
    return min(optimum, maximum), maximum
