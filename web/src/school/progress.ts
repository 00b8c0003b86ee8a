/** How far a run has come, in a bar and in words. */

import { html, nothing, type TemplateResult } from "lit";
import { count, duration } from "../format";
import type { RunLine } from "../messages";

const WORDS: Record<RunLine["state"], string> = {
  finished: "Finished",
  running: "Running",
  stopped: "Stopped",
  broken: "Broken",
};

export function badge(state: RunLine["state"]): TemplateResult {
  return html`<span class="badge ${state}">${WORDS[state]}</span>`;
}

export function bar(run: RunLine): TemplateResult | typeof nothing {
  if (run.state === "finished" || run.state === "broken") return nothing;
  const label = `Progress of ${run.run}`;
  return run.total
    ? html`<progress max=${run.total} value=${run.done} aria-label=${label}></progress>`
    : html`<progress max="1" value="0" aria-label=${label}></progress>`;
}

/** "12,000 of 1,000,000 games". */
export function doneWords(run: RunLine): string {
  if (!run.total) return run.state === "running" ? "it begins" : "";
  if (run.state === "finished") return `${count(run.done)} ${run.unit}`;
  return `${count(run.done)} of ${count(run.total)} ${run.unit}`;
}

/** "3 min so far, about 20 min left". */
export function timeWords(run: RunLine): string {
  const words = run.seconds ? [`${duration(run.seconds)}${run.state === "running" ? " so far" : ""}`] : [];
  if (run.left !== null) words.push(`about ${duration(run.left)} left`);
  return words.join(", ");
}
