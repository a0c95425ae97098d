"""Settings for all tests."""

import os
import signal

from hypothesis import settings

# No deadline: a run under the sanitizers, or on a busy machine, is many times slower.
settings.register_profile("local", deadline=None)
# Continuous integration tries the same examples every time.
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "local"))

# A shell that runs tests in the background has them ignore Ctrl-C, and what they start too.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
