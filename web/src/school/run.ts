import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import { many } from "../format";
import type { RunSeen, RunView } from "../messages";
import { playAddress } from "../report/lineage";
import { section } from "../report/section";
import { connection } from "../socket";
import { keep, load } from "../storage";
import { Watched } from "../watched";
import { badge, bar, doneWords, timeWords } from "./progress";
import { smoothing } from "./smoothing";

/** One run: its state, its curves, its players and its config, as they are now. */
@customElement("ludus-run")
export class RunPage extends PageElement {
  @property({ attribute: false }) run = "";
  @state() private smooth = load("smooth", 0);
  @state() private busy = "";
  @state() private failure = "";
  @state() private kept = "";
  private readonly watched = new Watched<RunSeen>(this);

  protected override willUpdate(): void {
    this.watched.watch({ type: "watch-run", run: this.run });
  }

  protected override render(): TemplateResult {
    const view = this.watched.value?.view;
    return html`
      <nav class="crumbs small" aria-label="Where you are"><a href="/school">All runs</a></nav>
      <div class="page-head">
        <div class="titles">
          <h1>${this.run}</h1>
          ${view ? this.state(view) : html`<p class="quiet">${this.watched.failure || "Reading the run…"}</p>`}
        </div>
        ${view ? this.buttons(view) : nothing}
      </div>
      ${this.failure ? html`<p class="error" role="alert">${this.failure}</p>` : nothing}
      ${view ? this.content(view) : nothing}
    `;
  }

  private state({ line }: RunView): TemplateResult {
    const words = [line.stage, doneWords(line), timeWords(line)].filter(Boolean).join(" · ");
    return html`
      <p class="run-state">${badge(line.state)} <span class="numbers">${words}</span></p>
      ${bar(line)}
      <p class="note" aria-live="polite">${line.note}</p>
    `;
  }

  private buttons({ line, kept }: RunView): TemplateResult {
    const player = line.player ?? kept.at(-1)?.player ?? null;
    return html`
      <div class="row actions">
        ${
          line.here && this.busy !== "resume-training"
            ? html`<button type="button" ?disabled=${this.busy !== "" || line.state !== "running"} @click=${() => this.ask("stop-training")}>
                ${this.busy === "stop-training" ? "Stopping…" : "Stop"}</button>`
            : nothing
        }
        ${
          line.state === "stopped" && (!line.here || this.busy === "resume-training")
            ? html`<button class="primary" type="button" ?disabled=${this.busy !== ""} @click=${() => this.ask("resume-training")}>
                ${this.busy === "resume-training" ? "Starting…" : "Resume"}</button>`
            : nothing
        }
        ${player ? html`<a class="button" href=${playAddress(player, line.game)}>Play against it</a>` : nothing}
        ${
          player
            ? html`<a class="button" href="/arena?${new URLSearchParams({ new: "", first: player, game: line.game })}">Match</a>`
            : nothing
        }
        <a class="button" href="/school?${new URLSearchParams({ new: line.kind, from: line.run })}">Train again…</a>
      </div>
    `;
  }

  private content(view: RunView): TemplateResult {
    const drawn = view.sections.some(({ parts }) => parts.some(({ part }) => part === "lines"));
    return html`
      <p class="intro">${view.intro}</p>
      ${
        view.line.state === "running" && !view.line.here
          ? html`<p class="small quiet">It was started in another place, a terminal for instance; stop it there with Ctrl-C.</p>`
          : nothing
      }
      ${
        drawn
          ? html`<div class="chart-tools">${smoothing(this.smooth, (value) => {
              this.smooth = value;
              keep("smooth", value);
            })}<span class="small quiet">Drag over a chart to zoom, double-click to see all.</span></div>`
          : nothing
      }
      <div class="stack">
        ${view.sections.map((each) => section(each, this.smooth, view.line.game))}
        ${view.kept.length ? this.players(view) : nothing}
        ${view.config.length ? this.config(view) : nothing}
      </div>
    `;
  }

  private players({ kept, line }: RunView): TemplateResult {
    const chosen = kept.find(({ key }) => key === this.kept) ?? kept.at(-1)!;
    return html`
      <section class="panel report">
        <h2>Players on the way</h2>
        <p>The run has kept ${many(kept.length, "player")}. Play an early one, then a late one.</p>
        <div class="row">
          <div class="field">
            <label class="visually-hidden" for="kept">Player</label>
            <select id="kept" @change=${(event: Event) => {
              this.kept = (event.target as HTMLSelectElement).value;
            }}>
              ${kept.map(({ key }) => html`<option value=${key} ?selected=${key === chosen.key}>${key}</option>`)}
            </select>
          </div>
          <a class="button" href=${playAddress(chosen.player, line.game)}>Play ${chosen.key}</a>
        </div>
      </section>
    `;
  }

  private config({ config, command, line }: RunView): TemplateResult {
    const own = config.filter(({ usual }) => !usual);
    return html`
      <section class="panel report">
        <h2>Config</h2>
        <p>${
          own.length
            ? html`${many(own.length, "option")} of ${line.kind} ${own.length === 1 ? "differs" : "differ"} from the default:
              ${own.map(({ name, value }, index) => html`${index ? ", " : ""}<strong>${name}</strong> ${value || "none"}`)}.`
            : `All options have the defaults of ${line.kind}.`
        }</p>
        ${command ? html`<p class="small quiet">Begun by <code>${command}</code></p>` : nothing}
        <details>
          <summary>All ${many(config.length, "option")}</summary>
          <dl class="options small">
            ${config.map(
              ({ name, value, usual }) =>
                html`<div><dt class=${usual ? "" : "own"}>${name}</dt><dd>${value || "none"}</dd></div>`,
            )}
          </dl>
        </details>
      </section>
    `;
  }

  private async ask(type: "stop-training" | "resume-training"): Promise<void> {
    this.busy = type;
    this.failure = "";
    try {
      await connection.ask({ type, run: this.run }, { again: false });
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = "";
    }
  }
}
