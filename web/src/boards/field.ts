import { html, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { PageElement } from "../element";
import type { GameName } from "../types";
import "./field.css";

/** A field to type a move in. Fires `entered` with its text; whoever plays the move clears it. */
@customElement("ludus-move-field")
export class MoveField extends PageElement {
  @property({ attribute: false }) game: GameName = "draughts";
  /** The id of the field. */
  @property() name = "move";
  @state() private text = "";
  @query("input") private input!: HTMLInputElement;

  /** Goes on with a digit that was typed on the board. */
  begin(text: string): void {
    this.text = text;
    this.input.focus();
  }

  clear(): void {
    this.text = "";
  }

  protected override render(): TemplateResult {
    return html`
      <form @submit=${this.submit}>
        <label class="visually-hidden" for=${this.name}>Type a move</label>
        <input id=${this.name} autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go"
          placeholder=${this.game === "draughts" ? "Type a move: 11-15" : "Type a move: c3"}
          .value=${this.text}
          @input=${() => {
            this.text = this.input.value;
          }} />
      </form>
    `;
  }

  private submit(event: Event): void {
    event.preventDefault();
    this.dispatchEvent(new CustomEvent<string>("entered", { detail: this.text, bubbles: true }));
  }
}
