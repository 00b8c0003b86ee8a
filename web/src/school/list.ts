import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import { many } from "../format";
import type { RunLine, Runs } from "../messages";
import { navigate } from "../router";
import { Watched } from "../watched";
import "./form";
import { badge, bar, doneWords, timeWords } from "./progress";

export const MOST_COMPARED = 8;

/** The list of runs, as they are now. */
@customElement("ludus-runs")
export class RunList extends PageElement {
  @property({ attribute: false }) adding: string | null = null;
  @property({ attribute: false }) from: string | null = null;
  @state() private wanted = "";
  @state() private chosen = new Set<string>();
  private readonly watched = new Watched<Runs>(this);

  override connectedCallback(): void {
    super.connectedCallback();
    this.watched.watch({ type: "watch-runs" });
  }

  protected override render(): TemplateResult {
    const found = this.watched.value;
    return html`
      <div class="page-head">
        <div>
          <h1>School</h1>
          <p class="quiet">${found ? this.summary(found) : this.watched.failure || "Reading the runs…"}</p>
        </div>
        ${
          found?.trainings && this.adding === null
            ? html`<a class="button primary" href="/school?new">New training</a>`
            : nothing
        }
      </div>
      ${found?.failures.map((sentence) => html`<p class="panel error" role="alert">A training failed: ${sentence}</p>`)}
      ${
        this.adding !== null && found
          ? found.trainings
            ? html`<ludus-train-form .kind=${this.adding} .from=${this.from} .room=${found.room}></ludus-train-form>`
            : html`<p class="panel">This server does not start trainings.</p>`
          : nothing
      }
      ${found ? this.list(found) : nothing}
    `;
  }

  private summary(found: Runs): string {
    const running = found.runs.filter(({ state }) => state === "running").length;
    const going = running ? `, ${running} of them running` : "";
    return `${many(found.runs.length, "run")} in the folder ${found.folder}${going}.`;
  }

  private list(found: Runs): TemplateResult {
    if (!found.runs.length) {
      return html`<div class="panel empty-list">
        <p>There are no runs yet.</p>
        <p class="quiet">A run is a training: a player that learns from games. Start one here, or with
          <code>ludus train td</code> in a terminal; it appears here while it learns.</p>
      </div>`;
    }
    const shown = found.runs.filter((run) => matches(run, this.wanted));
    const chosen = [...this.chosen].filter((each) => found.runs.some(({ run }) => run === each));
    return html`
      <section class="panel runs" aria-label="Runs">
        <div class="row tools">
          <div class="field search">
            <label class="visually-hidden" for="wanted">Search the runs</label>
            <input id="wanted" type="search" placeholder="Search: name, learner, state" .value=${this.wanted}
              @input=${(event: Event) => {
                this.wanted = (event.target as HTMLInputElement).value;
              }} />
          </div>
          <button type="button" ?disabled=${chosen.length < 2 || chosen.length > MOST_COMPARED}
            @click=${() => navigate(`/school?${new URLSearchParams(chosen.map((run) => ["compare", run]))}`)}>
            Compare ${chosen.length < 2 ? "" : chosen.length}
          </button>
        </div>
        <table class="list">
          <thead>
            <tr>
              <th class="name" scope="col">run</th>
              <th class="name" scope="col">state</th>
              <th class="name" scope="col">result</th>
              <th scope="col">time</th>
              <th scope="col">date</th>
            </tr>
          </thead>
          <tbody>${shown.map((run) => this.row(run))}</tbody>
        </table>
        ${shown.length ? nothing : html`<p class="quiet">No run matches.</p>`}
        <p class="small quiet">Choose two or more runs to see their curves in one chart and what differs in their options.</p>
      </section>
    `;
  }

  private row(run: RunLine): TemplateResult {
    return html`
      <tr>
        <th class="name" scope="row">
          <span class="check">
            <input type="checkbox" aria-label="Choose ${run.run} to compare" .checked=${this.chosen.has(run.run)}
              @change=${() => this.choose(run.run)} />
            <span>
              <a href="/school/${encodeURIComponent(run.run)}">${run.run}</a>
              <span class="small quiet kind">${run.kind}</span>
            </span>
          </span>
        </th>
        <td class="name state">
          ${badge(run.state)} ${bar(run)}
          <span class="small quiet">${run.stage && run.state !== "finished" ? `${run.stage}: ` : ""}${doneWords(run)}</span>
        </td>
        <td class="name note small">${run.note}</td>
        <td class="small time">${timeWords(run)}</td>
        <td class="small date">${run.date}</td>
      </tr>
    `;
  }

  private choose(run: string): void {
    const next = new Set(this.chosen);
    if (!next.delete(run)) next.add(run);
    this.chosen = next;
  }
}

function matches(run: RunLine, wanted: string): boolean {
  const text = `${run.run} ${run.kind} ${run.name} ${run.state} ${run.game} ${run.note}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
