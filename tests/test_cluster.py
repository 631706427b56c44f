"""Jobs in this process and on a real Dask cluster of this machine: order, failures, killed workers."""

import asyncio
import contextlib
import json
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import cluster_jobs
import pytest
from support import ENVIRONMENT, Wrapped, raises, wait_until

from eleengine import STARTING_FEN, Limit
from eleengine._core import Context, search_parameters, shipped_weights
from eleengine.jobs import identity
from eleengine.jobs.executor import ALL_BUSY, ClusterError, DaskExecutor, Executor, open_executor, work
from eleengine.jobs.identity import build_identity, differences, engine_identity, program_identity
from eleengine.jobs.journal import Chain
from eleengine.jobs.series import JobSeries, SeriesJournal
from eleengine.lab.data.datagen import DatagenPlan, generate
from eleengine.lab.match.adjudication import Adjudication
from eleengine.lab.match.journal import MatchJournal
from eleengine.lab.match.plan import MatchPlan
from eleengine.lab.match.play import MAX_PAIRS, play_match, usual_seconds
from eleengine.lab.match.spec import EngineSpec, ProgramSpec, parse_clock
from eleengine.lab.tune.games import MatchSettings, play, random_openings

pytestmark = pytest.mark.system

TESTS = Path(__file__).resolve().parent


