"""Set up before the tests: which run, in how many processes, how hypothesis works, and that Ctrl-C does."""

import asyncio
import inspect
import os
import re
import signal
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, Phase, settings

pytest.register_assert_rewrite("support", "webboard_desk", "webboard_support")

# Times differ between machines and builds (sanitizers). Examples are the same ones in each run, so that a
# change fails by what it does; the profile deep looks for new ones.
settings.register_profile(
    "eleengine",
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "deep", settings.get_profile("eleengine"), max_examples=1000, derandomize=False, database=None
)
settings.register_profile("few", settings.get_profile("eleengine"), max_examples=10)  # with sanitizers
settings.register_profile(  # that something fails is enough: for mutants
    "unshrunk", settings.get_profile("eleengine"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("eleengine")

os.environ["ELEENGINE_TABLES"] = os.devnull  # not those of whoever runs the tests

# A run in the background ignores SIGINT, and so would the programs that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    with suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)


QUICK = "not slow and not system"
STARTERS = {
    "cluster",
    "desk",
    "live",
    "players",
}  # fixtures that start a program: their tests are marked system


def selection(config):
    """The marks of the tests to run. Without -m: of files that are named all but the slow ones."""
    named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    return config.option.markexpr or ("not slow" if named else QUICK)


def pytest_configure(config):
    config.option.markexpr = selection(config)


def pytest_ignore_collect(collection_path, config):
    """A quick run does not read files without a quick test, which would be half of its start."""
    if selection(config) == QUICK and collection_path.suffix == ".py":
        text = collection_path.read_text(encoding="utf-8")
        return bool(re.search(r"^pytestmark = (?:\[\s*)?pytest\.mark\.(?:slow|system)\b", text, re.M)) or None
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if STARTERS.intersection(item.fixturenames):
            item.add_marker("system")
        if settings.default.max_examples > 500:  # the profile deep takes its time
            item.add_marker(pytest.mark.timeout(0))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test that is a coroutine runs in a loop of its own, two minutes at most."""
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
        asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), 120))
        return True
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """As many as there are cores, at most 8; one more where many tests wait for clocks and other programs.

    More are of no use: some tests have many threads of their own.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(8, cores + (selection(config) != QUICK))


@pytest.fixture
def done(capsys):
    """Runs a command in this process; what it wrote."""
    from eleengine.__main__ import main

    def run(*args, status=0):
        found = main([str(arg) for arg in args])
        written = capsys.readouterr()
        assert found == status, written.err
        return written

    return run


# The conversations of the tests of UCCI; other files have an engine of their own.


def _conversation(*dialect):
    from ucci_client import Engine

    engine = Engine(*dialect)
    yield engine
    engine.quit()


@pytest.fixture
def engine():
    yield from _conversation()


@pytest.fixture
def uci():
    yield from _conversation("uci")
