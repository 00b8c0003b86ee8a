import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import type { Games, ReadGame } from "../messages";
import { connection } from "../socket";
import type { GameName } from "../types";
import "./input.css";

const SHOWN = 200; // rows of the list at once
const PIECE = 400_000; // characters of a file that are sent at once
const LARGEST = 40_000_000;

/** Texts and files of positions and games: paste, drop or open them, search the list. Fires `game` with a ReadGame. */
@customElement("ludus-input")
export class Input extends PageElement {
  @property({ attribute: false }) game: GameName = "draughts";

  @state() private text = "";
  @state() private games: ReadGame[] = [];
  @state() private notes: string[] = [];
  @state() private wanted = "";
  @state() private chosen = -1;
  @state() private busy = "";
  @state() private failure = "";
  @state() private over = false;

  /** Reads a text, as if it had been pasted here. */
  async read(text: string, name = "the text"): Promise<void> {
    this.failure = "";
    this.games = [];
    this.notes = [];
    this.chosen = -1;
    if (text.length > LARGEST) {
      this.failure = `${name} is too large: at most ${LARGEST / 1e6} million characters can be read.`;
      return;
    }
    try {
      const pieces = split(text);
      for (const [index, piece] of pieces.entries()) {
        if (pieces.length > 1) this.busy = `Reading ${name}: ${Math.round((100 * index) / pieces.length)}%`;
        const read = await connection.ask<Games>({ type: "read", game: this.guess(piece), text: piece });
        this.games = [...this.games, ...read.games];
        this.notes = [...this.notes, ...read.notes];
      }
      if (this.games.length === 1) this.open(0);
      else if (!this.games.length && !this.notes.length) this.failure = `No position and no game was found in ${name}.`;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = "";
    }
  }

  /** A position or a list of moves belongs to the game that is shown; a PDN file says for itself. */
  private guess(text: string): GameName | null {
    return text.includes("[") ? null : this.game;
  }

  private open(index: number): void {
    this.chosen = index;
    this.dispatchEvent(new CustomEvent<ReadGame>("game", { detail: this.games[index]!, bubbles: true }));
  }

  private found(): { game: ReadGame; index: number }[] {
    const words = this.wanted.toLowerCase().split(/\s+/).filter(Boolean);
    return this.games
      .map((game, index) => ({ game, index }))
      .filter(({ game }) => {
        const text = [game.title, game.result, ...Object.values(game.tags)].join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      });
  }

  protected override render(): TemplateResult {
    return html`
      <form
        class="stack ${this.over ? "over" : ""}"
        @submit=${this.submit}
        @dragover=${this.dragOver}
        @dragleave=${() => {
          this.over = false;
        }}
        @drop=${this.drop}
      >
        <div class="field">
          <label for="paste">Paste or drop a position (FEN), moves or games (PDN)</label>
          <textarea id="paste" rows="4" spellcheck="false" autocomplete="off" .value=${this.text}
            placeholder="B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
            @input=${(event: Event) => {
              this.text = (event.target as HTMLTextAreaElement).value;
            }}
            @paste=${this.paste}></textarea>
        </div>
        <div class="row">
          <button type="submit" class="primary" ?disabled=${!this.text.trim() || this.busy !== ""}>Open</button>
          <label class="button file">
            Open a file
            <input class="visually-hidden" type="file" accept=".pdn,.fen,.txt,text/plain" @change=${this.pick} />
          </label>
          <span class="small quiet" role="status">${this.busy}</span>
        </div>
      </form>
      <p class="small error" role="alert">${this.failure || nothing}</p>
      ${this.notes.length ? this.noteList() : nothing} ${this.games.length > 1 ? this.list() : nothing}
    `;
  }

  private noteList(): TemplateResult {
    return html`<details class="small">
      <summary>${this.notes.length === 1 ? "1 note" : `${this.notes.length} notes`} from reading</summary>
      <ul>
        ${this.notes.slice(0, 50).map((note) => html`<li>${note}</li>`)}
      </ul>
    </details>`;
  }

  private list(): TemplateResult {
    const found = this.found();
    return html`
      <div class="field">
        <label for="wanted">${this.games.length} games</label>
        <input id="wanted" type="search" placeholder="Search players, events, dates, results" .value=${this.wanted}
          @input=${(event: Event) => {
            this.wanted = (event.target as HTMLInputElement).value;
          }} />
      </div>
      <ul class="games" aria-label="Games">
        ${found.slice(0, SHOWN).map(
          ({ game, index }) => html`<li>
            <button type="button" aria-current=${index === this.chosen ? "true" : nothing} @click=${() => this.open(index)}>
              <span class="title">${game.title}</span>
              <span class="small numbers">${game.result}</span>
              <span class="small about">${[game.tags.Event, game.tags.Date].filter(Boolean).join(", ")}</span>
            </button>
          </li>`,
        )}
        ${found.length ? nothing : html`<li class="none quiet">No game matches.</li>`}
      </ul>
      <p class="small quiet" role="status">
        ${found.length > SHOWN ? `The first ${SHOWN} of ${found.length} are shown: search for fewer.` : nothing}
      </p>
    `;
  }

  private submit(event: Event): void {
    event.preventDefault();
    void this.read(this.text);
  }

  /** What is pasted into the empty field is opened at once. */
  private paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text") ?? "";
    if (this.text.trim() || !text.trim()) return;
    event.preventDefault();
    this.text = text.length > 20_000 ? "" : text;
    void this.read(text);
  }

  private dragOver(event: DragEvent): void {
    event.preventDefault();
    this.over = true;
  }

  private drop(event: DragEvent): void {
    event.preventDefault();
    this.over = false;
    const file = event.dataTransfer?.files[0];
    if (file) void this.readFile(file);
    else void this.read(event.dataTransfer?.getData("text") ?? "");
  }

  private pick(event: Event): void {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    if (file) void this.readFile(file);
    field.value = "";
  }

  private async readFile(file: File): Promise<void> {
    if (file.size > LARGEST) this.failure = `${file.name} is too large: at most ${LARGEST / 1e6} MB can be read.`;
    else await this.read(await file.text(), file.name);
  }
}

/** A long text in pieces, cut before the tags of a game. */
function split(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > PIECE) {
    const cut = rest.lastIndexOf("\n\n[", PIECE);
    if (cut <= 0) break;
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut + 2);
  }
  return [...pieces, rest];
}
