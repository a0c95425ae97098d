"""Hostile calls: values, what each argument may be, and processes that survive the calls.

Nothing here is a test; `tests/unit/test_hostile.py` says what has to come out.
"""
