import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import { signed } from "../format";
import { players } from "../lists";
import type { MatchStarted } from "../messages";
import { navigate } from "../router";
import { connection } from "../socket";
import { keep, load } from "../storage";
import type { GameName, Opponent } from "../types";

interface Chosen {
  game: GameName;
  first: string;
  second: string;
  firstBudget: string;
  secondBudget: string;
  games: number;
  openings: string;
  seed: number;
  sprt: boolean;
  elo0: number;
  elo1: number;
}

const USUAL: Chosen = {
  game: "draughts",
  first: "",
  second: "",
  firstBudget: "nodes=2000",
  secondBudget: "nodes=2000",
  games: 100,
  openings: "",
  seed: 0,
  sprt: false,
  elo0: 0,
  elo1: 20,
};

const OPENINGS: Record<GameName, [string, string][]> = {
  draughts: [
    ["", "three-move ballots"],
    ["ballots2", "two-move ballots"],
    ["random:4", "4 random plies"],
    ["none", "the start of the game"],
  ],
  tictactoe3d: [
    ["", "4 random plies"],
    ["random:2", "2 random plies"],
    ["none", "the start of the game"],
  ],
};

const BUDGETS: [string, string][] = [
  ["", "its own"],
  ["nodes=2000", "2,000 nodes"],
  ["nodes=20000", "20,000 nodes"],
  ["nodes=100000", "100,000 nodes"],
  ["depth=2", "depth 2"],
  ["depth=4", "depth 4"],
  ["depth=6", "depth 6"],
  ["depth=8", "depth 8"],
  ["playouts=100", "100 play-outs"],
  ["playouts=300", "300 play-outs"],
  ["playouts=1000", "1,000 play-outs"],
  ["seconds=0.1", "0.1 seconds"],
];

