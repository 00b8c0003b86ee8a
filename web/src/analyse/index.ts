import { html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import type { Arrow } from "../boards/arrow";
import "../boards/field";
import type { MoveField } from "../boards/field";
import "../boards/index";
import { tool } from "../boards/tool";
import { PageElement } from "../element";
import { look } from "../look";
import type { Analysis, Judged, ReadGame } from "../messages";
import { capital, other } from "../play/words";
import { forget, keep, load } from "../storage";
import { typedMove } from "../typed";
import type { Board, BoardMove, GameName, Line, Piece, Side } from "../types";
import "./analyse.css";
import "./bar";
import "./engine";
import type { Found } from "./engine";
import "./input";
import { judgement } from "./judgement";
import "./moves";
import "./review";
import "./setup";
import type { Setup } from "./setup";
import "./tabs";
import type { Tab } from "./tabs";
import { isMain, type KeptTree, lastOf, type Node, path, Tree } from "./tree";
import "./walk";
import "./why";
import { verdictWords } from "./words";

interface Kept {
  tree: KeptTree;
  at: string[];
  title: string;
}

/** What another page hands over with `keep("handover", ...)` before it links to /analyse. */
export interface Handover extends Line {
  review?: boolean;
  /** The side that is shown at the bottom. */
  person?: Side;
  title?: string;
}

/** The page of /analyse: any position or game of both games. */
@customElement("ludus-analyse")
export class Analyse extends PageElement {
  @state() private tree = new Tree("draughts", null);
  @state() private current: Node = this.tree.root;
  /** The node that the board belongs to: it comes from the server a moment later. */
  @state() private shown: Node | null = null;
  @state() private version = 0;
  @state() private board: Board | null = null;
  @state() private found: Analysis | null = null;
  @state() private value: number | null = null; // for White
  @state() private judged = new Map<number, Judged>();
  @state() private bottom: Side = "white";
  @state() private numbers = load("numbers", true);
  @state() private tab: Tab = "open";
  @state() private heading = "";
  @state() private failure = "";
  @state() private pieces: Piece[] = [];
  @state() private pointed: number[] = [];
  @state() private reviewAsked = 0;
  @state() private reviewing = false;
  @query("ludus-setup") private setup!: Setup | null;
  @query("ludus-move-field") private field!: MoveField;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.key);
    const handed = load<Handover | null>("handover", null);
    const kept = load<Kept | null>("analysis", null);
    if (handed) {
      forget("handover");
      this.open(handed, handed.title ?? "");
      if (handed.game === "draughts") this.bottom = handed.person ?? "white";
      if (handed.review) {
        this.tab = "review";
        this.reviewAsked++;
      }
    } else if (kept) {
      this.tree = Tree.restore(kept.tree);
      this.heading = kept.title;
      this.go(this.tree.find(kept.at));
    } else this.go(this.tree.root);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.key);
  }

  /** Shows a game from its start, or a position. */
  private open(line: Line, title: string): void {
    this.tree = Tree.of(line);
    this.heading = title;
    this.judged = new Map();
    this.go(this.tree.root);
  }

  private openRead(event: CustomEvent<ReadGame>): void {
    const { line, title, tags } = event.detail;
    this.open(line, tags.Black || tags.White || tags.Event ? title : "");
  }

  private go(node: Node): void {
    this.current = node;
    this.failure = "";
    const kept: Kept = { tree: this.tree.keep(), at: this.tree.line(node).moves, title: this.heading };
    keep("analysis", kept);
    look(this.tree.line(node)).then(
      (board) => {
        if (this.current !== node) return;
        this.board = board;
        this.shown = node;
      },
      (error: unknown) => {
        this.failure = error instanceof Error ? error.message : String(error);
      },
    );
  }

  private play(moves: string[]): void {
    let node = this.current;
    for (const move of moves) node = this.tree.add(node, move);
    this.version++;
    this.field.clear();
    this.go(node);
  }

  private get line(): Line {
    return this.tree.line(this.current);
  }

  private get editing(): boolean {
    return this.tab === "setup";
  }

  private choose(tab: Tab): void {
    if (tab === "setup") this.pieces = this.board?.pieces ?? [];
    this.tab = tab;
  }

  private changeGame(game: GameName): void {
    if (game === this.tree.game) return;
    this.board = null;
    this.found = null;
    this.pieces = [];
    this.open({ game, start: null, moves: [] }, "");
  }

  protected override render(): TemplateResult {
    const { board } = this;
    const judged = isMain(this.current) ? this.judged.get(path(this.current).length - 1) : undefined;
    return html`
      <h1 class="visually-hidden">Analyse</h1>
      <div class="study ${this.tree.game}">
        <div class="board-side">
          <div class="with-bar">
            <ludus-bar .prospect=${this.prospect()} .bottom=${this.bottom}></ludus-bar>
            <ludus-board
              .game=${this.tree.game}
              .board=${this.editing ? this.setupBoard() : board}
              .bottom=${this.bottom}
              .numbers=${this.numbers}
              .active=${!this.editing && this.shown === this.current && board?.outcome === null}
              .editing=${this.editing}
              .arrows=${this.editing ? [] : this.arrows()}
              @move=${(event: CustomEvent<BoardMove>) => this.play([event.detail.text])}
              @square=${(event: CustomEvent<number>) => this.setup?.put(event.detail)}
              @typed=${(event: CustomEvent<string>) => this.field.begin(event.detail)}
            ></ludus-board>
          </div>
          ${this.tools()}
          <p class="position small" role="status">${this.facts()}</p>
        </div>
        <div class="panel moves-side">
          ${this.heading ? html`<h2 class="game-title">${this.heading}</h2>` : nothing}
          <ludus-engine
            .line=${this.line}
            .idle=${this.editing || this.reviewing || board?.outcome != null}
            @found=${this.showFound}
            @try=${(event: CustomEvent<string[]>) => this.play(event.detail)}
          ></ludus-engine>
          <ludus-tree .tree=${this.tree} .current=${this.current} .judged=${this.judged} .version=${this.version}
            @node=${(event: CustomEvent<Node>) => this.go(event.detail)}></ludus-tree>
          <ludus-walk .tree=${this.tree} .current=${this.current} .version=${this.version}
            @node=${(event: CustomEvent<Node>) => this.go(event.detail)}
            @promote=${this.promote} @cut=${this.cut}></ludus-walk>
          <div class="judgement small" aria-live="polite">${
            judged ? judgement(judged, this.tree.game, () => this.showBetter(judged)) : nothing
          }</div>
        </div>
        <div class="panel more-side">
          <ludus-tabs .tab=${this.tab} @tab=${(event: CustomEvent<Tab>) => this.choose(event.detail)}></ludus-tabs>
          <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby="tab-${this.tab}">${this.tabContent()}</div>
        </div>
      </div>
      <div class="visually-hidden" aria-live="polite">${this.spoken()}</div>
    `;
  }

  private tabContent(): TemplateResult {
    const main = this.tree.main();
    const mainLine = this.tree.line(main.at(-1) ?? this.tree.root);
    return html`
      <div ?hidden=${this.tab !== "open"} class="stack">
        ${this.gameChoice()}
        <ludus-input .game=${this.tree.game} @game=${this.openRead}></ludus-input>
        <div class="field">
          <label for="fen">This position</label>
          <input id="fen" readonly class="mono small" .value=${this.board?.fen ?? ""}
            @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />
        </div>
      </div>
      <ludus-review
        ?hidden=${this.tab !== "review"}
        .line=${mainLine}
        .ply=${isMain(this.current) ? path(this.current).length : 0}
        .asked=${this.reviewAsked}
        @reviewing=${(event: CustomEvent<boolean>) => {
          this.reviewing = event.detail;
        }}
        @judged=${(event: CustomEvent<Map<number, Judged>>) => {
          this.judged = event.detail;
        }}
        @go=${(event: CustomEvent<number>) => this.go(event.detail ? (main[event.detail - 1] ?? this.tree.root) : this.tree.root)}
      ></ludus-review>
      ${
        this.tab === "why"
          ? html`<ludus-why .line=${this.line}
              @squares=${(event: CustomEvent<number[]>) => {
                this.pointed = event.detail;
              }}></ludus-why>`
          : nothing
      }
      ${
        this.tab === "setup"
          ? html`<ludus-setup .game=${this.tree.game} .pieces=${this.pieces} .turn=${this.board?.turn ?? "black"}
              @pieces=${(event: CustomEvent<Piece[]>) => {
                this.pieces = event.detail;
              }}
              @position=${this.finishSetup}></ludus-setup>`
          : nothing
      }
    `;
  }

  private gameChoice(): TemplateResult {
    const names: [GameName, string][] = [
      ["draughts", "Draughts"],
      ["tictactoe3d", "Tic-Tac-Toe 3D"],
    ];
    return html`<fieldset class="choices">
      <legend>Game</legend>
      <div>
        ${names.map(
          ([game, words]) => html`<label
            ><input type="radio" name="analyse-game" .checked=${this.tree.game === game} @change=${() => this.changeGame(game)} /><span
              >${words}</span
            ></label
          >`,
        )}
      </div>
    </fieldset>`;
  }

  private finishSetup(event: CustomEvent<Board>): void {
    this.tab = "open";
    this.open({ game: this.tree.game, start: event.detail.fen, moves: [] }, "");
  }

  private setupBoard(): Board | null {
    return this.board && { ...this.board, fen: "", pieces: this.pieces, moves: [], last: null, win: [] };
  }

  /** The value of the position for White, from -1 to 1. */
  private prospect(): number | null {
    const { board } = this;
    if (this.editing || !board) return null;
    if (board.outcome) return board.outcome.winner === null ? 0 : board.outcome.winner === "white" ? 1 : -1;
    return this.value;
  }

  /** The bar keeps its height until the search has valued the new position. */
  private showFound({ detail: { found, on } }: CustomEvent<Found>): void {
    this.found = found;
    if (found && this.board) this.value = this.board.turn === "white" ? found.prospect : -found.prospect;
    else if (!on) this.value = null;
  }

  private arrows(): Arrow[] {
    const { board } = this;
    if (!board) return [];
    const arrows: Arrow[] = [];
    for (const [rank, { moves }] of (this.found?.best ?? []).entries()) {
      const move = board.moves.find(({ text }) => text === moves[0]);
      if (move) arrows.unshift({ path: move.path, kind: "best", rank });
    }
    if (this.pointed.length && this.tree.game === "draughts") {
      return this.pointed.map((square) => ({ path: [square], kind: "point" }));
    }
    return this.tree.game === "tictactoe3d" ? arrows.reverse() : arrows;
  }

  private facts(): string {
    const { board } = this;
    if (this.failure) return this.failure;
    if (!board || this.editing) return "";
    const words = [];
    if (board.outcome) {
      const { winner, reason } = board.outcome;
      words.push(`${winner ? `${capital(winner)} won` : "A draw"}: ${reason.replace(/\.$/, "")}.`);
    } else words.push(`${capital(board.turn)} to move.`);
    if (board.opening) words.push(`${board.opening}.`);
    words.push(verdictWords(board));
    return words.filter(Boolean).join(" ");
  }

  private spoken(): string {
    return this.current.move ? `${this.current.move}. ${this.facts()}` : "";
  }

  /** Adds the better line as a variation and goes to its first move. */
  private showBetter({ better }: Judged): void {
    const before = this.current.parent ?? this.tree.root;
    better.reduce((node, move) => this.tree.add(node, move), before);
    this.version++;
    this.go(this.tree.add(before, better[0]!));
  }

  private promote(): void {
    this.tree.promote(this.current);
    this.version++;
    this.go(this.current);
  }

  private cut(): void {
    this.version++;
    this.go(this.tree.remove(this.current));
  }

  private tools(): TemplateResult {
    const draughts = this.tree.game === "draughts";
    return html`
      <div class="row tools">
        ${draughts ? tool("flip", "Flip the board", this.bottom === "black", () => this.flip()) : nothing}
        ${draughts ? tool("numbers", "Show the numbers of the squares", this.numbers, () => this.toggleNumbers()) : nothing}
        <ludus-move-field name="typed-move" .game=${this.tree.game} @entered=${this.enter}
          @input=${() => {
            this.failure = "";
          }}></ludus-move-field>
      </div>
    `;
  }

  private flip(): void {
    this.bottom = other(this.bottom);
  }

  private toggleNumbers(): void {
    this.numbers = !this.numbers;
    keep("numbers", this.numbers);
  }

  private async enter({ detail }: CustomEvent<string>): Promise<void> {
    const { current } = this;
    const board = await look(this.line);
    if (this.current !== current) return;
    const found = typedMove(this.tree.game, board, detail);
    if (typeof found === "string") this.failure = found;
    else this.play([found.text]);
  }

  /** Arrow keys walk through the moves, except on the board, in fields and on tabs, which use them. */
  private readonly key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const busy = event
      .composedPath()
      .some((each) => each instanceof Element && each.matches("input, select, textarea, ludus-board, [role=tablist]"));
    const steps: Record<string, Node | null | undefined> = {
      ArrowLeft: this.current.parent,
      ArrowRight: this.current.children[0],
      Home: this.tree.root,
      End: lastOf(this.current),
    };
    if (busy && event.key.startsWith("Arrow")) return;
    if (event.composedPath().some((each) => each instanceof Element && each.matches("input, textarea"))) return;
    if (event.key === "f") this.flip();
    else if (event.key === "," && this.current.parent) this.go(this.current.parent);
    else if (event.key === "." && this.current.children[0]) this.go(this.current.children[0]);
    else if (steps[event.key]) this.go(steps[event.key]!);
    else return;
    event.preventDefault();
  };
}
