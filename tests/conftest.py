"""Settings for all tests."""

import os

from hypothesis import settings

# No deadline: a run under the sanitizers, or on a busy machine, is many times slower.
settings.register_profile("local", deadline=None)
# Continuous integration tries the same examples every time.
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "local"))
