"""A game between a person and a player, in plain text: on a terminal or through a pipe."""

from collections.abc import Callable
from pathlib import Path

from ludus import games
from ludus.endgames import text
from ludus.files import write_atomically
from ludus.games import Color, History, Move, Outcome, Position, Reason
from ludus.games.record import Record
from ludus.players import ActivePlayer, searches
from ludus.terminal.analysis import value_text

HELP = """\
Type a move as you would write it, or its number in the list.
  moves        the legal moves, numbered
  hint         what the player would do in your place
  values       what the player thinks of each of your moves
  table        what the endgame tables say, with few pieces of draughts
  back         take back your last move and the answer to it
  save FILE    write the game so far
  resign       give up
  quit         leave
"""


class TerminalGame:
    """A game of a person against a player.

    `ask` is called with a prompt and returns the line that the person typed, None at the end of the input. `tell` shows
    text to the person.
    """

    def __init__(
        self,
        opponent: ActivePlayer,
        start: Position,
        person: Color,
        ask: Callable[[str], str | None],
        tell: Callable[[str], None],
        seed: int,
    ) -> None:
        self.opponent = opponent
        self.game = games.find(opponent.player.game)
        self.person = person
        self.ask = ask
        self.tell = tell
        self.seed = seed
        self.start = start
        self.moves: list[Move] = []
        self.outcome: Outcome | None = None

    def play(self) -> Record[Position, Move]:
        """Plays until the game is over, the person leaves, or there is nothing more to read."""
        self.tell(f"You are {self.person}; {self.opponent.player.name} has the other side. Type help for help.")
        while True:
            history = self._history()
            position = history.position
            self.outcome = self.outcome or history.outcome()
            if self.outcome:
                self.tell(str(position))
                if str(self.outcome) not in str(position):
                    self.tell(str(self.outcome))
                return self.record()
            if position.turn == self.person:
                self.tell(f"\n{position}")
                if not self._persons_turn(position):
                    return self.record()
            else:
                move = self.opponent.choose(history, seed=self.seed)
                self.tell(f"{self.opponent.player.name} plays {position.write(move)}")
                self.moves.append(move)

    def record(self) -> Record[Position, Move]:
        """The game so far."""
        sides = {self.person: "a person", ~self.person: self.opponent.player.name}
        tags = {"Event": "Ludus", "Black": sides[Color.BLACK], "White": sides[Color.WHITE]}
        if tables := searches.endgame_tables(self.opponent.player.search):
            tags["Endgames"] = f"{self.opponent.player.name}: {tables.pieces} pieces, {tables.digest}"
        return Record(self.start, tuple(self.moves), self.outcome, tags)

    def _history(self) -> History:
        history = self.game.history(self.start)
        for move in self.moves:
            history.play(move)
        return history

    def _persons_turn(self, position: Position) -> bool:
        """Reads lines until one of them changes the game; False when the person leaves."""
        while True:
            line = self.ask("your move> ")
            if line is None:
                self.tell("\nNothing more to read: the game is left here.")
                return False
            word, _, rest = line.strip().partition(" ")
            match word.lower():
                case "":
                    continue
                case "help" | "?":
                    self.tell(HELP)
                case "moves":
                    for number, move in enumerate(position.moves(), 1):
                        self.tell(f"  {number:>2}  {position.write(move)}")
                case "hint":
                    self.tell(f"  {position.write(self.opponent.choose(self._history(), seed=self.seed))}")
                    if verdict := text.verdict_line(position):
                        self.tell(f"  {verdict}")
                case "values":
                    self._tell_values(position)
                case "table":
                    for told in text.table_lines(position):
                        self.tell(f"  {told}")
                case "back":
                    if len(self.moves) < 2:
                        self.tell("There is no move of yours to take back.")
                        continue
                    del self.moves[-2:]
                    return True
                case "save":
                    self._save(Path(rest.strip()))
                case "resign":
                    self.outcome = Outcome(~self.person, Reason.RESIGNATION)
                    return True
                case "quit" | "exit":
                    return False
                case _:
                    try:
                        self.moves.append(self._move(position, line.strip()))
                        return True
                    except ValueError as error:
                        self.tell(f"{error}. Type help for help.")

    def _move(self, position: Position, typed: str) -> Move:
        moves = position.moves()
        if typed.isascii() and typed.isdigit() and len(typed) < 4 and 1 <= int(typed) <= len(moves):
            return moves[int(typed) - 1]
        return position.move(typed)

    def _tell_values(self, position: Position) -> None:
        found = ActivePlayer(self.opponent.player, exact=True).think(self._history(), seed=self.seed)
        if len(found.moves) < len(position.moves()):
            self.tell(f"{self.opponent.player.name} does not value moves.")
            return
        for choice in found.moves:
            self.tell(f"  {position.write(choice.move):<12} {value_text(choice)}")

    def _save(self, path: Path) -> None:
        if path.name == "":
            self.tell("Say where: save game.pdn")
            return
        try:
            write_atomically(path.expanduser(), self.game.write(self.record()).encode())
            self.tell(f"Saved in {path}.")
        except OSError as error:
            self.tell(f"It cannot be saved in {path}: {error.strerror}.")
        except (ValueError, RuntimeError) as error:  # no name for a file, or the home of an unknown user
            self.tell(f"It cannot be saved in {path}: {error}.")
