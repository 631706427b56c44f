"""Many independent jobs: in this process, on workers of this machine, or on a Dask cluster.

>>> with open_executor() as here:
...     list(here.run(abs, [3, -4]))
[(0, 3), (1, 4)]

A job is data that can be pickled, and so is its result; the function is one that a worker can import. A job
names everything that its result depends on, seeds included, so that it may run anywhere and again: results
at fixed nodes are equal to the bit, wherever they come from. Jobs of one to five minutes keep a scheduler
idle and lose little with a worker.
"""

from __future__ import annotations

import logging
import math
import os
import platform
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .._internal.closing import Closing
from .._internal.extras import install_hint
from .._internal.files import read_file
from .._internal.json_text import read_object
from .._internal.stack import deep_stacks
from .identity import Identity, build_identity, differences

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

J = TypeVar("J")
R = TypeVar("R")

AHEAD = 2  # jobs with a worker at a time: the one that runs and the one that comes next
ALL_BUSY = 8  # results for each worker that may wait for an earlier one
COUNT_SECONDS = 1.0  # between two questions to the scheduler for its workers
CHECKED = 100  # jobs that repeat, of which the first is done by a second worker to check the result
RETRIES = 2  # of a job that has raised
CONNECT_SECONDS = 60
FILE_SECONDS = 1.0  # that a scheduler may take to write its file
MISSING = f"Dask is missing: {install_hint('cluster')}"

_client_log = logging.getLogger("distributed.client")
_worker_lock = threading.Lock()  # a worker does one job at a time


class ClusterError(RuntimeError):
    """The cluster cannot be reached, or cannot do a job; the message says which and why."""


class WorkerError(RuntimeError):
    """A job must not be done on this worker, but may be on others: says why."""


class Done(NamedTuple):
    """What a worker sends of a job that it did."""

    result: Any
    worker: str = ""  #: its address
    host: str = ""


class Refused(NamedTuple):
    """What a worker sends that must not do a job."""

    worker: str  #: its address
    host: str
    reason: str


class Executor(Closing):
    """Where jobs run: one after the other, in this process."""

    def run(
        self,
        function: Callable[[J], R],
        jobs: Iterable[J],
        *,
        ahead: int | None = None,
        repeats: bool = False,
    ) -> Generator[tuple[int, R]]:
        """The place of each job, from 0, and its result, once each, as they end.

        Jobs are taken from the iterable as there is room for them. Closing the iterator gives up the rest.
        ahead: how many places a job may be before one that has not ended, and so how many results wait for
        an earlier one. It is ALL_BUSY times the workers if that is more.
        repeats: a job has the same result each time. Then one of CHECKED is done by another worker, too, and
        a difference is reported with both of them; the first result counts.
        ClusterError: a worker or the scheduler failed for good; what a job raised goes through.
        """
        for index, job in enumerate(jobs):
            yield index, function(job)

    def workers(self) -> int:
        """How many there are now."""
        return 1


