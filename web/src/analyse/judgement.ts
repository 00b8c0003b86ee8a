import { html, nothing, type TemplateResult } from "lit";
import type { Judged } from "../messages";
import type { GameName } from "../types";
import { costWords } from "./words";

/** What the review says of a move; `show` adds the better line to the tree. */
export function judgement(judged: Judged, game: GameName, show: () => void): TemplateResult {
  const cost = costWords(judged, game === "draughts" ? "men" : "");
  return html`
    <p>
      <b>${judged.move}</b> ${judged.value === "only" ? "was the only move." : html`is worth ${judged.value}.`}
      ${cost ? html`<span class=${judged.kind}>${cost}</span>` : nothing}
    </p>
    ${
      judged.better.length
        ? html`<p>
            Better was ${judged.better.join(" ")} (${judged.best}).
            <button class="plain" type="button" @click=${show}>Show it</button>
          </p>`
        : nothing
    }
  `;
}
