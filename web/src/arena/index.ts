import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";
import "../report/page.css";
import "./arena.css";
import "./ladder";
import "./list";
import "./match";

/** The page of /arena: ladders and matches, one ladder (/arena/ladder/ID), or one match (/arena/match/ID). */
@customElement("ludus-arena")
export class Arena extends PageElement {
  @property({ attribute: false }) path: string[] = [];

  protected override render(): TemplateResult {
    const [kind, id] = this.path;
    if (kind === "ladder" && id) return html`<ludus-ladder .ladder=${id}></ludus-ladder>`;
    if (kind === "match" && id) return html`<ludus-match .match=${id}></ludus-match>`;
    const query = new URLSearchParams(location.search);
    return html`
      <ludus-arena-list .adding=${query.has("new")} .first=${query.get("first")} .game=${query.get("game")}></ludus-arena-list>
    `;
  }
}
