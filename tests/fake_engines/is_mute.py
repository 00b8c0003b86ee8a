"""Does not even say hello."""

import sys

import talk

for _line in sys.stdin:
    assert talk.lock
