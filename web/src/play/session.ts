import { look, remember } from "../look";
import type { Draw, Drawn, Hinted, Moved, Play, Thinking } from "../messages";
import { type Asked, connection, isAborted } from "../socket";
import type { Board, Outcome, Side } from "../types";
import { keepGame, lineOf, type PlayedGame } from "./kept";
import { play as playSound } from "./sound";
import { other, resultWords } from "./words";

const TICK = 100; // milliseconds between looks at the clock
const KEEP_EVERY = 1000;

/** A game that is being played: asks the server for boards and for the opponent's moves, and keeps the game. */
export class GameSession extends EventTarget {
  board: Board | null = null;
  /** The moves that are shown; less than the game has when the person looks back. */
  shownPly: number;
  shownBoard: Board | null = null;
  thinking: { depth: number; value: string; nodes: number } | null = null;
  hint: Hinted | null = null;
  hintAsked = false;
  drawOffered = false; // by the opponent
  drawAsked = -1; // the ply at which the person offered a draw
  /** What is said to the person below the board and to screen readers. */
  said = "";
  failure = "";

  private stop = new AbortController();
  private timer = 0;
  private ticked = 0;
  private kept = 0;

  constructor(public game: PlayedGame) {
    super();
    this.shownPly = game.moves.length;
  }

  /** Shows the game and lets the opponent move if it is its turn. */
  async begin(): Promise<void> {
    this.startClock();
    await this.refresh();
  }

  /** Ends requests and the clock; the game stays kept. */
  close(): void {
    this.stop.abort();
    clearInterval(this.timer);
  }

  get outcome(): Outcome | null {
    return this.game.outcome ?? this.board?.outcome ?? null;
  }

  get personsTurn(): boolean {
    return this.board !== null && this.outcome === null && this.board.turn === this.game.person;
  }

  get isLive(): boolean {
    return this.shownPly === this.game.moves.length;
  }

  get canTakeBack(): boolean {
    return this.takeBackTo() !== null;
  }

  private changed(): void {
    this.dispatchEvent(new Event("change"));
  }

  private save(): void {
    this.game = { ...this.game };
    keepGame(this.game);
    this.kept = performance.now();
  }

  private async refresh(): Promise<void> {
    this.stop.abort();
    this.stop = new AbortController();
    const { signal } = this.stop;
    try {
      const board = await look(lineOf(this.game));
      if (signal.aborted) return;
      this.failure = "";
      this.show(board);
      if (this.outcome) this.finish();
      else if (!this.personsTurn) await this.answer(signal);
      else if (!this.said) this.say("Your move.");
    } catch (error) {
      this.fail(error);
    }
  }

  private show(board: Board): void {
    this.board = board;
    this.shownPly = this.game.moves.length;
    this.shownBoard = board;
    this.changed();
  }

  private say(words: string): void {
    this.said = words;
    this.changed();
  }

  private fail(error: unknown): void {
    if (isAborted(error)) return;
    this.thinking = null;
    this.failure = error instanceof Error ? error.message : String(error);
    this.changed();
  }

  /** Asks again after a failure. */
  retry(): void {
    this.failure = "";
    void this.refresh();
  }

  private async answer(signal: AbortSignal): Promise<void> {
    const { game } = this;
    this.thinking = { depth: 0, value: "", nodes: 0 };
    this.changed();
    const turn = other(game.person);
    const clock =
      game.clock && game.left
        ? { left_ms: Math.round(game.left[turn]), increment_ms: 1000 * game.clock.increment }
        : null;
    const message: Asked<Play> = {
      type: "play",
      line: lineOf(game),
      player: game.opponent,
      level: game.level,
      seed: game.seed,
      clock,
    };
    const moved = await connection.ask<Moved>(message, {
      signal,
      each: (answer: Thinking | Moved) => {
        if (answer.type !== "thinking") return;
        this.thinking = answer;
        this.changed();
      },
    });
    this.thinking = null;
    this.drawOffered = moved.draw_offer;
    this.add(moved.move, turn);
    const line = lineOf(this.game);
    remember(line, Promise.resolve(moved.board));
    this.sound(moved.board);
    this.show(moved.board);
    this.said = `${game.opponent} plays ${moved.move}.`;
    if (this.outcome) this.finish();
    else this.say(`${this.said} Your move.${mustCapture(moved.board)}`);
  }

  private add(move: string, side: Side): void {
    const { game } = this;
    if (game.clock && game.left) {
      game.left = { ...game.left, [side]: game.left[side] + 1000 * game.clock.increment };
    }
    game.moves = [...game.moves, move];
    this.save();
  }

