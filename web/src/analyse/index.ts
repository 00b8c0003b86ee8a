import { html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import type { Arrow } from "../boards/arrow";
import "../boards/index";
import { PageElement } from "../element";
import { icon, type IconName } from "../icons";
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
import "./moves";
import "./review";
import "./setup";
import type { Setup } from "./setup";
import { isMain, type KeptTree, type Node, path, Tree } from "./tree";
import "./why";
import { costWords, verdictWords } from "./words";

const TABS = { open: "Open", review: "Review", why: "Why", setup: "Set up" };
type Tab = keyof typeof TABS;

interface Kept {
  tree: KeptTree;
  at: string[];
  title: string;
}

/** What another page hands over with `keep("handover", ...)` before it links to /analyse. */
export interface Handover extends Line {
  review?: boolean;
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
  @state() private typed = "";
  @state() private pieces: Piece[] = [];
  @state() private pointed: number[] = [];
  @state() private reviewAsked = 0;
  @state() private reviewing = false;
  @query("ludus-setup") private setup!: Setup | null;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.key);
    const handed = load<Handover | null>("handover", null);
    const kept = load<Kept | null>("analysis", null);
    if (handed) {
      forget("handover");
      this.open(handed, handed.title ?? "");
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
    this.typed = "";
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
              @typed=${(event: CustomEvent<string>) => this.beginTyping(event.detail)}
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
          ${this.walk()}
          <div class="judgement small" aria-live="polite">${judged ? this.judgement(judged) : nothing}</div>
        </div>
        <div class="panel more-side">
          <div class="tabs" role="tablist" aria-label="More" @keydown=${this.tabKey}>
            ${(Object.keys(TABS) as Tab[]).map(
              (tab) => html`<button type="button" role="tab" id="tab-${tab}" aria-controls="tab-panel"
                aria-selected=${tab === this.tab} tabindex=${tab === this.tab ? 0 : -1} @click=${() => this.choose(tab)}>
                ${TABS[tab]}
              </button>`,
            )}
          </div>
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

  private judgement(judged: Judged): TemplateResult {
    const cost = costWords(judged, this.tree.game === "draughts" ? "men" : "");
    return html`
      <p>
        <b>${judged.move}</b> ${judged.value === "only" ? "was the only move." : html`is worth ${judged.value}.`}
        ${cost ? html`<span class=${judged.kind}>${cost}</span>` : nothing}
      </p>
      ${
        judged.better.length
          ? html`<p>
              Better was ${judged.better.join(" ")} (${judged.best}).
              <button class="plain" type="button" @click=${() => this.showBetter(judged)}>Show it</button>
            </p>`
          : nothing
      }
    `;
  }

  /** Adds the better line as a variation and goes to its first move. */
  private showBetter({ better }: Judged): void {
    const before = this.current.parent ?? this.tree.root;
    better.reduce((node, move) => this.tree.add(node, move), before);
    this.version++;
    this.go(this.tree.add(before, better[0]!));
  }

  private walk(): TemplateResult {
    const { current } = this;
    const button = (name: IconName, label: string, to: Node | undefined): TemplateResult => html`<button
      type="button" title=${label} aria-label=${label} ?disabled=${!to || to === current} @click=${() => to && this.go(to)}>
      ${icon(name)}
    </button>`;
    const main = isMain(current);
    return html`
      <div class="walk">
        ${button("first", "Start", this.tree.root)} ${button("back", "One move back", current.parent ?? undefined)}
        ${button("next", "One move on", current.children[0])} ${button("last", "End of the line", lastOf(current))}
        <button type="button" title="Make this the main line" aria-label="Make this the main line" ?disabled=${main} @click=${this.promote}>
          ${icon("promote")}
        </button>
        <button type="button" title="Delete from here" aria-label="Delete from here" ?disabled=${!current.parent} @click=${this.cut}>
          ${icon("remove")}
        </button>
      </div>
    `;
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
        ${
          draughts
            ? html`<button class="icon" type="button" title="Flip the board" aria-label="Flip the board" aria-pressed=${this.bottom === "black"}
                  @click=${this.flip}>${icon("flip")}</button>
                <button class="icon" type="button" title="Show the numbers of the squares" aria-label="Show the numbers of the squares"
                  aria-pressed=${this.numbers} @click=${this.toggleNumbers}>${icon("numbers")}</button>`
            : nothing
        }
        <form class="typed" @submit=${this.submitTyped}>
          <label class="visually-hidden" for="typed-move">Type a move</label>
          <input id="typed-move" autocomplete="off" spellcheck="false" placeholder=${draughts ? "Type a move: 11-15" : "Type a move: c3"}
            .value=${this.typed}
            @input=${(event: Event) => {
              this.typed = (event.target as HTMLInputElement).value;
              this.failure = "";
            }} />
        </form>
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

  private beginTyping(text: string): void {
    this.typed = text;
    this.querySelector<HTMLInputElement>("#typed-move")?.focus();
  }

  private async submitTyped(event: Event): Promise<void> {
    event.preventDefault();
    const { current, typed } = this;
    const board = await look(this.line);
    if (this.current !== current) return;
    const found = typedMove(this.tree.game, board, typed);
    if (typeof found === "string") this.failure = found;
    else this.play([found.text]);
  }

  private tabKey(event: KeyboardEvent): void {
    const names = Object.keys(TABS) as Tab[];
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? names.length - 1 : 0;
    if (!step) return;
    event.preventDefault();
    this.choose(names[(names.indexOf(this.tab) + step) % names.length]!);
    this.updateComplete.then(() => this.querySelector<HTMLElement>(`#tab-${this.tab}`)?.focus());
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

function lastOf(node: Node): Node {
  let last = node;
  while (last.children[0]) last = last.children[0];
  return last;
}
