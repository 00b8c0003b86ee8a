import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import { type Ballot, levels, openings, type Openings, players } from "../lists";
import type { GameName, Level, Opponent, Side } from "../types";
import type { PlayedGame } from "./kept";
import { ballotWords, beginGame, keepSettings, loadSettings, type OpeningKind, type Settings } from "./settings";
import "./setup.css";
import { capital, elo, ratingWords } from "./words";

const CLOCKS: [string, string][] = [
  ["none", "None"],
  ["3+2", "3+2"],
  ["5+3", "5+3"],
  ["10+5", "10+5"],
  ["own", "Other"],
];

const RATING = "Ratings were measured at equal search, 0 is the mean of the players. The level is not counted in.";

const NAMES: [GameName, string][] = [
  ["draughts", "Draughts"],
  ["tictactoe3d", "Tic-Tac-Toe 3D"],
];

/** What is known of a new game before it begins. */
export type Chosen = Pick<Settings, "game" | "side">;

/**
 * The form of a new game. Fires `chosen` with what the board can show of it, and `begin` with a PlayedGame.
 * `/play?game=G&with=NAME` chooses the opponent beforehand.
 */
@customElement("ludus-new-game")
export class NewGame extends PageElement {
  @property({ attribute: false }) cancellable = false;

  @state() private settings: Settings = loadSettings();
  @state() private opponents: Opponent[] | null = null;
  @state() private levels: Level[] = [];
  @state() private openings: Openings | null = null;
  @state() private failure = "";

  override connectedCallback(): void {
    super.connectedCallback();
    const asked = new URLSearchParams(location.search);
    const game = asked.get("game");
    if (game === "draughts" || game === "tictactoe3d") this.settings = { ...this.settings, game };
    const name = asked.get("with");
    if (name) this.chooseOpponent(name);
    levels().then(
      (found) => {
        this.levels = found;
      },
      () => undefined,
    );
    void this.readLists();
    this.tell();
  }

