"""Jumps over the whole board."""

from talk import say, speak_hub


def go(position, number):
    say('error message="I do not know this game"')
    say("done move=1-32")


speak_hub(go)
