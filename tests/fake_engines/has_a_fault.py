"""An engine that does everything right but what the second word says, in the protocol that the third word says."""

import sys
import time

from talk import say

from ludus.games.draughts import START, Position
from ludus.protocols import hub

fault, protocol = sys.argv[2:4]
is_hub = protocol == "hub"
position, searching = START, False


def answer(text: str, *, again: bool = False) -> None:
    move = "1-32" if fault == "illegal" and position.turn.name == "WHITE" else text
    if fault == "slow":
        time.sleep(0.4)
    if fault == "strange":
        say("la la la")
    if is_hub:
        say(f"info depth={'deep' if fault == 'numbers' else 3} pv={'1-32' if fault == 'pv' else text}")
    tail = " value=7" if fault == "value" else " value=0.5"
    if fault == "wordless":
        move = ""
    say((f"done move={move}" if move else "done") if is_hub else f"bestmove {move}{tail if move else ''}".strip())
    if fault == "twice" and not again:
        answer(text, again=True)


for text in sys.stdin:
    word, _, rest = text.strip().partition(" ")
    if word == "quit":
        if fault == "stays":
            time.sleep(60)
        if fault == "deaf":
            continue
        break
    if word == "new" and fault == "chatters":
        say("info a new game")
    if word == "fen":
        position = Position(rest)
    elif word == "moves":
        for move in rest.split():
            position = position.play(move)
    elif word == "go":
        if fault == "mute" or ("depth" in rest and fault == "depth"):
            continue
        if "analyze" in rest:
            searching = True
        else:
            answer(hub.write_move(position.moves()[0]) if is_hub else str(position.moves()[0]))
    elif word == "stop" and searching and fault != "unstoppable":
        answer(hub.write_move(position.moves()[0]))
    elif is_hub and word == "hub":
        if fault != "nameless":
            say('id name="A fake" version=1')
        say("wait")
    elif is_hub and word == "init":
        say("ready")
    elif is_hub and word == "ping" and fault != "pingless":
        say("pong")
    elif is_hub and word == "pos":
        line = hub.read(text)
        position = hub.read_position(line.arguments["pos"])
        for move in hub.read_moves(position, line.arguments.get("moves", "")):
            position = position.play(move)
    elif word.startswith("a-command") and fault == "crashes":
        sys.exit(4)
else:
    if fault == "lingers":
        time.sleep(60)
