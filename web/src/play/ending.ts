import { html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import type { Saved, Written } from "../messages";
import { connection } from "../socket";
import { keep } from "../storage";
import { type PlayedGame, recordOf } from "./kept";
import { capital } from "./words";

/** What can be done with a game besides playing it: analyse, copy, download, save on the server's machine. */
@customElement("ludus-ending")
export class Ending extends PageElement {
  @property({ attribute: false }) game!: PlayedGame;
  @state() private said = "";
  @state() private name = "games";

  protected override render(): TemplateResult {
    const format = this.game.game === "draughts" ? "PDN" : "text";
    return html`
      <details class="keep">
        <summary>Save, copy or analyse</summary>
        <div class="stack">
          <div class="row">
            <a class="button" href="/analyse" @click=${() => keep("handover", { ...this.game, review: false })}>Analyse</a>
            <button type="button" @click=${this.copy}>Copy ${format}</button>
            <button type="button" @click=${this.download}>Download ${format}</button>
          </div>
          <form class="row" @submit=${this.save}>
            <label for="save-name" class="small">Save in the games folder as</label>
            <input id="save-name" class="file-name" required pattern="[A-Za-z0-9][A-Za-z0-9 _\\-]{0,60}" .value=${this.name}
              @input=${(event: Event) => {
                this.name = (event.target as HTMLInputElement).value;
              }} />
            <button type="submit">Save</button>
          </form>
        </div>
      </details>
      <p class="small quiet said" role="status">${this.said}</p>
    `;
  }

  private async text(): Promise<string> {
    return (await connection.ask<Written>({ type: "write", ...recordOf(this.game) })).text;
  }

  private async attempt(action: () => Promise<string>): Promise<void> {
    try {
      this.said = await action();
    } catch (error) {
      this.said = error instanceof Error ? error.message : String(error);
    }
  }

  private copy(): void {
    void this.attempt(async () => {
      await navigator.clipboard.writeText(await this.text());
      return "The game was copied.";
    });
  }

  private download(): void {
    void this.attempt(async () => {
      const address = URL.createObjectURL(new Blob([await this.text()], { type: "text/plain" }));
      const link = document.createElement("a");
      link.href = address;
      link.download = `ludus-${this.game.begun.slice(0, 10)}.${this.game.game === "draughts" ? "pdn" : "txt"}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
      return `${link.download} was downloaded.`;
    });
  }

  private save(event: Event): void {
    event.preventDefault();
    void this.attempt(async () => {
      const message = { type: "save" as const, ...recordOf(this.game), name: this.name.trim() };
      return capital((await connection.ask<Saved>(message, { again: false })).message);
    });
  }
}
