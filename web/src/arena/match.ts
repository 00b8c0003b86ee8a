import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import { count, many } from "../format";
import type { GameLine, MatchSeen, MatchText, MatchView, SprtBar } from "../messages";
import { handOver } from "../report/handover";
import { lines, table } from "../report/section";
import { navigate } from "../router";
import { connection } from "../socket";
import { Watched } from "../watched";
import { badge, eloWords, resultBar, scoreWords } from "./score";

const SHOWN = 50; // games at once

/** A match as it is now: score, Elo, sequential test, endings, thrown wins, and its games. */
@customElement("ludus-match")
export class Match extends PageElement {
  @property({ attribute: false }) match = "";
  @state() private wanted = "all";
  @state() private shown = SHOWN;
  @state() private busy = "";
  @state() private failure = "";
  private readonly watched = new Watched<MatchSeen>(this);

  protected override willUpdate(): void {
    this.watched.watch({ type: "watch-match", match: this.match });
  }

  protected override render(): TemplateResult {
    const view = this.watched.value?.view;
    const [one, other] = view?.line.players ?? ["", ""];
    return html`
      <nav class="crumbs small" aria-label="Where you are">
        <a href="/arena">Arena</a>
        ${view?.ladder ? html` › <a href="/arena/ladder/${encodeURIComponent(view.ladder)}">Ladder ${view.ladder}</a>` : nothing}
      </nav>
      <div class="page-head">
        <div class="titles">
          <h1>${view ? `${one} against ${other}` : this.match}</h1>
          ${
            view
              ? html`<p>${badge(view.line.state)} <span class="numbers">${count(view.line.score.games)} of ${many(view.line.planned, "game")}</span>
                  <span class="quiet">· ${view.line.game}, openings ${view.openings}, seed ${view.seed}; ${view.rules}</span></p>
                ${view.line.state === "finished" ? nothing : html`<progress max=${view.line.planned} value=${view.line.score.games} aria-label="Games played"></progress>`}`
              : html`<p class="quiet">${this.watched.failure || "Reading the match…"}</p>`
          }
        </div>
        ${view ? this.buttons(view) : nothing}
      </div>
      ${this.failure ? html`<p class="error" role="alert">${this.failure}</p>` : nothing}
      ${view ? this.content(view) : nothing}
    `;
  }

  private buttons({ line }: MatchView): TemplateResult {
    return html`
      <div class="row actions">
        ${
          line.here && this.busy !== "resume-match"
            ? html`<button type="button" ?disabled=${this.busy !== "" || line.state !== "running"} @click=${() => this.ask("stop-match")}>
                ${this.busy === "stop-match" ? "Stopping…" : "Stop"}</button>`
            : nothing
        }
        ${
          line.again && (!line.here || this.busy === "resume-match")
            ? html`<button class="primary" type="button" ?disabled=${this.busy !== ""} @click=${() => this.ask("resume-match")}>
                ${this.busy === "resume-match" ? "Starting…" : "Resume"}</button>`
            : nothing
        }
      </div>
    `;
  }

  private content(view: MatchView): TemplateResult {
    const { score, players } = view.line;
    return html`
      <div class="match-page">
        <section class="panel score-panel" aria-live="polite">
          <h2>Score of ${players[0]}</h2>
          ${
            score.games
              ? html`<p class="large numbers">${scoreWords(score)}</p>
                ${resultBar(score)}
                <p class="numbers"><strong>${score.wins}</strong> won, <strong>${score.draws}</strong> drawn, <strong>${score.losses}</strong> lost</p>
                <p class="numbers">${eloWords(score)} <span class="quiet small">with 95% intervals</span></p>`
              : html`<p class="quiet">No pair of games is finished yet.</p>`
          }
          ${view.sprt ? sprtBar(view.sprt) : nothing}
        </section>
        <section class="panel report">${lines(view.curve)}</section>
        <section class="panel">
          <h2>How the games ended</h2>
          ${
            view.endings.length
              ? html`<ul class="endings">${view.endings.map(
                  ({ reason, games }) =>
                    html`<li><span>${reason}</span><meter min="0" max=${score.games || 1} value=${games} aria-label="Games by ${reason}"></meter><span class="numbers">${count(games)}</span></li>`,
                )}</ul>`
              : html`<p class="quiet">None yet.</p>`
          }
          <dl class="facts small">
            <div><dt>plies a game</dt><dd>${view.plies.toFixed(1)}</dd></div>
            ${view.loops ? html`<div><dt>loops</dt><dd>${view.loops}</dd></div>` : nothing}
            <div><dt>pairs by points 0, ½, 1, 1½, 2</dt><dd>${view.pentanomial.join(" · ")}</dd></div>
            ${players.map(
              (name, index) =>
                html`<div><dt>${name}</dt><dd>${count(Math.round(view.nodes[index] ?? 0))} nodes, ${(1000 * (view.seconds[index] ?? 0)).toFixed(1)} ms a move</dd></div>`,
            )}
          </dl>
        </section>
        ${
          view.thrown
            ? html`<section class="panel report wide"><h2>Thrown wins</h2>
                <p class="small quiet">Won positions reached, wins thrown, draws lost and losses saved, by the endgame tables.</p>
                ${table(view.thrown, "Thrown wins")}</section>`
            : nothing
        }
        ${this.games(view)}
      </div>
    `;
  }

