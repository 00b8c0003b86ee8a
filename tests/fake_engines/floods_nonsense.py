"""Writes as fast as it can, and nothing that anybody understands."""

from talk import say, speak_hub


def go(position, number):
    while True:
        say("la la la\n" * 1000)


speak_hub(go)