class Cluster:
    """A scheduler and workers as programs, as a user starts them."""

    def __init__(self, folder, workers):
        pytest.importorskip("distributed")
        paths = os.pathsep.join([ENVIRONMENT["PYTHONPATH"], str(TESTS)])
        self.env = {**ENVIRONMENT, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"}
        self.file = folder / "scheduler.json"
        self.processes = []
        self.start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
        self.workers = [self.start_worker() for _ in range(workers)]

    def start(self, *words, cwd=None):
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env=self.env, cwd=cwd, **silent)
        self.processes.append(process)
        return process

    def start_worker(self, cwd=None):
        words = ["--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        return self.start("worker", *words, cwd=cwd)

    def wait_for(self, executor, workers):
        wait_until(lambda: executor.workers() == workers)

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()


@contextlib.contextmanager
def running(folder, workers):
    cluster = Cluster(folder, workers)
    try:
        wait_until(cluster.file.exists)
        yield cluster
    finally:
        cluster.close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with running(tmp_path_factory.mktemp("cluster"), 2) as cluster:
        yield cluster


@pytest.fixture
def executor(cluster):
    with open_executor(str(cluster.file)) as executor:
        cluster.wait_for(executor, 2)
        yield executor


def attempts(folder, x):
    path = folder / f"job-{x}"
    return [int(pid) for pid in path.read_text().split()] if path.exists() else []


def test_jobs_run_here_one_after_the_other():
    with open_executor() as here:
        assert list(here.run(cluster_jobs.square, iter([3, 4]))) == [(0, 9), (1, 16)]
        raises(ValueError, "no result for 3", list, here.run(cluster_jobs.fail, [3]))


def test_every_job_is_done_once_and_results_come_in_order_and_errors_arrive(executor):
    assert sorted(executor.run(cluster_jobs.square, range(50))) == [(i, i * i) for i in range(50)]
    assert JobSeries(executor).results(cluster_jobs.square, list(range(20))) == [i * i for i in range(20)]
    raises(ValueError, "no result for 7", list, executor.run(cluster_jobs.fail, [7]))
    assert list(executor.run(cluster_jobs.square, [5])) == [(0, 25)]


def test_jobs_are_taken_as_there_is_room(executor):
    taken = []

    def jobs():
        for i in range(1000):
            taken.append(i)
            yield i

    results = executor.run(cluster_jobs.square, jobs())
    next(results)
    results.close()
    assert len(taken) <= 4


def test_a_job_is_checked_on_another_worker(cluster):
    """The first of a hundred, if jobs repeat; two that do not agree are named."""
    news = []
    with open_executor(str(cluster.file), tell=news.append) as executor:
        cluster.wait_for(executor, 2)
        news.clear()
        squares = sorted(executor.run(cluster_jobs.square, range(150), repeats=True))
        assert squares == [(i, i * i) for i in range(150)]
        assert len(list(executor.run(cluster_jobs.process, [0]))) == 1
        assert news == []
        assert len(list(executor.run(cluster_jobs.process, [0], repeats=True))) == 1
    [told] = news
    place = r"tcp://\S+ on \S+"
    assert re.fullmatch(rf"job 0: different results of the workers {place} and {place}: .*", told)
    first, second = re.findall(r"tcp://\S+", told)
    assert first != second


def test_games_are_checked_that_repeat():
    players = (EngineSpec("a", hash_mib=1), EngineSpec("b", hash_mib=1))
    for limit, wanted in ((Limit(nodes=20), True), (Limit(time=0.001), False)):
        seen = []

        class Watched(Executor):
            def run(self, function, jobs, *, repeats, seen=seen):
                seen.append(repeats)
                return super().run(function, jobs)

        play_match(MatchPlan(players, limit=limit, adjudication=SHORT), executor=Watched())
        assert seen == [wanted]


def test_games_are_the_same_here_and_there(executor):
    settings = MatchSettings(nodes=150, max_plies=120)
    openings = random_openings(3, seed=5)
    changed = {"lmr_base": 1500, "mg.material[5]": 700}
    jobs = [settings.job(changed, {}, [opening]) for opening in openings]
    here = [play(job) for job in jobs]
    assert JobSeries(executor).results(play, jobs) == here
    assert here != [play(settings.job({}, {}, [opening])) for opening in openings]


def test_a_match_is_the_same_here_and_there(executor):
    players = (EngineSpec("strong", hash_mib=1), EngineSpec("weak", hash_mib=1, limit=Limit(nodes=20)))
    match = MatchPlan(players, tuple(random_openings(3, seed=6)), Limit(nodes=150), pairs=3)
    here, there = play_match(match), play_match(match, executor=executor)
    assert here.records == there.records
    assert here.counts == there.counts != {(0, 1): [0] * 5}


def test_jobs_of_a_match_are_small_and_grow_with_the_speed_of_the_games():
    """Whatever the size of the book: each job says what its games need."""
    book = tuple(f"{STARTING_FEN.split()[0]} w - - {n % 100} 1" for n in range(5000))
    players = (EngineSpec("a", hash_mib=1), EngineSpec("b", hash_mib=1))
    match = MatchPlan(players, book, Limit(depth=1), pairs=300, adjudication=Adjudication(max_plies=4))
    sizes, games = [], []

    class Watched(Executor):
        def run(self, function, jobs, **options):
            def seen():
                for job in jobs:
                    sizes.append(len(pickle.dumps(job)))
                    games.append(len(job.games))
                    yield job

            return super().run(function, seen(), **options)

    there = play_match(match, executor=Watched())
    assert there.records == play_match(match).records
    assert games[0] == 2 < max(games) <= 2 * MAX_PAIRS
    assert max(size / n for size, n in zip(sizes, games, strict=True)) < 3000


def test_the_length_of_games_is_guessed_from_the_limit():
    plan = MatchPlan((EngineSpec("a"), EngineSpec("b")), limit=Limit(nodes=20_000), pairs=2400)
    assert usual_seconds(plan) == pytest.approx(2)
    assert usual_seconds(replace(plan, limit=Limit(time=0.1))) == pytest.approx(10)
    assert usual_seconds(replace(plan, limit=parse_clock("8+0.08"))) == pytest.approx(24)
    assert usual_seconds(replace(plan, limit=parse_clock("40/60"))) == pytest.approx(150)
    assert usual_seconds(replace(plan, limit=Limit(depth=5))) is None
    odds = (EngineSpec("a", limit=Limit(time=0.3)), EngineSpec("b"))
    assert usual_seconds(replace(plan, players=odds)) == pytest.approx(16)

    class First(Executor):
        """A hundred workers, whose first jobs are all that is wanted."""

        def workers(self):
            return 100

        def run(self, function, jobs, **options):
            given.extend(len(job.games) for job in islice(jobs, 350))
            yield from ()

    given = []
    play_match(plan, executor=First())
    assert given[0] == 24  # a minute's work would leave some workers without any
    assert given[-1] == 6  # a quarter of a minute
    assert sorted(given, reverse=True) == given


def test_no_result_waits_for_an_earlier_one_in_great_numbers(executor, tmp_path):
    """The first job holds up the others once so many are ahead."""
    jobs = [(str(tmp_path), x, x == 0) for x in range(200)]
    threading.Timer(2.0, (tmp_path / "go").touch).start()
    found = [x for x, _ in executor.run(cluster_jobs.leave_mark, jobs, ahead=1)]
    assert sorted(found) == list(range(200))
    assert max(found[: found.index(0)]) < 2 * ALL_BUSY


@pytest.mark.slow
def test_a_scheduler_without_workers_is_told(tmp_path):
    said = []
    with (
        running(tmp_path, 0) as lonely,
        open_executor(str(lonely.file), tell=said.append) as executor,
    ):
        results = executor.run(cluster_jobs.square, range(3))
        threading.Timer(1.5, lonely.start_worker).start()
        assert sorted(results) == [(0, 0), (1, 1), (2, 4)]
    assert said[0] == "no workers on the scheduler: waiting for them"


def test_a_worker_without_the_package_is_left_out(tmp_path):
    """It would not understand what it is sent, and Dask would send it again without end."""
    (tmp_path / "eleengine").mkdir()
    (tmp_path / "eleengine" / "__init__.py").write_text("import eleengine._core")
    news = []
    with running(tmp_path, 0) as cluster:
        cluster.start_worker(cwd=tmp_path)
        with open_executor(str(cluster.file), tell=news.append) as executor:
            with pytest.raises(ClusterError, match=r"no worker can do the jobs: .*cannot import eleengine"):
                list(executor.run(cluster_jobs.square, range(3)))
            cluster.start_worker()
            cluster.wait_for(executor, 1)
            assert sorted(executor.run(cluster_jobs.square, range(3))) == [(0, 0), (1, 1), (2, 4)]
    [line] = [line for line in news if "left out" in line]
    assert "cannot import eleengine: No module named 'eleengine._core'" in line


@pytest.mark.slow
def test_an_adaptive_cluster_starts_a_worker():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=None) as cluster:
        cluster.adapt(minimum=0, maximum=1)
        with DaskExecutor(distributed.Client(cluster, set_as_default=False)) as executor:
            assert sorted(executor.run(abs, [3, -4])) == [(0, 3), (1, 4)]


