"""The kinds of tests that tests/torture.py runs, and the jobs that they disturb."""
