import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "../chart";
import type { Look } from "../chart";
import { overlaid } from "../curves";
import { PageElement } from "../element";
import { many } from "../format";
import type { LinesPart, RunSeen, RunView } from "../messages";
import { keep, load } from "../storage";
import { Watched } from "../watched";
import { badge } from "./progress";
import { smoothing } from "./smoothing";

interface Found {
  name: string;
  part: LinesPart;
  run: number; // its place among the runs
}

/** Several runs: their curves in common charts, and what differs in their options. */
@customElement("ludus-compare")
export class Compare extends PageElement {
  @property({ attribute: false }) runs: string[] = [];
  @state() private smooth = load("smooth", 0);
  @state() private all = false;
  private watched = new Map<string, Watched<RunSeen>>();

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("runs")) return;
    for (const [run, each] of this.watched) if (!this.runs.includes(run)) each.watch(null);
    for (const run of this.runs.slice(0, 8)) {
      const each = this.watched.get(run) ?? new Watched<RunSeen>(this);
      this.watched.set(run, each);
      each.watch({ type: "watch-run", run });
    }
  }

  protected override render(): TemplateResult {
    const views = this.runs
      .map((run) => this.watched.get(run)?.value?.view)
      .filter((view): view is RunView => view !== undefined && view !== null);
    const failures = this.runs.map((run) => this.watched.get(run)?.failure ?? "").filter(Boolean);
    return html`
      <nav class="crumbs small" aria-label="Where you are"><a href="/school">All runs</a></nav>
      <h1>${many(this.runs.length, "run")} compared</h1>
      ${failures.map((sentence) => html`<p class="error" role="alert">${sentence}</p>`)}
      <ul class="compared">
        ${views.map(
          ({ line }, index) => html`
            <li>
              <span class="swatch" style="background: var(--series-${(index % 6) + 1})"></span>
              <a href="/school/${encodeURIComponent(line.run)}">${line.run}</a>
              ${badge(line.state)} <span class="small quiet">${line.note}</span>
            </li>
          `,
        )}
      </ul>
      ${views.length < this.runs.length && !failures.length ? html`<p class="loading">Reading the runs…</p>` : nothing}
      <div class="chart-tools">${smoothing(this.smooth, (value) => {
        this.smooth = value;
        keep("smooth", value);
      })}</div>
      <div class="stack">${this.charts(views)} ${views.length > 1 ? this.options(views) : nothing}</div>
    `;
  }

  private charts(views: RunView[]): TemplateResult {
    const titles = new Map<string, Found[]>();
    views.forEach((view, run) => {
      for (const { parts } of view.sections) {
        for (const part of parts) {
          if (part.part !== "lines") continue;
          const found = titles.get(part.title) ?? [];
          titles.set(part.title, [...found, { name: view.line.run, part, run }]);
        }
      }
    });
    const shared = [...titles.values()].filter((found) => found.length > 1);
    if (views.length > 1 && !shared.length) {
      return html`<p class="panel">These runs have no curve in common: they are of different kinds.</p>`;
    }
    return html`
      <section class="panel report">
        <h2>Curves</h2>
        <div class="parts">
          ${shared.map(
            (found) => html`
              <ludus-chart .data=${overlaid(found)} .looks=${found.flatMap(looks)} .smooth=${this.smooth}></ludus-chart>
            `,
          )}
        </div>
      </section>
    `;
  }

  /** The options, those that differ first. */
  private options(views: RunView[]): TemplateResult {
    const names = [...new Set(views.flatMap(({ config }) => config.map(({ name }) => name)))];
    const rows = names.map((name) => ({
      name,
      values: views.map(({ config }) => config.find((option) => option.name === name)?.value),
    }));
    const kinds = { name: "learner", values: views.map(({ line }) => line.kind as string | undefined) };
    const differing = [kinds, ...rows].filter(({ values }) => new Set(values).size > 1);
    const same = [kinds, ...rows].filter(({ values }) => new Set(values).size === 1);
    return html`
      <section class="panel report">
        <h2>Options</h2>
        <p>${differing.length ? `${many(differing.length, "option")} differ, ${same.length} are the same.` : "All options are the same."}</p>
        <div class="table">
          <div class="scroll" tabindex="0" role="group" aria-label="Options of the runs">
            <table>
              <thead>
                <tr><th class="name" scope="col">option</th>${views.map(({ line }) => html`<th class="name" scope="col">${line.run}</th>`)}</tr>
              </thead>
              <tbody>
                ${differing.map((row) => option(row, "differs"))}
                ${this.all ? same.map((row) => option(row, "")) : nothing}
              </tbody>
            </table>
          </div>
        </div>
        <button type="button" aria-expanded=${this.all ? "true" : "false"} @click=${() => {
          this.all = !this.all;
        }}>${this.all ? "Hide" : "Show"} what is the same</button>
      </section>
    `;
  }
}

function option({ name, values }: { name: string; values: (string | undefined)[] }, kind: string): TemplateResult {
  return html`
    <tr class=${kind}>
      <th class="name" scope="row">${name}</th>
      ${values.map((value) => html`<td class="prose">${value === undefined ? html`<span class="quiet">not an option</span>` : value || "none"}</td>`)}
    </tr>
  `;
}

/** A colour for each run, dashes for its several curves. */
function looks({ part, run }: Found): Look[] {
  return part.curves.map((_, index) => ({ colour: run % 6, dash: index % 4 }));
}
