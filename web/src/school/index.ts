import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";
import "../report/page.css";
import "./compare";
import "./list";
import "./run";
import "./school.css";

/** The page of /school: the runs, one run (/school/RUN), or several beside each other (/school?compare=A&compare=B). */
@customElement("ludus-school")
export class School extends PageElement {
  @property({ attribute: false }) path: string[] = [];

  protected override render(): TemplateResult {
    const [run] = this.path;
    if (run) return html`<ludus-run .run=${run}></ludus-run>`;
    const query = new URLSearchParams(location.search);
    const compared = query.getAll("compare");
    if (compared.length) return html`<ludus-compare .runs=${compared}></ludus-compare>`;
    return html`<ludus-runs .adding=${query.get("new")} .from=${query.get("from")}></ludus-runs>`;
  }
}