class DaskExecutor(Executor):
    """The workers of a Dask cluster.

    A job whose worker dies is given to a new worker; three deaths are the job's own fault. Its result is
    taken once, whatever became of earlier attempts. Each worker must search as this process does: one that
    does not is left out.

    tell: called with news for those who wait: that there are no workers, which one is left out, or which two
        have different results of one job.
    """

    def __init__(
        self,
        client: Client,
        cluster: LocalCluster | None = None,
        tell: Callable[[str], object] = lambda text: None,
        folder: TemporaryDirectory[str] | None = None,
    ) -> None:
        self._client = client
        self._folder = folder  # of the embedded cluster
        self._cluster = cluster
        self._tell = tell
        self._counted = (-math.inf, 0)  # when, how many workers
        self._tried: set[str] = set()  # workers that this package was imported in
        self._refused: dict[str, str] = {}  # workers that are left out by address, and why
        self._log_level = _client_log.level
        _client_log.setLevel(logging.CRITICAL)  # a scheduler that is gone is a ClusterError, not a traceback

    def run(
        self,
        function: Callable[[J], R],
        jobs: Iterable[J],
        *,
        ahead: int | None = None,
        repeats: bool = False,
    ) -> Generator[tuple[int, R]]:
        """As `Executor.run`."""
        from distributed import as_completed

        wanted = build_identity()
        todo = enumerate(jobs)
        # Place and job, and what another worker has sent of it if this one is to check that.
        running: dict[Future, tuple[int, Any, Done | None]] = {}
        ended = as_completed(loop=self._client.loop)
        begun = 0
        more = True

        def has_room() -> bool:
            workers = self.workers()
            oldest = min((index for index, _, first in running.values() if first is None), default=begun)
            return len(running) < AHEAD * workers and (
                ahead is None or begun - oldest < max(ahead, ALL_BUSY * workers)
            )

        def submit(index: int, job: J | None, first: Done | None = None) -> None:
            fit = [worker for worker in self._fit_workers() if first is None or worker != first.worker]
            # Not named in a cluster of our own: when named workers have died, Dask gives the job to none that
            # follow. Elsewhere one that comes may be unable to import this package.
            named = self._cluster is None or first is not None
            future = self._client.submit(
                work, function, job, wanted, pure=False, retries=RETRIES, priority=-index,
                workers=fit if named else None, allow_other_workers=named,  # these may all leave
            )  # fmt: skip
            ended.add(future)
            running[future] = index, job, first

        try:
            while True:
                while more and has_room():
                    index, job = next(todo, (-1, None))
                    if index < 0:
                        more = False
                        break
                    begun = index + 1
                    submit(index, job)
                if not running:
                    if not more:
                        return
                    self._wait_for_worker()
                    continue
                future = next(ended)
                index, job, first = running.pop(future)
                answer = self._answer(future, index)
                future.release()
                if isinstance(answer, Refused):
                    self._leave_out(answer)
                    submit(index, job, first)
                    continue
                if first is not None:
                    self._compare(f"{getattr(job, 'title', f'job {index}')}", first, answer)
                    continue
                if repeats and index % CHECKED == 0 and len(self._not_refused()) > 1:
                    submit(index, job, answer)
                yield index, answer.result
        finally:
            with suppress(OSError):  # the scheduler is gone, and the jobs with it
                self._client.cancel(list(running))

    def _wait_for_worker(self) -> None:
        """Until one is there. ClusterError if all that are there have been left out."""
        # A job that everybody can do: a cluster that adapts to its jobs starts a worker for it.
        self._result(self._client.submit(platform.node, pure=False), "a wait for workers")
        self._fit_workers()
        sleep(COUNT_SECONDS)  # until they are counted again

    def _leave_out(self, refused: Refused) -> None:
        if refused.worker not in self._refused:
            self._refused[refused.worker] = f"the worker {refused.worker} on {refused.host}: {refused.reason}"
            self._counted = (-math.inf, self._counted[1])
            self._tell(f"left out: {self._refused[refused.worker]}")

    def _compare(self, name: str, first: Done, second: Done) -> None:
        """Report two workers that do not agree; one alone, after the others have left, says nothing."""
        if second.worker != first.worker and second.result != first.result:
            both = " and ".join(f"{done.worker} on {done.host}" for done in (first, second))
            self._tell(f"{name}: different results of the workers {both}: one of these machines is not sound")

    def _fit_workers(self) -> list[str]:
        """Who can do a job. ClusterError if all that are there have been left out."""
        fit = self._not_refused()
        if self._refused and not fit:
            raise ClusterError(f"no worker can do the jobs: {'; '.join(self._refused.values())}")
        return fit

    def _not_refused(self) -> list[str]:
        """The addresses of the workers on the scheduler that have not been left out."""
        try:
            there = set(self._client.nthreads())
        except OSError as error:
            raise ClusterError(f"the scheduler is gone: {error}") from None
        if fresh := list(there - self._tried):
            self._try_import(fresh)
        return [worker for worker in there if worker not in self._refused]

    def _try_import(self, workers: list[str]) -> None:
        """Leave out those who cannot import this package: Dask would send them the same job without end."""
        # Functions of Python itself can be sent to everybody.
        hosts = self._client.run(platform.node, workers=workers, on_error="return")
        tried = self._client.run(exec, f"import {__name__}", workers=workers, on_error="return")
        for worker, error in tried.items():
            if isinstance(error, ImportError):
                self._leave_out(Refused(worker, hosts[worker], f"cannot import eleengine: {error}"))
            if not isinstance(error, OSError):  # it has gone
                self._tried.add(worker)

    def _answer(self, future: Future, index: int) -> Done | Refused:
        answer = self._result(future, f"job {index}")
        if not isinstance(answer, (Done, Refused)):
            raise ClusterError(f"job {index}: a worker sent no result but {str(answer)[:40]}")
        return answer

    def _result(self, future: Future, name: str) -> object:
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        try:
            return future.result()
        except KilledWorker as error:
            raise ClusterError(f"{name}: every worker that ran it has died: {error}") from None
        except (CancelledError, CommClosedError) as error:
            reason = str(error).partition("\n")[0]
            raise ClusterError(f"{name}: the scheduler is gone: {reason}") from None

    def workers(self) -> int:
        """How many there are now, or were a moment ago."""
        now = monotonic()
        counted, before = self._counted
        if now - counted < COUNT_SECONDS:
            return before
        workers = len(self._not_refused())
        self._counted = now, workers
        if workers == 0 and (before or counted == -math.inf):
            self._tell("no workers on the scheduler: waiting for them")
        elif workers and before == 0 and counted > -math.inf:
            self._tell(f"{workers} workers have come")
        return workers

    def close(self) -> None:
        """Leave the cluster; end an embedded one."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()
        if self._folder is not None:
            self._folder.cleanup()
        _client_log.setLevel(self._log_level)


def open_executor(
    address: str | None = None, workers: int = 1, *, tell: Callable[[str], object] = lambda text: None
) -> Executor:
    """A Dask cluster at the address of its scheduler (or the path of its file), or one embedded here.

    workers: processes of the embedded cluster; one is this process itself, and needs no Dask. They talk by
        TLS with a key made for the run, so no other user of the machine can connect.
    tell: says what somebody who waits should know, such as that no workers are there.
    ClusterError: no scheduler answers, or Dask is missing.
    """
    if address is None and workers == 1:
        return Executor()
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(MISSING) from None
    try:
        if address is not None:
            scheduler = _scheduler(address, tell)
            return DaskExecutor(Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False), tell=tell)
        return _local_cluster(workers, tell)
    except ImportError:  # of cryptography, which makes the key
        raise ClusterError(MISSING) from None
    except (OSError, ValueError, TypeError, OverflowError) as error:
        why = str(error) or "timed out"  # as asyncio's error of that name does not say
        raise ClusterError(f"no cluster at {address or 'this machine'}: {why}") from None


def _scheduler(address: str, tell: Callable[[str], object]) -> str:
    """The address of a scheduler that answers, given that or its file.

    A client that cannot connect would leave a thread behind that keeps this process from its end.
    """
    from distributed import Security
    from distributed.comm import connect
    from distributed.utils import LoopRunner, sync

    if os.path.exists(address):
        where = _scheduler_file(address).get("address")
        if not isinstance(where, str):
            raise ValueError("not the file of a scheduler")
        address = where

    async def greet() -> None:
        comm = await connect(address, CONNECT_SECONDS, **Security().get_connection_args("client"))
        comm.abort()

    text = f"waiting for the scheduler at {address}, at most {CONNECT_SECONDS} s"
    news = threading.Timer(COUNT_SECONDS, tell, [text])
    loop = LoopRunner(asynchronous=False)  # a notebook has one that runs already
    news.start()
    loop.start()
    try:
        sync(loop.loop, greet, callback_timeout=CONNECT_SECONDS + COUNT_SECONDS)
    except MemoryError:  # for a message as long as the first bytes say
        raise ValueError("what answers there is no scheduler") from None
    finally:
        loop.stop()
        news.cancel()
    return address


def _scheduler_file(path: str) -> dict[str, Any]:
    """What a scheduler wrote there; one that is just starting may not have written all of it."""
    until = monotonic() + FILE_SECONDS
    while True:
        try:
            return read_object(read_file(path))
        except ValueError:
            if monotonic() > until:
                raise
        sleep(FILE_SECONDS / 20)


def _local_cluster(workers: int, tell: Callable[[str], object]) -> DaskExecutor:
    """Workers of this machine that no other user of it can reach, or give code to."""
    import dask
    from distributed import Client, LocalCluster, Security

    # Dask puts its folder first in sys.path. It would take one in a place where others can make it.
    folder = TemporaryDirectory(prefix="eleengine-", ignore_cleanup_errors=True)  # of mode 0700
    private = {
        "temporary-directory": folder.name,
        "distributed.scheduler.http.routes": [],  # its HTTP port answers everybody, without TLS
        "distributed.worker.http.routes": [],
    }
    try:
        with dask.config.set(private):
            # Who can connect to a scheduler can run code as its user, and other users reach loopback, too.
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # two runs at once need two ports
                local_directory=folder.name,
                security=Security.temporary(),
            )
        return DaskExecutor(Client(cluster, set_as_default=False), cluster, tell, folder)
    except BaseException:
        folder.cleanup()
        raise


def in_order(results: Iterable[tuple[int, R]]) -> Generator[R]:
    """The results of `Executor.run` in the order of the jobs.

    >>> list(in_order([(1, "b"), (0, "a"), (2, "c")]))
    ['a', 'b', 'c']
    """
    early: dict[int, R] = {}
    wanted = 0
    for index, result in results:
        early[index] = result
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


def work(function: Callable[[J], R], job: J, wanted: Identity) -> Done | Refused:
    """Do a job on a worker whose build plays and judges as that of the one who gave it."""
    address = _worker_address()

    def do() -> Done:
        if other := differences(build_identity(), wanted):
            raise WorkerError(f"another build of eleengine: other {other}")
        return Done(function(job), address, platform.node())

    with _worker_lock, ThreadPoolExecutor(1) as pool:
        with deep_stacks():
            done = pool.submit(do)  # which starts the thread
        try:
            return done.result()
        except WorkerError as error:
            return Refused(address, platform.node(), str(error))


def _worker_address() -> str:
    """The address of the Dask worker that runs this; nothing elsewhere."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):
        return ""