  private async readLists(): Promise<void> {
    const { game } = this.settings;
    this.opponents = null;
    try {
      const found = await players(game);
      if (game !== this.settings.game) return;
      const asked = new URLSearchParams(location.search).get("with");
      // The list has the result of a run; a link can also ask for a player that the run kept on the way.
      if (asked?.includes("@") && !found.some(({ name }) => name === asked)) found.unshift(keptPlayer(asked));
      this.opponents = found;
      this.failure = "";
      if (!found.some(({ name }) => name === this.settings.opponent[game])) this.chooseOpponent(usual(found));
      await this.readOpenings();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  /** The lists of ballots are asked for when they are needed: the server takes a while to draw them up. */
  private async readOpenings(): Promise<void> {
    if (!this.settings.opening.startsWith("ballots") || this.settings.game !== "draughts" || this.openings) return;
    try {
      this.openings = await openings("draughts");
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  /** The page shows the start of the game that is chosen. */
  private tell(): void {
    this.dispatchEvent(new CustomEvent<Chosen>("chosen", { detail: this.settings, bubbles: true }));
  }

  private set(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    keepSettings(this.settings);
    if (change.opening) void this.readOpenings();
  }

  private chooseOpponent(name: string): void {
    this.set({ opponent: { ...this.settings.opponent, [this.settings.game]: name } });
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("opponents") && this.opponents) {
      const list = this.querySelector(".opponents");
      const chosen = list?.querySelector<HTMLElement>("label:has(:checked)");
      if (list && chosen) list.scrollTop = chosen.offsetTop - list.clientHeight / 2 + chosen.clientHeight / 2;
    }
  }

  protected override render(): TemplateResult {
    const { settings } = this;
    const chosen = this.opponents?.find(({ name }) => name === settings.opponent[settings.game]);
    return html`
      <form class="stack" @submit=${this.submit}>
        <h1>New game</h1>
        ${choices("game", "Game", NAMES, settings.game, (game) => {
          this.set({ game: game as GameName });
          this.tell();
          void this.readLists();
        })}
        ${this.opponentList()}
        ${this.levelChoice(chosen)}
        ${choices("side", "Your side", this.sides(), settings.side, (side) => {
          this.set({ side: side as Side });
          this.tell();
        })}
        ${settings.game === "draughts" ? this.openingChoice() : nothing}
        ${choices("clock", "Clock, minutes + seconds a move", CLOCKS, settings.clock, (clock) => this.set({ clock }))}
        ${settings.clock === "own" ? this.ownClock() : nothing}
        <details>
          <summary>Seed</summary>
          <div class="field">
            <label for="seed">Seed</label>
            <input id="seed" inputmode="numeric" pattern="[0-9]{0,9}" .value=${settings.seed}
              placeholder="a new one for each game"
              @input=${(event: Event) => this.set({ seed: (event.target as HTMLInputElement).value })} />
            <span class="help">The same seed and the same moves give the same game again.</span>
          </div>
        </details>
        <div class="row start">
          <p class="error small" role="alert">${this.failure || nothing}</p>
          <button class="primary" type="submit" ?disabled=${!chosen}>Play</button>
          ${
            this.cancellable
              ? html`<button type="button" @click=${() => this.dispatchEvent(new Event("cancel"))}>Back to the game</button>`
              : nothing
          }
        </div>
      </form>
    `;
  }

  private sides(): [string, string][] {
    const first = this.settings.game === "draughts" ? "black" : "white";
    return [
      ["black", first === "black" ? "Black, first" : "Black"],
      ["white", first === "white" ? "White, first" : "White"],
      ["random", "Either"],
    ];
  }

  private opponentList(): TemplateResult {
    const chosen = this.settings.opponent[this.settings.game];
    return html`
      <fieldset>
        <legend class="with-note">Opponent <span class="note" title=${RATING}>Elo</span></legend>
        <div class="opponents" tabindex=${this.opponents ? nothing : "0"}>
          ${(this.opponents ?? []).map(
            (each) => html`
              <label class="opponent">
                <input type="radio" name="opponent" .value=${each.name} .checked=${each.name === chosen}
                  @change=${() => this.chooseOpponent(each.name)} />
                <span class="who"><b>${each.name}</b><span class="small quiet">${each.words}</span></span>
                <span class="rating numbers small" title=${each.rating ? ratingWords(each.rating) : "Not on the ladder"}>
                  ${each.rating ? elo(each.rating.elo) : "–"}
                </span>
              </label>
            `,
          )}
          ${this.opponents ? nothing : html`<p class="loading small">${this.failure || "Reading the list of players…"}</p>`}
        </div>
        ${this.about()}
      </fieldset>
    `;
  }

  /** How the chosen opponent was made, for those who ask. */
  private about(): TemplateResult | typeof nothing {
    const chosen = this.opponents?.find(({ name }) => name === this.settings.opponent[this.settings.game]);
    if (!chosen) return nothing;
    return html`<details class="about small">
      <summary>How ${chosen.name} was made</summary>
      <p>${chosen.made} ${chosen.details ? `${capital(chosen.details)}.` : nothing}</p>
      <p>${chosen.rating ? `${ratingWords(chosen.rating)}.` : "It has no rating: it was not on the ladder."} ${RATING}</p>
    </details>`;
  }

  private levelChoice(chosen: Opponent | undefined): TemplateResult {
    const numbers = Array.from({ length: 9 }, (_, index): [string, string] => [String(index + 1), String(index + 1)]);
    const words = this.levels.find(({ number }) => number === this.settings.level)?.words ?? "";
    const without = chosen && !chosen.levels;
    return html`
      <div class="level ${without ? "off" : ""}">
        ${choices("level", "Level", numbers, String(this.settings.level), (level) => this.set({ level: Number(level) }), without)}
        <p class="small quiet" aria-live="polite">
          ${without ? "This player has no levels: it always plays at its own strength." : capital(words)}
        </p>
      </div>
    `;
  }

  private openingChoice(): TemplateResult {
    const { settings } = this;
    const ballots = this.ballots();
    return html`
      <div class="field">
        <label for="opening">Opening</label>
        <select id="opening" .value=${settings.opening}
          @change=${(event: Event) => this.set({ opening: (event.target as HTMLSelectElement).value as OpeningKind, ballot: -1 })}>
          <option value="free">Go as you please</option>
          <option value="ballots2">Two-move ballot</option>
          <option value="ballots3">Three-move ballot</option>
          <option value="typed">A typed opening or position</option>
        </select>
        ${
          ballots
            ? html`<label class="visually-hidden" for="ballot">Ballot</label>
                <select id="ballot" @change=${(event: Event) => this.set({ ballot: Number((event.target as HTMLSelectElement).value) })}>
                  <option value="-1" .selected=${settings.ballot === -1}>Drawn at random</option>
                  ${ballots.map(
                    (ballot, index) =>
                      html`<option value=${index} .selected=${settings.ballot === index}>${ballotWords(ballot)}</option>`,
                  )}
                </select>`
            : nothing
        }
        ${
          settings.opening === "typed"
            ? html`<label class="visually-hidden" for="typed">Moves or a position</label>
                <input id="typed" .value=${settings.typed} placeholder="11-15 23-19 8-11, or a FEN" autocomplete="off"
                  @input=${(event: Event) => this.set({ typed: (event.target as HTMLInputElement).value })} />`
            : nothing
        }
      </div>
    `;
  }

  private ballots(): Ballot[] | null {
    const { opening } = this.settings;
    if (opening !== "ballots2" && opening !== "ballots3") return null;
    return this.openings?.[opening] ?? null;
  }

  private ownClock(): TemplateResult {
    const number = (name: "minutes" | "increment", label: string, most: number): TemplateResult => html`
      <div class="field">
        <label for=${name}>${label}</label>
        <input id=${name} type="number" min=${name === "minutes" ? 1 : 0} max=${most} required .value=${String(this.settings[name])}
          @input=${(event: Event) => this.set({ [name]: Number((event.target as HTMLInputElement).value) })} />
      </div>`;
    return html`<div class="pair">${number("minutes", "Minutes", 180)}${number("increment", "Seconds a move", 60)}</div>`;
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    this.failure = "";
    try {
      const chosen = this.opponents?.find(({ name }) => name === this.settings.opponent[this.settings.game]);
      const game = await beginGame(this.settings, chosen?.levels ?? false);
      this.dispatchEvent(new CustomEvent<PlayedGame>("begin", { detail: game, bubbles: true }));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

/** The opponent of a person who has not chosen yet. */
function usual(found: Opponent[]): string {
  return (found.find((each) => each.strongest && each.levels) ?? found[0])?.name ?? "";
}

/** A row of radio buttons. */
function choices(
  name: string,
  label: string,
  values: [string, string][],
  chosen: string,
  change: (value: string) => void,
  disabled = false,
): TemplateResult {
  return html`
    <fieldset class="choices" ?disabled=${disabled}>
      <legend>${label}</legend>
      <div>
        ${values.map(
          ([value, words]) => html`<label
            ><input type="radio" name=${name} .value=${value} .checked=${value === chosen} @change=${() => change(value)} /><span
              >${words}</span
            ></label
          >`,
        )}
      </div>
    </fieldset>
  `;
}

/** A player that a run has kept, RUN@KEY. */
function keptPlayer(name: string): Opponent {
  return {
    name,
    kind: "run",
    words: "A player that the run has kept.",
    made: "",
    details: "",
    rating: null,
    levels: true,
    strongest: false,
    advises: true,
  };
}