@pytest.mark.slow
def test_a_scheduler_that_ends_is_named_in_one_line(tmp_path):
    words = ["match", "-e", "name=a", "-e", "name=b", "--depth", "4", "--pairs", "1000"]
    journal = tmp_path / "journal"
    with running(tmp_path, 1) as own:
        run = subprocess.Popen(
            [sys.executable, "-m", "eleengine", *words, "--journal", journal, "--cluster", own.file],
            env=own.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 1)
        own.processes[0].kill()
        lines = run.communicate()[1].splitlines()
        [line] = [line for line in lines if "workers" not in line]
        assert run.returncode == 2 and "the scheduler is gone: " in line, lines


def test_files_of_games_are_the_same_from_here_and_there(executor, tmp_path, monkeypatch):
    monkeypatch.setattr("eleengine.lab.data.datagen.CHUNK", 2)
    plan = DatagenPlan(seed=7, limits={"nodes": 60, "max_plies": 40})
    here, there = tmp_path / "here.games", tmp_path / "there.games"
    for games in (3, 7):  # the second time both go on
        assert generate(str(here), plan, games) == generate(str(there), plan, games, executor=executor)
        assert here.read_bytes() == there.read_bytes()


def test_a_killed_worker_loses_only_its_running_job(cluster, executor, tmp_path):
    jobs = [(str(tmp_path), x, x in (0, 1)) for x in range(12)]
    found = []
    running = executor.run(cluster_jobs.leave_mark, jobs)
    try:
        # Jobs 0 and 1 occupy both workers until told to go on; one of them dies over its job.
        process = cluster.workers[0]
        killed = []

        def kill():
            wait_until(lambda: attempts(tmp_path, 0) and attempts(tmp_path, 1))
            os.kill(process.pid, signal.SIGKILL)
            killed.append(process.pid)
            wait_until(lambda: executor.workers() == 1)
            cluster.workers[0] = cluster.start_worker()
            (tmp_path / "go").touch()

        killer = threading.Thread(target=kill)
        killer.start()
        found = list(running)
        killer.join()
    finally:
        running.close()
    assert sorted(found) == [(x, x * x) for x in range(12)]
    [victim] = killed
    for x in range(12):
        done = attempts(tmp_path, x)
        assert len(done) == (2 if done[0] == victim else 1), (x, done, victim)
    assert sum(len(attempts(tmp_path, x)) for x in range(12)) == 13
    cluster.wait_for(executor, 2)


