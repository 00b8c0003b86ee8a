"""Hangs up, and lives on."""

import os

from talk import speak_hub


def go(position, number):
    os.close(1)


speak_hub(go)
