import { html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import "../boards/field";
import type { MoveField } from "../boards/field";
import "../boards/index";
import type { GameBoard } from "../boards/index";
import { tool } from "../boards/tool";
import { PageElement } from "../element";
import { icon } from "../icons";
import { players } from "../lists";
import { look } from "../look";
import { keep, load } from "../storage";
import { typedMove } from "../typed";
import type { Board, BoardMove, GameName, Opponent, Side } from "../types";
import "./ending";
import { currentGame, games, keepGame, lineOf, type PlayedGame } from "./kept";
import "./moves";
import "./play.css";
import type { Chosen } from "./setup";
import "./setup";
import { GameSession } from "./session";
import { rematch } from "./settings";
import { setSound, soundIsOn } from "./sound";
import { capital, elo, other, resultWords, timeWords } from "./words";

/** The page of /play: a game against a player. */
@customElement("ludus-play")
export class Play extends PageElement {
  @state() private session: GameSession | null = null;
  @state() private choosing = false;
  @state() private numbers = load("numbers", true);
  @state() private flipped = false;
  @state() private sound = soundIsOn();
  @state() private complaint = "";
  @state() private asksResign = false;
  @state() private opponents: Opponent[] = [];
  @state() private others: PlayedGame[] = [];
  /** The start of the game that is chosen in the form. */
  @state() private start: Chosen & { board: Board | null } = { game: "draughts", side: "white", board: null };
  @query("ludus-board") private board!: GameBoard | null;
  @query("ludus-move-field") private field!: MoveField | null;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("storage", this.otherTab);
    addEventListener("keydown", this.key);
    const game = currentGame();
    if (game) this.open(game);
    else this.choosing = true;
    // A link from another page asks for an opponent.
    if (new URLSearchParams(location.search).has("with")) this.choosing = true;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("storage", this.otherTab);
    removeEventListener("keydown", this.key);
    this.session?.close();
  }

  private readonly changed = (): void => this.requestUpdate();

  /** Another tab went on with this game: it is shown here too. */
  private readonly otherTab = (event: StorageEvent): void => {
    const { session } = this;
    if (!session || event.key !== `ludus.game.${session.game.id}` || !event.newValue) return;
    const game = JSON.parse(event.newValue) as PlayedGame;
    const same =
      game.moves.join() === session.game.moves.join() && Boolean(game.outcome) === Boolean(session.game.outcome);
    if (!same) this.open(game);
  };

  private open(game: PlayedGame): void {
    this.session?.removeEventListener("change", this.changed);
    this.session?.close();
    const session = new GameSession(game);
    session.addEventListener("change", this.changed);
    this.session = session;
    this.others = games().filter(({ moves, given }) => moves.length > given);
    this.choosing = false;
    this.asksResign = false;
    this.complaint = "";
    this.flipped = false;
    void session.begin();
    this.readOpponents(game.game);
  }

  private readOpponents(game: GameName): void {
    players(game).then(
      (found) => {
        this.opponents = found;
      },
      () => undefined,
    );
  }

  private begin(event: CustomEvent<PlayedGame>): void {
    keepGame(event.detail);
    if (location.search) history.replaceState(null, "", "/play");
    this.open(event.detail);
    scrollTo(0, 0); // the form was longer than the game
    look(lineOf(event.detail)).then(
      () => this.updateComplete.then(() => this.board?.focusBoard()),
      () => undefined,
    );
  }

  private showStart(event: CustomEvent<Chosen>): void {
    const { game, side } = event.detail;
    this.start = { game, side, board: this.start.game === game ? this.start.board : null };
    look({ game, start: null, moves: [] }).then(
      (board) => {
        if (this.start.game === game) this.start = { ...this.start, board };
      },
      () => undefined,
    );
  }

  private async again(): Promise<void> {
    const game = await rematch(this.session!.game);
    keepGame(game);
    this.open(game);
  }

  private get shownGame(): GameName {
    return this.choosing || !this.session ? this.start.game : this.session.game.game;
  }

  private get bottom(): Side {
    const side = this.choosing || !this.session ? this.start.side : this.session.game.person;
    const own = side === "random" || this.shownGame !== "draughts" ? "white" : side;
    return this.flipped ? other(own) : own;
  }

  protected override render(): TemplateResult {
    return html`
      <div class="table ${this.shownGame} ${this.choosing || !this.session ? "choosing" : ""}">
        <div class="board-side">
          ${this.bar("far")}
          ${this.boardPart()}
          ${this.bar("near")}
          ${this.tools()}
        </div>
        <div class="panel side">
          ${
            this.choosing || !this.session
              ? html`<ludus-new-game
                  .cancellable=${this.session !== null}
                  @chosen=${this.showStart}
                  @begin=${this.begin}
                  @cancel=${() => {
                    this.choosing = false;
                  }}
                ></ludus-new-game>`
              : this.game(this.session)
          }
        </div>
        ${this.keptGames()}
      </div>
      <div class="visually-hidden" aria-live="polite" id="said">${this.session?.failure || this.session?.said || nothing}</div>
    `;
  }

  private boardPart(): TemplateResult {
    const { session } = this;
    const hint =
      session?.hint && session.isLive ? session.board?.moves.find(({ text }) => text === session.hint?.move) : null;
    return html`<ludus-board
      .game=${this.shownGame}
      .board=${this.choosing || !session ? this.start.board : session.shownBoard}
      .bottom=${this.bottom}
      .numbers=${this.numbers}
      .active=${Boolean(session?.isLive && session.personsTurn && !this.choosing)}
      .arrows=${hint ? [{ path: hint.path, kind: "hint" as const }] : []}
      @move=${(event: CustomEvent<BoardMove>) => this.play(event.detail.text)}
      @typed=${(event: CustomEvent<string>) => this.field?.begin(event.detail)}
    ></ludus-board>`;
  }

  /** The name, the strength and the clock of a side: the person's is the near one. */
  private bar(which: "near" | "far"): TemplateResult {
    const { session } = this;
    if (!session || this.choosing) return html`<div class="bar"></div>`;
    const { game, board } = session;
    const side = which === "near" ? game.person : other(game.person);
    const who = this.opponents.find(({ name }) => name === game.opponent);
    const turn = board && !session.outcome && board.turn === side;
    // The rating is that of the player without a level.
    const strength = game.level ? `level ${game.level}` : who?.rating ? `Elo ${elo(who.rating.elo)}` : "";
    return html`
      <div class="bar ${turn ? "turn" : ""}">
        <span class="stone-sign ${side}" role="img" aria-label=${capital(side)}></span>
        <span class="name">${which === "near" ? "You" : game.opponent}</span>
        <span class="quiet small numbers">${which === "far" ? strength : nothing}</span>
        ${
          which === "far" && session.thinking
            ? html`<span class="quiet small numbers thinking">
                <span class="dots" aria-hidden="true"></span>
                ${session.thinking.depth ? `depth ${session.thinking.depth}, ${session.thinking.value}` : nothing}
              </span>`
            : nothing
        }
        ${
          game.left
            ? html`<span class="clock numbers ${turn ? "runs" : ""} ${game.left[side] < 20_000 ? "short" : ""}" role="timer"
                aria-label="${capital(side)} has">${timeWords(game.left[side])}</span>`
            : nothing
        }
      </div>
    `;
  }

  private tools(): TemplateResult {
    const draughts = this.shownGame === "draughts";
    return html`
      <div class="row tools">
        ${
          draughts
            ? html`
                ${tool("flip", "Flip the board", this.flipped, () => {
                  this.flipped = !this.flipped;
                })}
                ${tool("numbers", "Show the numbers of the squares", this.numbers, () => {
                  this.numbers = !this.numbers;
                  keep("numbers", this.numbers);
                })}
              `
            : nothing
        }
        ${tool(this.sound ? "sound" : "mute", "Sound", this.sound, () => {
          this.sound = !this.sound;
          setSound(this.sound);
        })}
        ${
          this.session && !this.choosing
            ? html`<ludus-move-field .game=${this.shownGame} @entered=${this.enter}
                @input=${() => {
                  this.complaint = "";
                }}></ludus-move-field>`
            : nothing
        }
      </div>
      <p class="complaint small error" role="alert">${this.complaint || nothing}</p>
    `;
  }

  private enter({ detail }: CustomEvent<string>): void {
    const { session } = this;
    if (!session?.board) return;
    if (!session.isLive) void session.goTo(session.game.moves.length);
    if (!session.personsTurn) {
      this.complaint = session.outcome ? "The game is over." : "Wait for the answer of your opponent.";
      return;
    }
    const found = typedMove(session.game.game, session.board, detail);
    if (typeof found === "string") {
      this.complaint = found;
      return;
    }
    this.play(found.text);
  }

  private play(text: string): void {
    this.field?.clear();
    this.complaint = "";
    this.asksResign = false;
    void this.session?.move(text);
  }

  private game(session: GameSession): TemplateResult {
    const { game } = session;
    return html`
      <h1 class="visually-hidden">A game against ${game.opponent}</h1>
      <p class="status ${session.outcome ? "over" : ""}">${this.status(session)}</p>
      ${game.opening ? html`<p class="small quiet opening">${game.opening}</p>` : nothing}
      <ludus-moves
        .moves=${session.board?.history ?? game.moves}
        .ply=${session.shownPly}
        .first=${firstSide(session)}
        @go=${(event: CustomEvent<number>) => session.goTo(event.detail)}
      ></ludus-moves>
      ${session.outcome ? this.afterGame(session) : this.duringGame(session)}
    `;
  }

  private status(session: GameSession): TemplateResult | string {
    if (session.failure) {
      return html`<span class="error">${session.failure}</span>
        <button class="plain" type="button" @click=${() => session.retry()}>Try again</button>`;
    }
    if (session.outcome) return resultWords(session.outcome, session.game.person);
    if (!session.isLive) {
      return html`Move ${session.shownPly} of ${session.game.moves.length}.
        <button class="plain" type="button" @click=${() => session.goTo(session.game.moves.length)}>Back to the game</button>`;
    }
    if (session.drawOffered) {
      return html`${capital(session.game.opponent)} offers a draw.
        <button type="button" @click=${() => session.acceptDraw()}>Accept</button>
        <button type="button" @click=${() => session.declineDraw()}>Decline</button>`;
    }
    return session.said || "…";
  }

  private duringGame(session: GameSession): TemplateResult {
    const mine = session.personsTurn;
    return html`
      <div class="actions">
        <button type="button" ?disabled=${!mine || session.hintAsked} @click=${() => session.askHint()}>
          ${icon("hint")} Hint
        </button>
        <button type="button" ?disabled=${!session.canTakeBack} @click=${() => session.takeBack()}>
          ${icon("takeBack")} Take back
        </button>
        <button type="button" ?disabled=${!mine || session.drawAsked === session.game.moves.length || !session.game.moves.length}
          @click=${() => session.offerDraw()}>
          ${icon("draw")} Offer draw
        </button>
        ${
          this.asksResign
            ? html`<button type="button" class="danger" @click=${() => session.resign()}>Really resign?</button>`
            : html`<button type="button" @click=${this.askResign}>${icon("resign")} Resign</button>`
        }
      </div>
      <ludus-ending .game=${session.game}></ludus-ending>
      <button class="other" type="button" @click=${this.choose}>New game</button>
    `;
  }

  private askResign(): void {
    this.asksResign = true;
    this.updateComplete.then(() => this.querySelector<HTMLElement>(".danger")?.focus());
  }

  private choose(): void {
    this.choosing = true;
    this.updateComplete.then(() => this.querySelector<HTMLElement>("ludus-new-game input:checked")?.focus());
  }

  private afterGame(session: GameSession): TemplateResult {
    return html`
      <div class="actions">
        <button type="button" class="primary" @click=${this.again}>Rematch</button>
        <button type="button" @click=${this.choose}>New game</button>
        <button type="button" ?disabled=${!session.canTakeBack} @click=${() => session.takeBack()}>
          ${icon("takeBack")} Take back
        </button>
        <a class="button" href="/analyse" @click=${() => keep("handover", { ...session.game, review: true })}>Review the game</a>
      </div>
      <ludus-ending .game=${session.game}></ludus-ending>
    `;
  }

  private keptGames(): TemplateResult | typeof nothing {
    const others = this.others.filter(({ id }) => id !== this.session?.game.id);
    if (!others.length) return nothing;
    return html`
      <section class="panel kept">
        <h2>Your other games</h2>
        <ul>
          ${others.slice(0, 12).map(
            (game) => html`<li>
              <button class="plain" type="button" @click=${() => this.reopen(game)}>
                ${game.opponent}${game.level ? `, level ${game.level}` : ""}
              </button>
              <span class="quiet small">
                ${game.game === "draughts" ? "Draughts" : "Tic-Tac-Toe 3D"}, ${game.begun.slice(0, 10)},
                ${game.outcome ? resultWords(game.outcome, game.person).split(":")[0]!.toLowerCase() : "not finished"}
              </span>
            </li>`,
          )}
        </ul>
      </section>
    `;
  }

  private reopen(game: PlayedGame): void {
    keepGame(game);
    this.open(game);
  }

  /** Keys that work anywhere on the page, except in a field: h hint, u take back, f flip, and the arrows of the moves. */
  private readonly key = (event: KeyboardEvent): void => {
    const { session } = this;
    const inField = event
      .composedPath()
      .some((each) => each instanceof HTMLElement && each.matches("input, select, textarea"));
    if (!session || this.choosing || inField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "h" && session.personsTurn) void session.askHint();
    else if (event.key === "u" && session.canTakeBack) session.takeBack();
    else if (event.key === "f") this.flipped = !this.flipped;
    else if (event.key === ",") void session.goTo(session.shownPly - 1);
    else if (event.key === ".") void session.goTo(session.shownPly + 1);
    else return;
    event.preventDefault();
  };
}

function firstSide(session: GameSession): Side {
  const turn = session.board?.turn ?? "black";
  return session.game.moves.length % 2 === 0 ? turn : other(turn);
}