@pytest.mark.parametrize(
    "address", ["nonsense://somewhere:1", "host", "folder/", "tls://127.0.0.1:1", __file__]
)
def test_a_scheduler_that_is_not_there_is_named(address, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", None)  # its finalizer would not return
    raises(ClusterError, f"^no cluster at {address}: ", open_executor, address)


def test_a_program_that_is_no_scheduler_is_named(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("eleengine.jobs.executor.CONNECT_SECONDS", 2)
    news = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        raises(ClusterError, f"no cluster at {address}: timed out", open_executor, address, tell=news.append)
        assert news == [f"waiting for the scheduler at {address}, at most 2 s"]

        def greet(kept=[]):  # noqa: B006 - connections that stay open
            with contextlib.suppress(OSError):
                while True:
                    kept.append(silent.accept()[0])
                    kept[-1].sendall(b"SSH-2.0-OpenSSH_9.2\r\n" * 9)

        threading.Thread(target=greet, daemon=True).start()
        raises(ClusterError, f"no cluster at {address}: what answers there", open_executor, address)


def test_the_file_of_a_scheduler_that_is_just_starting_is_waited_for(cluster, tmp_path):
    file = tmp_path / "scheduler.json"
    file.touch()
    writer = threading.Timer(0.2, file.write_bytes, [cluster.file.read_bytes()])
    writer.start()
    open_executor(str(file)).close()


@pytest.mark.parametrize("part", ["version", "weights", "constants", "signature", "sources"])
def test_a_worker_of_another_build_is_refused(executor, monkeypatch, part):
    other = {**build_identity(), part: "another"}
    monkeypatch.setattr("eleengine.jobs.executor.build_identity", lambda: other)
    message = rf"no worker can do the jobs: the worker tcp://\S+:\d+ on .* of eleengine: other {part}$"
    raises(ClusterError, message, list, executor.run(cluster_jobs.square, [1]))


def test_every_number_of_the_engine_is_part_of_its_identity(monkeypatch):
    monkeypatch.setattr(identity, "SIGNATURE_DEPTH", 1)  # there is one for each number
    monkeypatch.setattr(identity, "_SIGNATURES", {})
    first = engine_identity()
    for name, (value, least, most) in search_parameters().items():
        changed = Context(parameters={name: value + 1 if value < most else least})
        assert "constants" in differences(first, engine_identity(changed))
    weights = bytearray(shipped_weights())
    weights[40] ^= 1
    assert "weights" in differences(first, engine_identity(Context(weights=bytes(weights))))
    assert engine_identity() == first
    assert "network" in differences(first, engine_identity(Context(network=None)))


def test_a_program_is_known_by_its_files(tmp_path):
    engine = tmp_path / "engine.py"
    engine.write_text("one")
    first = program_identity([sys.executable, str(engine)])
    assert program_identity([sys.executable, "engine.py"], cwd=str(tmp_path)) == first
    engine.write_text("two")
    assert differences(first, program_identity([sys.executable, str(engine)])) == "program"


@pytest.mark.skipif(sys.platform == "win32", reason="paths of programs are meant from our folder there")
def test_programs_and_files_are_looked_up_in_the_folder_of_the_program(tmp_path):
    for name in ("engine", "book"):
        (tmp_path / name).write_text("one")
    (tmp_path / "engine").chmod(0o755)

    def found():
        program = program_identity(["./engine"], cwd=str(tmp_path))
        return {**program, **identity.files_identity({"BookFile": "book"}, cwd=str(tmp_path))}

    first = found()
    for name, part in (("engine", "program"), ("book", "files")):
        (tmp_path / name).write_text("two")
        assert differences(first, found()) == part
        (tmp_path / name).write_text("one")


@pytest.mark.parametrize("path", ["engines/external/driver.py", "book/own.py", "lab/jobs.py", "rules.py"])
def test_a_build_is_known_by_all_sources_that_play(monkeypatch, tmp_path, path):
    package = tmp_path / "eleengine"
    source = package / path
    source.parent.mkdir(parents=True)
    monkeypatch.setattr(identity, "_PACKAGE", package)
    found = set()
    for text in ("one", "two"):
        source.write_text(text)
        found.add(identity._sources.__wrapped__())
    assert len(found) == 2


def test_a_program_is_known_by_its_package_in_the_python_path(tmp_path):
    package = tmp_path / "candidate" / "engine"
    package.mkdir(parents=True)
    (package / "network").write_text("one")
    where = {"cwd": str(tmp_path), "env": {"PYTHONPATH": "candidate"}}
    first = program_identity([sys.executable, "-m", "engine"], **where)
    assert program_identity([sys.executable, "-m", "engine"], **where) == first
    (package / "network").write_text("two")
    assert differences(first, program_identity([sys.executable, "-m", "engine"], **where)) == "program"


def test_threads_of_one_worker_do_their_jobs_one_after_the_other():
    """Each job has numbers of its own, which are those of the process while it runs."""
    settings = MatchSettings(nodes=60, max_plies=20)
    [opening] = random_openings(1, seed=5)
    jobs = [settings.job({}, {"lmr_base": n}, [opening]) for n in range(12)]
    wanted = build_identity()
    identity._SIGNATURES.clear()
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda job: work(play, job, wanted), jobs))
    assert [done.result for done in found] == [play(job) for job in jobs]