  private games(view: MatchView): TemplateResult {
    const [one] = view.line.players;
    const kinds: Record<string, (game: GameLine) => boolean> = {
      all: () => true,
      won: (game) => game.winner !== null && game[game.winner] === one,
      drawn: (game) => game.winner === null,
      lost: (game) => game.winner !== null && game[game.winner] !== one,
      thrown: (game) => game.thrown > 0,
    };
    const found = view.games.filter(kinds[this.wanted]!);
    return html`
      <section class="panel games">
        <h2>Games</h2>
        <div class="row tools">
          <div class="field">
            <label class="visually-hidden" for="games-wanted">Games to show</label>
            <select id="games-wanted" @change=${(event: Event) => {
              this.wanted = (event.target as HTMLSelectElement).value;
              this.shown = SHOWN;
            }}>
              <option value="all">All games</option>
              <option value="won">Won by ${one}</option>
              <option value="drawn">Drawn</option>
              <option value="lost">Lost by ${one}</option>
              <option value="thrown">With a thrown win</option>
            </select>
          </div>
          <span class="small quiet">${many(found.length, "game")}</span>
        </div>
        <table class="list">
          <thead>
            <tr>
              <th class="name" scope="col">game</th>
              <th class="name" scope="col">result</th>
              <th class="name" scope="col">opening</th>
              <th scope="col">plies</th>
              <td></td>
            </tr>
          </thead>
          <tbody>${found.slice(0, this.shown).map((game) => this.row(game))}</tbody>
        </table>
        ${
          found.length > this.shown
            ? html`<button type="button" @click=${() => {
                this.shown += 200;
              }}>Show more</button>`
            : nothing
        }
      </section>
    `;
  }

  private row(game: GameLine): TemplateResult {
    const words =
      game.winner === null ? "Draw" : `${game[game.winner]} won as ${game.winner === "black" ? "Black" : "White"}`;
    return html`
      <tr>
        <th class="name" scope="row">${game.number}. ${game.black} – ${game.white}</th>
        <td class="name">${words}: ${game.reason}${game.thrown ? html` <span class="badge thrown">${many(game.thrown, "thrown win")}</span>` : nothing}
          ${game.note ? html`<span class="small quiet">${game.note}</span>` : nothing}</td>
        <td class="name small">${game.opening}</td>
        <td><span class="only-small small quiet">plies: </span>${game.plies}</td>
        <td><button class="small" type="button" aria-label="Replay game ${game.number}" @click=${() => this.replay(game.number)}>Replay</button></td>
      </tr>
    `;
  }

  private gameTitle(number: number): string {
    const game = this.watched.value?.view.games.find((each) => each.number === number);
    return game ? `${game.black} – ${game.white}, game ${number}` : `Game ${number}`;
  }

  private async replay(number: number): Promise<void> {
    try {
      const found = await connection.ask<MatchText>({ type: "match-game", match: this.match, number });
      handOver(found.game, null, found.moves, this.gameTitle(number));
      navigate("/analyse");
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  private async ask(type: "stop-match" | "resume-match"): Promise<void> {
    this.busy = type;
    this.failure = "";
    try {
      await connection.ask({ type, match: this.match }, { again: false });
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = "";
    }
  }
}

/** The log-likelihood ratio of a sequential test between its two bounds. */
function sprtBar({ elo0, elo1, llr, low, high, verdict }: SprtBar): TemplateResult {
  const place = (100 * (Math.min(high, Math.max(low, llr)) - low)) / (high - low);
  const words =
    verdict === "continue"
      ? "It is not decided yet."
      : `It is decided: the difference is ${verdict === "accept H1" ? `${elo1} Elo or more` : `${elo0} Elo or less`}.`;
  return html`
    <div class="sprt">
      <h3>Sequential test: ${elo0} against ${elo1} Elo</h3>
      <div class="track" role="meter" aria-label="Log-likelihood ratio" aria-valuemin=${low.toFixed(2)} aria-valuemax=${high.toFixed(2)}
        aria-valuenow=${llr.toFixed(2)}>
        <span class="fill" style="left: ${Math.min(50, place)}%; width: ${Math.abs(place - 50)}%"></span>
        <span class="middle"></span>
      </div>
      <div class="ends small numbers"><span>${elo0} Elo: ${low.toFixed(2)}</span><strong>${llr.toFixed(2)}</strong><span>${elo1} Elo: ${high.toFixed(2)}</span></div>
      <p class="small">${words}</p>
    </div>
  `;
}
