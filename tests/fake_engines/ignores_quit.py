"""Plays, but ignores quit, signals and the end of its input; so does its child."""

import os
import signal
import time

from talk import first_move, say, speak_hub

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.fork():
    speak_hub(lambda position, number: say(f"done move={first_move(position)}"), heeds_quit=False)
while True:
    time.sleep(60)