def test_a_worker_that_sends_nothing_is_an_error():
    cluster = object.__new__(DaskExecutor)
    future = SimpleNamespace(result=lambda: None)
    raises(ClusterError, "job 3: a worker sent no result but None", cluster._answer, future, 3)


SLOW = pytest.mark.slow  # each starts a cluster of its own


@pytest.mark.parametrize(
    "exchange", [pytest.param("program", marks=SLOW), "build", pytest.param("network", marks=SLOW)]
)
def test_a_worker_with_another_engine_under_the_same_command_is_left_out(tmp_path, exchange):
    """The engine is what its folder says, and each worker is in a folder of its own."""
    folders = [tmp_path / name for name in ("here", "good", "other")]
    for folder in folders:
        folder.mkdir()
        (folder / "engine.py").write_text((TESTS / "built_engine.py").read_text())
        (folder / "build.json").write_text("{}")
    EXCHANGES[exchange](folders[2])
    command = (sys.executable, "engine.py")
    built = ProgramSpec("built", command=command, protocol="uci", cwd=".", env=ENVIRONMENT)
    plan = MatchPlan((EngineSpec("a"), built), limit=Limit(nodes=100), pairs=8, adjudication=SHORT)
    news = []
    with running(tmp_path, 0) as cluster:
        for folder in folders[1:]:
            cluster.start_worker(cwd=folder)
        with contextlib.chdir(folders[0]), open_executor(str(cluster.file), tell=news.append) as executor:
            cluster.wait_for(executor, 2)
            found = play_match(plan, executor=executor)
            assert found.games() == play_match(plan).games()
    [line] = [line for line in news if "left out" in line]
    assert "built is another engine there: other " in line, line


@pytest.mark.parametrize("exchange", ["program", "build", "network"])
def test_a_match_does_not_go_on_with_another_engine_under_the_same_command(tmp_path, exchange):
    (tmp_path / "engine.py").write_text((TESTS / "built_engine.py").read_text())
    (tmp_path / "build.json").write_text("{}")
    command = (sys.executable, "-c", "exec(open('engine.py').read())")  # names no file
    built = ProgramSpec("built", command=command, protocol="uci", cwd=str(tmp_path), env=ENVIRONMENT)
    plan = MatchPlan((EngineSpec("a"), built), limit=Limit(nodes=100))
    for _ in range(2):
        MatchJournal(tmp_path / "journal", plan).close()
    EXCHANGES[exchange](tmp_path)
    raises(ValueError, "with other engines: built had another", MatchJournal, tmp_path / "journal", plan)


EXCHANGES = {
    "program": lambda folder: (folder / "engine.py").write_text(
        "import sys; sys.argv[1:] = ['good']\n" + (TESTS / "bad_engine.py").read_text()
    ),
    "build": lambda folder: (folder / "build.json").write_text('{"parameters": {"lmr_base": 300}}'),
    "network": lambda folder: (folder / "build.json").write_text('{"network": "classical"}'),
}
SHORT = Adjudication(max_plies=20)
MATCH = MatchPlan((EngineSpec("a"), EngineSpec("b")), limit=Limit(nodes=50), adjudication=SHORT)


def test_without_dask_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    raises(ClusterError, r'pip install "eleengine\[cluster\]"', open_executor, workers=2)