/** The form of a match between two players of the catalogue. */
@customElement("ludus-match-form")
export class MatchForm extends PageElement {
  @property({ attribute: false }) first: string | null = null;
  @property({ attribute: false }) game: string | null = null;
  @property({ type: Number }) room = 0;
  @state() private chosen: Chosen = { ...USUAL, ...load<Partial<Chosen>>("match", {}) };
  @state() private catalogue: Opponent[] = [];
  @state() private busy = false;
  @state() private failure = "";

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("first") && !changed.has("game")) return;
    if (this.game === "draughts" || this.game === "tictactoe3d") this.chosen = { ...this.chosen, game: this.game };
    if (this.first) this.chosen = { ...this.chosen, first: this.first };
    void this.readPlayers();
  }

  private async readPlayers(): Promise<void> {
    const { game } = this.chosen;
    try {
      const found = await players(game);
      if (game !== this.chosen.game) return;
      this.catalogue = found;
      const known = (name: string): boolean => found.some((each) => each.name === name) || name === this.first;
      const first = known(this.chosen.first) ? this.chosen.first : (found[0]?.name ?? "");
      const second = known(this.chosen.second)
        ? this.chosen.second
        : (found.find(({ name }) => name !== first)?.name ?? "");
      this.change({ first, second });
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  private change(some: Partial<Chosen>): void {
    this.chosen = { ...this.chosen, ...some };
  }

  protected override render(): TemplateResult {
    const { chosen } = this;
    const text = (name: keyof Chosen) => (event: Event) =>
      this.change({ [name]: (event.target as HTMLInputElement | HTMLSelectElement).value });
    const number = (name: keyof Chosen) => (event: Event) =>
      this.change({ [name]: Number((event.target as HTMLInputElement).value) });
    return html`
      <form class="panel match-form" @submit=${this.submit} aria-labelledby="match-title">
        <div class="page-head">
          <h2 id="match-title">New match</h2>
          <a href="/arena" aria-label="Close the form">Close</a>
        </div>
        <div class="top-fields">
          <div class="field">
            <label for="match-game">Game</label>
            <select id="match-game" @change=${(event: Event) => {
              this.change({ game: (event.target as HTMLSelectElement).value as GameName, openings: "" });
              void this.readPlayers();
            }}>
              <option value="draughts" ?selected=${chosen.game === "draughts"}>Draughts</option>
              <option value="tictactoe3d" ?selected=${chosen.game === "tictactoe3d"}>Tic-Tac-Toe 3D</option>
            </select>
          </div>
          <div class="field">
            <label for="match-games">Games</label>
            <input id="match-games" type="number" min="2" max="100000" step="2" required .value=${String(chosen.games)} @input=${number("games")} />
            <p class="help">An even number: every opening is played with both colours.</p>
          </div>
          <div class="field">
            <label for="match-openings">Openings</label>
            <select id="match-openings" @change=${text("openings")}>
              ${OPENINGS[chosen.game].map(([value, words]) => html`<option value=${value} ?selected=${value === chosen.openings}>${words}</option>`)}
            </select>
          </div>
          <div class="field">
            <label for="match-seed">Seed</label>
            <input id="match-seed" type="number" min="0" step="1" required .value=${String(chosen.seed)} @input=${number("seed")} />
            <p class="help">The same seed gives the same games.</p>
          </div>
        </div>
        <div class="top-fields two">
          ${this.player("First player", "first", "firstBudget")} ${this.player("Second player", "second", "secondBudget")}
        </div>
        <div class="row">
          <label class="check"><input type="checkbox" .checked=${chosen.sprt} @change=${(event: Event) => this.change({ sprt: (event.target as HTMLInputElement).checked })} />
            Stop when a sequential test is decided</label>
          ${
            chosen.sprt
              ? html`<label class="inline">between <input type="number" step="any" required .value=${String(chosen.elo0)} @input=${number("elo0")} /></label>
                <label class="inline">and <input type="number" step="any" required .value=${String(chosen.elo1)} @input=${number("elo1")} /> Elo</label>`
              : nothing
          }
        </div>
        ${this.failure ? html`<p class="error" role="alert">${this.failure}</p>` : nothing}
        <div class="row">
          <button class="primary" type="submit" ?disabled=${this.busy || this.room < 1}>${this.busy ? "Starting…" : "Start match"}</button>
          <span class="small quiet">${
            this.room < 1
              ? "No more trainings or matches can be started at the moment: stop one first."
              : "It goes on if you close the page, and stops with the server. Its games are kept."
          }</span>
        </div>
      </form>
    `;
  }

  private player(label: string, name: "first" | "second", budget: "firstBudget" | "secondBudget"): TemplateResult {
    const chosen = this.chosen[name];
    const found = this.catalogue.find((each) => each.name === chosen);
    const other = this.first && !this.catalogue.some((each) => each.name === this.first) ? [this.first] : [];
    return html`
      <div class="field">
        <label for="match-${name}">${label}</label>
        <select id="match-${name}" @change=${(event: Event) => this.change({ [name]: (event.target as HTMLSelectElement).value })}>
          ${other.map((each) => html`<option value=${each} ?selected=${each === chosen}>${each}</option>`)}
          ${this.catalogue.map(
            (each) => html`<option value=${each.name} ?selected=${each.name === chosen}>
              ${each.name}${each.rating ? ` (${signed(each.rating.elo)})` : ""}</option>`,
          )}
        </select>
        <p class="help">${found?.words ?? (chosen.includes("@") ? "A player that the run has kept." : "")}</p>
      </div>
      <div class="field">
        <label for="match-${budget}">Budget of a move</label>
        <select id="match-${budget}" @change=${(event: Event) => this.change({ [budget]: (event.target as HTMLSelectElement).value })}>
          ${BUDGETS.map(([value, words]) => html`<option value=${value} ?selected=${value === this.chosen[budget]}>${words}</option>`)}
        </select>
      </div>
    `;
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.busy) return;
    const { chosen } = this;
    keep("match", chosen);
    this.busy = true;
    this.failure = "";
    try {
      const { match } = await connection.ask<MatchStarted>(
        {
          type: "match",
          game: chosen.game,
          first: chosen.first,
          second: chosen.second,
          first_budget: this.budget(chosen.first, chosen.firstBudget),
          second_budget: this.budget(chosen.second, chosen.secondBudget),
          games: chosen.games,
          openings: chosen.openings || null,
          seed: chosen.seed,
          elo0: chosen.sprt ? chosen.elo0 : null,
          elo1: chosen.sprt ? chosen.elo1 : null,
        },
        { again: false },
      );
      navigate(`/arena/match/${encodeURIComponent(match)}`);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }

  /** Players that do not search have no budget. */
  private budget(name: string, budget: string): string | null {
    const found = this.catalogue.find((each) => each.name === name);
    return found && !found.levels ? null : budget || null;
  }
}
