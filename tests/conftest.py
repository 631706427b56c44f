"""Set up before the tests: how hypothesis works, that Ctrl-C does, and in how many processes they run."""

import os
import signal
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, Phase, settings

# Times differ between machines and builds (sanitizers); examples are kept out of the checkout.
settings.register_profile(
    "eleengine", max_examples=50, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", settings.get_profile("eleengine"), max_examples=1000)
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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One more than there are cores, since many tests wait for clocks and other programs; at most 8.

    More are of no use: some tests have many threads of their own.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(8, cores + 1)
