import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";
import { count, many } from "../format";
import type { ArenaSeen, LadderLine, MatchLine } from "../messages";
import { intervals } from "../report/intervals";
import "../report/report.css";
import { Watched } from "../watched";
import "./form";
import { badge, eloWords, resultBar, scoreWords } from "./score";

/** The ladders and the matches, as they are now. */
@customElement("ludus-arena-list")
export class ArenaList extends PageElement {
  @property({ attribute: false }) adding = false;
  @property({ attribute: false }) first: string | null = null;
  @property({ attribute: false }) game: string | null = null;
  private readonly watched = new Watched<ArenaSeen>(this);

  override connectedCallback(): void {
    super.connectedCallback();
    this.watched.watch({ type: "watch-arena" });
  }

  protected override render(): TemplateResult {
    const found = this.watched.value;
    return html`
      <div class="page-head">
        <div>
          <h1>Arena</h1>
          <p class="quiet">${found ? "Players meet here: matches with intervals, and ladders of many players." : this.watched.failure || "Reading the arena…"}</p>
        </div>
        ${found?.allowed && !this.adding ? html`<a class="button primary" href="/arena?new">New match</a>` : nothing}
      </div>
      ${found?.failures.map((sentence) => html`<p class="panel error" role="alert">A match failed: ${sentence}</p>`)}
      ${
        this.adding && found
          ? found.allowed
            ? html`<ludus-match-form .first=${this.first} .game=${this.game} .room=${found.room}></ludus-match-form>`
            : html`<p class="panel">This server does not start matches.</p>`
          : nothing
      }
      ${found ? html`<div class="stack">${this.matchList(found)} ${this.ladderList(found)}</div>` : nothing}
    `;
  }

  private matchList(found: ArenaSeen): TemplateResult {
    return html`
      <section class="panel" aria-label="Matches">
        <h2>Matches</h2>
        ${
          found.matches.length
            ? html`<table class="list matches">
                <thead>
                  <tr>
                    <th class="name" scope="col">players</th>
                    <th class="name" scope="col">state</th>
                    <th class="name" scope="col">score of the first player</th>
                    <th class="name" scope="col">Elo difference</th>
                  </tr>
                </thead>
                <tbody>${found.matches.map(matchRow)}</tbody>
              </table>`
            : html`<p class="quiet">No match is kept here yet. Start one, or play one with
                <code>ludus match … --out runs/matches/NAME</code>.</p>`
        }
      </section>
    `;
  }

  private ladderList(found: ArenaSeen): TemplateResult {
    return html`
      <section class="panel report" aria-label="Ladders">
        <h2>Ladders</h2>
        ${
          found.ladders.length
            ? html`<table class="list">
                <thead>
                  <tr>
                    <th class="name" scope="col">ladder</th>
                    <th class="name" scope="col">players and games</th>
                    <th class="name" scope="col">best</th>
                  </tr>
                </thead>
                <tbody>${found.ladders.map(ladderRow)}</tbody>
              </table>`
            : html`<p class="quiet">No ladder is kept here. <code>ludus ladder --all --out runs/ladder</code> plays all
                players of the package against each other; it appears here while it is played.</p>`
        }
        ${
          found.package.length
            ? html`<div class="parts package">${found.package.map((each) => intervals(each))}</div>`
            : nothing
        }
      </section>
    `;
  }
}

function matchRow(line: MatchLine): TemplateResult {
  const [one, other] = line.players;
  return html`
    <tr>
      <th class="name" scope="row">
        <a href="/arena/match/${encodeURIComponent(line.match)}">${one} against ${other}</a>
        <span class="small quiet kind">${line.game}</span>
      </th>
      <td class="name">
        ${badge(line.state)}
        <span class="small quiet">${count(line.score.games)} of ${many(line.planned, "game")}</span>
      </td>
      <td class="name">${resultBar(line.score)}<span class="small numbers">${scoreWords(line.score)}</span></td>
      <td class="name small numbers">${eloWords(line.score)}</td>
    </tr>
  `;
}

function ladderRow(line: LadderLine): TemplateResult {
  return html`
    <tr>
      <th class="name" scope="row">
        <a href="/arena/ladder/${encodeURIComponent(line.ladder)}">${line.ladder}</a>
        <span class="small quiet kind">${line.game}</span>
      </th>
      <td class="name">${line.running ? badge("running") : nothing} ${many(line.players, "player")}, ${many(line.games, "game")}</td>
      <td class="name">${line.best}</td>
    </tr>
  `;
}