def test_nobody_else_can_connect_to_the_embedded_cluster():
    """Who connects to a scheduler, a worker or its nanny can run code as its user."""
    distributed = pytest.importorskip("distributed")
    from distributed.comm import connect

    async def attempt(address, security):
        args = security.get_connection_args("client") if security else {}
        await connect(address, timeout=1, **args)

    with open_executor(workers=2) as executor:
        info = executor._client.scheduler_info()
        addresses = [info["address"]]
        address, worker = next(iter(info["workers"].items()))
        addresses += [address, worker["nanny"]]
        other = distributed.Security.temporary()
        for address in addresses:
            place = address.partition("://")[2]
            for protocol, security in (("tls", other), ("tcp", None)):
                with pytest.raises(OSError):
                    asyncio.run(attempt(f"{protocol}://{place}", security))
        assert list(executor.run(cluster_jobs.square, [3])) == [(0, 9)]
        # Nor can anybody put a module where a worker would import it, or ask over HTTP.
        folders = "[path for path in __import__('sys').path if 'dask' in path]"
        found = executor._client.run(eval, folders)
        own = executor._folder.name
        assert os.stat(own).st_mode & 0o77 == 0
        assert all(paths and all(path.startswith(own) for path in paths) for paths in found.values())
        port = executor._cluster.scheduler.http_server.port
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/json/identity.json", timeout=10)
    assert not os.path.exists(own)


@pytest.mark.slow
@pytest.mark.timeout(1200)  # four workers start after each other, which takes a busy machine minutes
def test_a_job_that_kills_its_workers_is_given_up_and_the_embedded_cluster_lives_on():
    pytest.importorskip("distributed")
    with open_executor(workers=2) as executor:
        with pytest.raises(ClusterError, match="job 0: every worker that ran it has died"):
            list(executor.run(cluster_jobs.die, [0]))
        assert sorted(executor.run(cluster_jobs.square, range(5))) == [(i, i * i) for i in range(5)]


# Journals


def counted(x):
    counted.calls += 1
    return x * x


def run_twice(journal, jobs):
    with journal:
        run = JobSeries(journal=journal)
        return [run.results(counted, part) for part in jobs], run


def test_a_run_goes_on_where_it_ended(tmp_path):
    path = tmp_path / "journal"
    counted.calls = 0
    first, _ = run_twice(SeriesJournal(path, {"n": 1}), [[1, 2], [3]])
    with open(path, "ab") as file:
        file.write(b"[3, 1")  # cut off by the end of the process
    second, run = run_twice(SeriesJournal(path, {"n": 1}), [[1, 2], [3, 4], [5]])
    assert (first, second) == ([[1, 4], [9]], [[1, 4], [9, 16], [25]])
    assert (counted.calls, run.jobs, run.known) == (5, 5, 3)
    plan, *lines = (json.loads(line) for line in path.read_text().splitlines())
    assert plan["n"] == 1
    assert [(line["job"], line["result"]) for line in lines] == [(0, 1), (1, 4), (2, 9), (3, 16), (4, 25)]


@pytest.mark.parametrize("step", ["sealed", "truncate", "write", "flush", "fsync"])
def test_ctrl_c_while_a_line_is_written_loses_and_doubles_nothing(tmp_path, monkeypatch, step):
    """What is caught outside may write more, and closes the journal."""
    path = tmp_path / "journal"
    for more in (False, True):
        path.unlink(missing_ok=True)
        with SeriesJournal(path, {"n": 1}) as journal:
            journal.append(0, 10)
            with monkeypatch.context() as patch:
                place = {"sealed": Chain, "fsync": os}.get(step)
                if place is None:
                    place = Wrapped(journal._file)
                    patch.setattr(journal, "_file", place)
                real = getattr(place, step)

                def interrupted(*args, real=real):
                    real(*args)
                    raise KeyboardInterrupt

                patch.setattr(place, step, interrupted, raising=False)
                raises(KeyboardInterrupt, "", journal.append, 1, 11)
            if more:
                journal.append(2, 12)
        with SeriesJournal(path, {"n": 1}) as journal:
            assert journal.results == ({0: 10, 1: 11, 2: 12} if more else {0: 10, 1: 11})


def sealed(*lines):
    chain = Chain()
    return b"".join(map(chain.sealed, lines))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"n": 2, "m": 1}\n', r"journal:1: the journal is of a run with other n, m"),
        (sealed({"n": 1}, {"job": 0, "result": 1}, {"a": 1}), r"journal:3: not a line of a journal"),
        (
            sealed({"n": 1}, {"job": 0, "result": 1}, {"job": 0, "result": 1}),
            r"journal:3: job 0 is there twice",
        ),
        (b"[1, 2]\n", r"journal:1: not a line of a journal"),
        (b"something else", r"journal: not a journal of a run"),
    ],
)
def test_a_wrong_journal_is_refused_and_left_alone(tmp_path, content, message):
    path = tmp_path / "journal"
    path.write_bytes(content)
    raises(ValueError, message, SeriesJournal, path, {"n": 1})
    assert path.read_bytes() == content
