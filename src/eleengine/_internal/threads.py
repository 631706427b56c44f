"""Jobs on threads of this process, each with something to work with that no other thread uses."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import islice
from queue import SimpleQueue
from typing import TypeVar

from .stack import deep_stacks

J = TypeVar("J")
R = TypeVar("R")
T = TypeVar("T")

WINDOW = 4  # jobs for each thread that are done or wait for an earlier one


def in_threads(
    tools: Sequence[T], work: Callable[[T, J], R], jobs: Iterable[J], *, stop: Callable[[T], object]
) -> Generator[R]:
    """What work makes of each job, in their order, with as many threads as there are tools.

    Jobs are taken from the iterable as there is room for them. Closing the generator gives up the rest: stop
    is called with each tool until what is under way has ended.

    >>> list(in_threads([1, 10], lambda tool, job: -job, range(3), stop=print))
    [0, -1, -2]
    """
    free: SimpleQueue[T] = SimpleQueue()
    for tool in tools:
        free.put(tool)

    def do(job: J) -> R:
        tool = free.get()
        try:
            return work(tool, job)
        finally:
            free.put(tool)

    todo = iter(jobs)
    under_way: deque[Future[R]] = deque()
    with ThreadPoolExecutor(len(tools)) as pool:

        def begin(n: int) -> None:
            with deep_stacks():
                under_way.extend(pool.submit(do, job) for job in islice(todo, n))

        try:
            begin(WINDOW * len(tools))
            while under_way:
                yield under_way.popleft().result()
                begin(1)
        finally:
            running = [future for future in under_way if not future.cancel() and not future.done()]
            while wait(running, 0.05).not_done:  # a stop that comes before its search is lost
                for tool in tools:
                    stop(tool)
