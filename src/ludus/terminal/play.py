"""A game between a person and a player, in plain text: on a terminal or through a pipe."""

import datetime
from collections.abc import Callable
from pathlib import Path

from ludus.endgames import text
from ludus.games import BadPosition, Color, Game, Move, Outcome, Position, Reason
from ludus.games.record import Record
from ludus.play import levels, saving, typed
from ludus.play.analysts import NoAdvice, history_of
from ludus.players import searches
from ludus.protocols.engine import EngineFailure
from ludus.terminal import board
from ludus.terminal.sides import PlayerSide, Progress, Side

PERSON = "a person"  # in the tags of saved games

HELP = """\
Type a move as you would write it (11-15, 11 15, 22x15), or its number in the list.
  moves        the legal moves, numbered
  board        the board again
  flip         turn the board round
  hint         the move that the adviser would play
  values       what the adviser thinks of each of your moves
  analyse      the adviser's search, depth by depth
  table        what the endgame tables say, with few pieces of draughts
  undo         take back your last move and the answer to it (also: back)
  level N      let the opponent play at level 1 to 9; level alone lists them
  setup FEN    begin a game from this position
  new          begin a new game
  save FILE    add the game to a file of games, which is made if it is not there
  resign       give up
  quit         leave
"""


class TerminalGame:
    """A game of a person against a player.

    `ask` is called with a prompt and returns the line that the person typed, None at the end of the input. `tell` shows
    text to the person. `progress` shows what the opponent thinks so far, in place. `save_to` is a file to which every
    game is added when it ends or is left.
    """

    def __init__(
        self,
        game: Game,
        opponent: Side,
        start: Position,
        person: Color,
        ask: Callable[[str], str | None],
        tell: Callable[[str], None],
        *,
        seed: int,
        adviser: Callable[[], Side],
        style: board.Style | None = None,
        save_to: Path | None = None,
        tags: dict[str, str] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.game = game
        self.opponent = opponent
        self.person = person
        self.ask = ask
        self.tell = tell
        self.seed = seed
        self.style = style or board.Style(bottom=person)
        self.save_to = save_to
        self.start = start
        self.moves: list[Move] = []
        self.outcome: Outcome | None = None
        self._tags = tags or {}
        self._progress = progress
        self._find_adviser = adviser
        self._adviser: Side | None = None
        self._saved: dict[Path, Record[Position, Move]] = {}
        self._date = datetime.date.today()
        self._shown: int | None = None  # moves that had been played when the board was last drawn

    def resume(self, record: Record[Position, Move], path: Path) -> None:
        """Goes on with a game that was read from this file."""
        self.start, self.moves = record.start, list(record.moves)
        own = {str(~self.person), "Opponent", "Budget", "Level", "Endgames"}  # they may be others now
        self._tags = {name: value for name, value in record.tags.items() if name not in own} | self._tags
        self._saved[path] = record

    def play(self) -> Record[Position, Move]:
        """Plays until the game is over, the person leaves, or there is nothing more to read."""
        self.tell(f"You are {self.person}, against {self.opponent.details}.")
        if self.opponent.level is not None:
            self.tell(f"{self.opponent.level}.".capitalize())
        self.tell(f"The seed is {self.seed}. Type help for help.")
        while True:
            history = history_of(self.game, self.start, self.moves)
            position = history.position
            self.outcome = self.outcome or history.outcome()
            if self.outcome:
                self._tell_end(position, self.outcome)
                return self.record()
            if position.turn == self.person:
                if self._shown != len(self.moves):
                    self._draw()
                if not self._persons_turn(position):
                    return self.record()
            elif not self._opponents_turn(position):
                return self.record()

    def record(self) -> Record[Position, Move]:
        """The game so far."""
        sides = {self.person: PERSON, ~self.person: self.opponent.name}
        tags = {"Event": "Ludus", "Date": self._date.strftime("%Y.%m.%d")}
        tags |= {"Black": sides[Color.BLACK], "White": sides[Color.WHITE], **self._tags, "Seed": str(self.seed)}
        if self.opponent.level is not None:
            tags["Level"] = str(self.opponent.level.number)
        search = self.opponent.player.search if isinstance(self.opponent, PlayerSide) else None
        if search is not None and (tables := searches.endgame_tables(search)):
            tags["Endgames"] = f"{self.opponent.name}: {tables.pieces} pieces, {tables.digest}"
        return Record(self.start, tuple(self.moves), self.outcome, tags)

    @property
    def is_saved(self) -> bool:
        """Whether a file has the game as it stands, or there is nothing to save."""
        stands = (self.start, tuple(self.moves), self.outcome)
        return not self.moves or any((old.start, old.moves, old.outcome) == stands for old in self._saved.values())

    @property
    def saved_in(self) -> Path | None:
        """The file that it was last saved in."""
        return next(reversed(self._saved), None)

    def save(self, path: Path) -> str:
        """Adds the game to a file, or brings it up to date there. Returns what was done. Raises BadFile."""
        record = self.record()
        done = saving.save(path, self.game, record, self._saved.get(path))
        self._saved.pop(path, None)  # the file that was saved last comes last
        self._saved[path] = record
        return done

    def close(self) -> None:
        """Ends the engines that it uses."""
        self.opponent.close()
        if self._adviser is not None:
            self._adviser.close()

    def _opponents_turn(self, position: Position) -> bool:
        try:
            choice = self.opponent.choose(self.start, self.moves, self.seed, self._progress)
        except EngineFailure as failure:
            self.tell(f"The game is left here: {self.opponent.name} {failure.reason}.")
            return False
        finally:
            if self._progress is not None:
                self._progress("")
        self.tell(f"{self.opponent.name} plays {position.write(choice.move)}")
        if choice.words:
            self.tell(f"  ({choice.words})")
        self.moves.append(choice.move)
        return True

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
                case "quit" | "exit":
                    return False
                case "resign":
                    self.outcome = Outcome(~self.person, Reason.RESIGNATION)
                    return True
                case "back" | "undo":
                    if len(self.moves) < 2:
                        self.tell("There is no move of yours to take back.")
                        continue
                    del self.moves[-2:]
                    return True
                case "new" | "setup" if word.lower() == "new" or rest.strip():
                    if self._begin(rest.strip() if word.lower() == "setup" else None):
                        return True
                case command:
                    if self._command(command, rest.strip(), position):
                        continue
                    try:
                        self.moves.append(typed.move(position, line.strip()))
                        return True
                    except ValueError as error:
                        self.tell(f"{error}. Type help for help.")

    def _command(self, command: str, rest: str, position: Position) -> bool:
        """Does what changes nothing in the game; False if it is no such command."""
        match command:
            case "help" | "?":
                self.tell(HELP)
            case "moves":
                for number, move in enumerate(position.moves(), 1):
                    self.tell(f"  {number:>2}  {position.write(move)}")
            case "board":
                self._draw()
            case "flip":
                bottom = self.style.bottom if self.style.bottom is not None else Color.WHITE
                self.style = board.Style(self.style.colour, ~bottom)
                self._draw()
            case "hint" | "values" | "analyse" | "analyze":
                self._advise(command, position)
            case "table":
                for told in text.table_lines(position):
                    self.tell(f"  {told}")
            case "level":
                self._set_level(rest)
            case "setup":
                self.tell(f"Say which position: setup {self.game.start.text}")
            case "save":
                self._save(rest)
            case _:
                return False
        return True

    def _draw(self) -> None:
        self._shown = len(self.moves)
        *_, position = self.record().positions()
        self.tell("\n" + board.drawn(position, self.style, self.moves[-1] if self.moves else None))

    def _advise(self, command: str, position: Position) -> None:
        """Asks the adviser, who is made when he is first asked."""
        try:
            self._adviser = self._adviser or self._find_adviser()
            if command == "hint":
                choice = self._adviser.advise(self.start, self.moves, self.seed)
                said = f"  ({self._adviser.name}: {choice.words})" if choice.words else f"  ({self._adviser.name})"
                told = [f"  {position.write(choice.move)}{said}"]
                if verdict := text.verdict_line(position):
                    told.append(f"  {verdict}")
            elif command == "values":
                told = self._adviser.values(self.start, self.moves, self.seed)
            else:
                for line in self._adviser.analysis(self.start, self.moves, self.seed):
                    self.tell(f"  {line}")
                return
        except EngineFailure as failure:
            told = [f"The adviser cannot answer: it {failure.reason}."]
        except NoAdvice as error:
            told = [f"{error}."]
        for line in told:
            self.tell(line)

    def _set_level(self, rest: str) -> None:
        try:
            if not rest:
                for each in levels.LEVELS:
                    self.tell(f"  {each}")
            elif not (rest.isascii() and rest.isdigit() and len(rest) < 4):
                self.tell("Say which level: level 1 to level 9.")
            else:
                self.opponent.set_level(levels.find(int(rest)))
                self.tell(f"You now play against {self.opponent.name} at {self.opponent.level}.")
        except ValueError as error:
            self.tell(f"{error}.")

    def _begin(self, position: str | None) -> bool:
        """Begins another game, at a position or the game's own start; False if there is no such position."""
        try:
            start = self.game.start if position is None else self.game.position(position)
        except BadPosition as error:
            self.tell(f"{error}.")
            return False
        self.leave()
        self.start, self.moves, self.outcome = start, [], None
        self._saved, self._shown = {}, None
        self.seed += 1  # else the opponent would play the same game again
        self.tell(f"A new game: you are {self.person}, the seed is {self.seed}.")
        return True

    def leave(self) -> None:
        """Saves the game where the person asked for it, or says that it is not saved."""
        if self.is_saved:
            return
        if self.save_to is None:
            self.tell("The game was not saved.")
            return
        try:
            self.tell(self.save(self.save_to))
        except saving.BadFile as error:
            self.tell(f"The game cannot be saved: {error}.")

    def _save(self, name: str) -> None:
        if Path(name).name == "":
            self.tell(f"Say where: save game.{self.game.ending}")
            return
        try:
            self.tell(self.save(Path(name)))
        except saving.BadFile as error:
            self.tell(f"It cannot be saved in {error}." if str(error).startswith(name) else f"{error}.".capitalize())

    def _tell_end(self, position: Position, outcome: Outcome) -> None:
        if self._shown != len(self.moves):
            self._draw()
        if position.outcome() is None:  # the board does not show why
            self.tell(str(outcome))
        if outcome.winner is None:
            self.tell(f"The game is a draw; {self.opponent.name} and you share the point.")
        elif outcome.winner == self.person:
            self.tell(f"You have won against {self.opponent.details}.")
        else:
            self.tell(f"You have lost; {self.opponent.details} has won.")
