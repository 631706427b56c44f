"""Set up before the tests: how hypothesis works."""

from hypothesis import HealthCheck, settings

# Times differ between machines and builds (sanitizers); examples are kept out of the checkout.
settings.register_profile(
    "eleengine", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("eleengine")
