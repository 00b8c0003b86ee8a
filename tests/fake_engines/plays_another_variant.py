"""A Hub engine for the large board."""

import sys

from talk import say

for line in sys.stdin:
    if line.strip() == "hub":
        say('param name=variant value=normal type=enum values="normal frisian"')
        say("wait")
