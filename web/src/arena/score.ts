/** The score of a match in words, and as a bar of wins, draws and losses. */

import { html, type TemplateResult } from "lit";
import { percent, signed } from "../format";
import type { MatchLine, MatchScore } from "../messages";

const WORDS: Record<MatchLine["state"], string> = { finished: "Finished", running: "Running", stopped: "Stopped" };

export function badge(state: MatchLine["state"]): TemplateResult {
  return html`<span class="badge ${state}">${WORDS[state]}</span>`;
}

/** "52.2% [47.3, 57.3]". */
export function scoreWords({ score, low, high }: MatchScore): string {
  return score === null ? "no games yet" : `${percent(score)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
}

/** "Elo +15 [-19, +51]"; an end that games cannot tell is an infinity. */
export function eloWords({ games, score, elo, elo_low, elo_high }: MatchScore): string {
  if (!games || score === null) return "";
  const value = elo === null ? (score > 0.5 ? "+∞" : "-∞") : signed(elo);
  return `Elo ${value} [${signed(elo_low, "-∞")}, ${signed(elo_high, "+∞")}]`;
}

export function resultBar({ wins, draws, losses, games }: MatchScore): TemplateResult {
  const share = (value: number): string => `flex-grow: ${games ? value / games : 0}`;
  return html`
    <div class="result-bar" role="img" aria-label="${wins} wins, ${draws} draws, ${losses} losses">
      <span class="wins" style=${share(wins)}></span>
      <span class="draws" style=${share(draws)}></span>
      <span class="losses" style=${share(losses)}></span>
    </div>
  `;
}
