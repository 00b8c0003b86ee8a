import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import { isOther } from "../look";
import type { Judged, Reviewed, SideReview } from "../messages";
import { connection, isAborted } from "../socket";
import type { Line } from "../types";
import "./curve";
import "./review.css";

/** The review of a whole game. Fires `judged` with what was said so far, by ply, `go` with a ply, `reviewing` when it begins and ends. */
@customElement("ludus-review")
export class Review extends PageElement {
  /** The main line of the game. */
  @property({ attribute: false, hasChanged: isOther }) line!: Line;
  @property({ attribute: false }) ply = 0;
  /** Counts up when a review is asked for from elsewhere. */
  @property({ attribute: false }) asked = 0;

  @state() private judged = new Map<number, Judged>();
  @state() private result: Reviewed | null = null;
  @state() private running = false;
  @state() private failure = "";
  private stop: AbortController | null = null;
  private reviewed = "";

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const text = JSON.stringify(this.line);
    if (this.reviewed && text !== this.reviewed) this.clear();
    if (changed.has("asked") && this.asked) void this.begin();
  }

  private clear(): void {
    this.stop?.abort();
    this.reviewed = "";
    this.judged = new Map();
    this.result = null;
    this.setRunning(false);
    this.tell();
  }

  /** The page stops its own search meanwhile: a review needs the processor. */
  private setRunning(running: boolean): void {
    this.running = running;
    this.dispatchEvent(new CustomEvent<boolean>("reviewing", { detail: running, bubbles: true }));
  }

  private tell(): void {
    this.dispatchEvent(new CustomEvent("judged", { detail: this.judged, bubbles: true }));
  }

  private async begin(): Promise<void> {
    this.clear();
    this.reviewed = JSON.stringify(this.line);
    this.setRunning(true);
    this.failure = "";
    const stop = new AbortController();
    this.stop = stop;
    try {
      this.result = await connection.ask<Reviewed>(
        { type: "review", line: this.line },
        {
          signal: stop.signal,
          each: (answer: Judged | Reviewed) => {
            if (answer.type !== "judged" || stop.signal.aborted) return;
            this.judged = new Map(this.judged).set(answer.ply, answer);
            this.tell();
          },
        },
      );
    } catch (error) {
      if (!isAborted(error)) this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      if (this.stop === stop) this.setRunning(false);
    }
  }

  protected override render(): TemplateResult {
    const count = this.line.moves.length;
    return html`
      <div class="row">
        ${
          this.running
            ? html`<button type="button" @click=${() => this.stop?.abort()}>Stop</button>
                <progress max=${count} .value=${this.judged.size} aria-label="Moves judged"></progress>
                <span class="small quiet numbers">${this.judged.size} of ${count}</span>`
            : html`<button type="button" class="primary" ?disabled=${!count} @click=${this.begin}>
                ${this.result ? "Review again" : "Review the game"}
              </button>`
        }
      </div>
      <p class="small quiet about">
        ${
          count
            ? "Every move is compared with the best one. Click the curve to go to a move."
            : "Open or play a game first: a review judges every move of the main line."
        }
      </p>
      <p class="small error">${this.failure || nothing}</p>
      ${
        this.judged.size
          ? html`<ludus-curve .judged=${this.judged} .count=${count} .ply=${this.ply}></ludus-curve>`
          : nothing
      }
      ${this.result ? this.summary(this.result) : nothing}
    `;
  }

  private summary({ black, white, unit, player }: Reviewed): TemplateResult {
    const row = (name: string, value: (side: SideReview) => string | number): TemplateResult => html`<tr>
      <th class="name" scope="row">${name}</th>
      <td>${value(black)}</td>
      <td>${value(white)}</td>
    </tr>`;
    return html`
      <table class="summary">
        <thead>
          <tr>
            <th class="name" scope="col">Side</th>
            <th scope="col">Black</th>
            <th scope="col">White</th>
          </tr>
        </thead>
        <tbody>
          ${row("Accuracy", (side) => `${side.accuracy.toFixed(0)}%`)} ${row("Blunders ??", (side) => side.blunders)}
          ${row("Mistakes ?", (side) => side.mistakes)} ${row("Slips ?!", (side) => side.slips)}
          ${row("Wins thrown away", (side) => side.thrown)}
          ${row(`Mean cost of a move${unit === "men" ? ", men" : ""}`, (side) => side.mean_cost.toFixed(2))}
        </tbody>
      </table>
      <p class="small quiet">Judged by ${player}.</p>
    `;
  }
}