  /** Plays a move of the person. */
  async move(text: string): Promise<void> {
    if (!this.personsTurn) return;
    this.hint = null;
    this.drawOffered = false;
    this.add(text, this.game.person);
    this.said = `You play ${text}.`;
    await this.refreshWithSound();
  }

  private async refreshWithSound(): Promise<void> {
    look(lineOf(this.game)).then(
      (board) => this.sound(board),
      () => undefined,
    );
    await this.refresh();
  }

  private sound(board: Board): void {
    playSound(board.last?.captured.length ? "capture" : "move");
  }

  private finish(): void {
    const outcome = this.outcome;
    if (!outcome) return;
    if (!this.game.outcome) {
      this.game.outcome = outcome;
      this.save();
      playSound("end");
    }
    this.thinking = null;
    this.say(resultWords(outcome, this.game.person));
  }

  private end(outcome: Outcome, ending: PlayedGame["ending"]): void {
    this.stop.abort();
    this.game.ending = ending;
    this.game.outcome = outcome;
    this.hint = null;
    this.drawOffered = false;
    this.save();
    playSound("end");
    this.finish();
  }

  resign(): void {
    if (!this.outcome) this.end({ winner: other(this.game.person), reason: "you resigned" }, "resignation");
  }

  acceptDraw(): void {
    if (this.drawOffered) this.end({ winner: null, reason: "you agreed to a draw" }, "agreement");
  }

  declineDraw(): void {
    this.drawOffered = false;
    this.say("You play on.");
  }

  async offerDraw(): Promise<void> {
    const { game } = this;
    this.drawAsked = game.moves.length;
    this.changed();
    const message: Asked<Draw> = { type: "draw", line: lineOf(game), player: game.opponent, level: game.level };
    try {
      const { accepted, reason } = await connection.ask<Drawn>(message, { signal: this.stop.signal });
      if (accepted) this.end({ winner: null, reason: "you agreed to a draw" }, "agreement");
      else this.say(`${game.opponent} declines: ${reason}.`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The number of moves that are left when the person's last move is taken back; null if there is none. */
  private takeBackTo(): number | null {
    const { game, board } = this;
    if (!board) return null;
    const count = game.moves.length;
    const turnAt = (ply: number): Side => ((count - ply) % 2 === 0 ? board.turn : other(board.turn));
    for (let ply = count - 1; ply >= game.given; ply--) if (turnAt(ply) === game.person) return ply;
    return null;
  }

  takeBack(): void {
    const ply = this.takeBackTo();
    if (ply === null) return;
    this.game.moves = this.game.moves.slice(0, ply);
    this.game.outcome = null;
    this.game.ending = null;
    this.hint = null;
    this.thinking = null;
    this.drawOffered = false;
    this.save();
    this.said = "Your move was taken back. Your move.";
    this.startClock();
    void this.refresh();
  }

  async askHint(): Promise<void> {
    this.hintAsked = true;
    this.changed();
    try {
      const hint = await connection.ask<Hinted>(
        { type: "hint", line: lineOf(this.game) },
        {
          signal: this.stop.signal,
        },
      );
      this.hint = hint;
      this.say(`Hint: ${hint.move} (value ${hint.value}).`);
    } catch (error) {
      this.fail(error);
    } finally {
      this.hintAsked = false;
      this.changed();
    }
  }

  /** Shows the board after this many moves. */
  async goTo(ply: number): Promise<void> {
    const { game } = this;
    const wanted = Math.max(0, Math.min(game.moves.length, ply));
    this.shownPly = wanted;
    this.changed();
    try {
      const board = await look({ ...lineOf(game), moves: game.moves.slice(0, wanted) });
      if (this.shownPly !== wanted) return;
      this.shownBoard = board;
      this.changed();
    } catch (error) {
      this.fail(error);
    }
  }

  private startClock(): void {
    clearInterval(this.timer);
    if (!this.game.left || this.game.outcome) return;
    this.ticked = performance.now();
    this.timer = window.setInterval(() => this.tick(), TICK);
  }

  private tick(): void {
    const now = performance.now();
    const passed = now - this.ticked;
    this.ticked = now;
    if (!this.board || !this.game.left || this.outcome) return;
    const { turn } = this.board;
    if (turn !== this.game.person && this.failure) return;
    this.game.left = { ...this.game.left, [turn]: this.game.left[turn] - passed };
    if (this.game.left[turn] <= 0) {
      this.end(
        {
          winner: other(turn),
          reason: turn === this.game.person ? "your time is over" : `${this.game.opponent} has no time left`,
        },
        "forfeit",
      );
      return;
    }
    if (now - this.kept > KEEP_EVERY) this.save();
    this.changed();
  }
}

function mustCapture(board: Board): string {
  return board.moves[0]?.captured.length ? " You must capture." : "";
}
