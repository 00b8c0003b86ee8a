/** How champions were made: a cell for each generation, and the family tree of the last one. Both lead to a game. */

import { html, nothing, type TemplateResult } from "lit";
import { many } from "../format";
import type { OriginsPart, TreePart } from "../messages";

/** The address of a game against a player. */
export function playAddress(player: string, game = ""): string {
  const query = new URLSearchParams({ with: player });
  if (game) query.set("game", game);
  return `/play?${query}`;
}

function colours(kinds: string[]): Map<string, string> {
  return new Map([...new Set(kinds)].map((kind, index) => [kind, `var(--series-${(index % 6) + 1})`]));
}

function legend(fills: Map<string, string>, words: (kind: string) => string): TemplateResult {
  return html`
    <ul class="origin-legend small">
      ${[...fills].map(([kind, fill]) => html`<li><span class="swatch" style="background: ${fill}"></span>${words(kind)}</li>`)}
    </ul>
  `;
}

export function origins(found: OriginsPart, game: string): TemplateResult {
  const fills = colours(found.origins.map(({ origin }) => origin));
  return html`
    <figure class="origins">
      <div class="label">${found.title}</div>
      ${legend(fills, (kind) => `${kind}: ${found.origins.filter(({ origin }) => origin === kind).length}`)}
      <ol>
        ${found.origins.map(({ generation, origin, player }) => {
          const words = `${found.unit} ${generation}: ${origin}`;
          const style = `--fill: ${fills.get(origin)}`;
          return html`<li style=${style}>${
            player
              ? html`<a href=${playAddress(player, game)} title="${words}. Play it." aria-label="${generation}: play ${words}">${generation}</a>`
              : html`<span title=${words}>${generation}</span>`
          }</li>`;
        })}
      </ol>
      <figcaption class="small quiet">
        ${found.caption} ${found.origins.some(({ player }) => player) ? "Choose a generation to play its champion." : nothing}
      </figcaption>
    </figure>
  `;
}

export function tree(found: TreePart, game: string): TemplateResult {
  const fills = colours(found.ancestors.map(({ origin }) => origin));
  return html`
    <figure class="tree">
      <div class="label">${found.title}</div>
      ${legend(fills, (kind) => kind)}
      <ol class="scroll" tabindex="0" aria-label="${found.title}, ${many(found.ancestors.length, "member")}">
        ${found.ancestors.map(
          (each) => html`
            <li style="--fill: ${fills.get(each.origin)}" class=${each.champion ? "champion" : ""}>
              <span class="generation numbers">${each.generation}</span>
              <span class="dot" aria-hidden="true"></span>
              <span><strong>Member ${each.number}</strong>, ${each.words}
                ${each.player ? html`<a href=${playAddress(each.player, game)} aria-label="Play it: member ${each.number}">Play it</a>` : nothing}
              </span>
            </li>
          `,
        )}
      </ol>
      <figcaption class="small quiet">${found.caption}</figcaption>
    </figure>
  `;
}
