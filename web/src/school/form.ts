import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { read, readOnce } from "../api";
import { PageElement } from "../element";
import { many } from "../format";
import type { FormField, LearnerForm, Learners, RunView, TrainingStarted } from "../messages";
import { navigate } from "../router";
import { connection } from "../socket";

const USUAL_KIND = "td";
const LONG = 160; // characters of a help text that takes two columns

/** The form of a learner: every option with its help text, its range and its default. Only what was changed is sent. */
@customElement("ludus-train-form")
export class TrainForm extends PageElement {
  @property({ attribute: false }) kind: string | null = null;
  @property({ attribute: false }) from: string | null = null; // a run whose options are taken
  @property({ type: Number }) room = 0;
  @state() private forms: LearnerForm[] = [];
  @state() private chosen = "";
  @state() private preset = "";
  @state() private typed = new Map<string, string>();
  @state() private name = "";
  @state() private wanted = "";
  @state() private onlyChanged = false;
  @state() private busy = false;
  @state() private failure = "";

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("kind") || changed.has("from")) void this.open();
  }

  private async open(): Promise<void> {
    try {
      this.forms = (await readOnce<Learners>("learners")).forms;
      this.choose(this.forms.some(({ kind }) => kind === this.kind) ? this.kind! : this.chosen || USUAL_KIND);
      if (this.from) {
        const view = await read<RunView>(`runs/${encodeURIComponent(this.from)}`);
        this.typed = new Map(view.config.filter(({ usual }) => !usual).map(({ field, value }) => [field, value]));
      }
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  protected override render(): TemplateResult {
    const form = this.forms.find(({ kind }) => kind === this.chosen);
    return html`
      <form class="panel train-form" @submit=${this.submit} aria-labelledby="train-title">
        <div class="page-head">
          <h2 id="train-title">New training</h2>
          <a href="/school" aria-label="Close the form">Close</a>
        </div>
        ${form ? this.fields(form) : html`<p class="quiet">${this.failure || "Reading the learners…"}</p>`}
      </form>
    `;
  }

  private fields(form: LearnerForm): TemplateResult {
    const usual = form.presets.find(({ values }) => !Object.keys(values).length)?.name ?? "";
    const shown = form.fields.filter((field) => this.isShown(field));
    return html`
      <div class="top-fields">
        <div class="field">
          <label for="learner">Learner</label>
          <select id="learner" @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value)}>
            ${this.forms.map(({ kind, title }) => html`<option value=${kind} ?selected=${kind === form.kind}>${kind}: ${title}</option>`)}
          </select>
          <p class="help">${form.words || form.title}</p>
        </div>
        ${
          form.presets.length
            ? html`<div class="field">
                <label for="preset">Preset</label>
                <select id="preset" @change=${(event: Event) => {
                  this.preset = (event.target as HTMLSelectElement).value;
                }}>
                  ${form.presets.map(({ name, values }) => {
                    const count = Object.keys(values).length;
                    const words = count ? `${name}: ${many(count, "option")} of its own` : `${name}: the defaults`;
                    return html`<option value=${name} ?selected=${name === (this.preset || usual)}>${words}</option>`;
                  })}
                </select>
                <p class="help">Option values to start from. What you change below has precedence.</p>
              </div>`
            : nothing
        }
        <div class="field">
          <label for="run-name">Name of the run</label>
          <input id="run-name" type="text" pattern="[A-Za-z0-9][A-Za-z0-9._\\-]{0,79}" autocomplete="off"
            placeholder="by the learner and its options" .value=${this.name}
            title="Letters, digits, dots, hyphens and underscores"
            @input=${(event: Event) => {
              this.name = (event.target as HTMLInputElement).value;
            }} />
          <p class="help">The name of its folder. Leave it empty to have it named.</p>
        </div>
      </div>
      <div class="row tools">
        <div class="field search">
          <label class="visually-hidden" for="option-wanted">Search the options</label>
          <input id="option-wanted" type="search" placeholder="Search the ${form.fields.length} options" .value=${this.wanted}
            @input=${(event: Event) => {
              this.wanted = (event.target as HTMLInputElement).value;
            }} />
        </div>
        <label class="check small">
          <input type="checkbox" .checked=${this.onlyChanged} @change=${(event: Event) => {
            this.onlyChanged = (event.target as HTMLInputElement).checked;
          }} /> only what differs from the defaults
        </label>
      </div>
      <div class="option-fields scroll" tabindex="0" role="group" aria-label="Options of ${form.kind}">
        ${shown.map((field) => this.field(field))}
        ${shown.length ? nothing : html`<p class="quiet">No option matches.</p>`}
      </div>
      ${this.failure ? html`<p class="error" role="alert">${this.failure}</p>` : nothing}
      <div class="row">
        <button class="primary" type="submit" ?disabled=${this.busy || this.room < 1}>
          ${this.busy ? "Starting…" : "Start training"}
        </button>
        <span class="small quiet">${
          this.room < 1
            ? "No more trainings or matches can be started at the moment: stop one first."
            : "It goes on if you close the page, and stops with the server. You can stop and resume it."
        }</span>
      </div>
    `;
  }

  private isShown(field: FormField): boolean {
    if (this.onlyChanged && this.value(field) === (field.default ?? "")) return false;
    const text = `${field.label} ${field.help}`.toLowerCase();
    return this.wanted
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  }

  private field(field: FormField): TemplateResult {
    const id = `option-${field.field}`;
    const value = this.value(field);
    const changed = value !== (field.default ?? "");
    return html`
      <div class="field ${changed ? "changed" : ""} ${field.help.length > LONG ? "long" : ""}">
        ${field.takes === "yes or no" ? this.box(field, id, value) : html`<label for=${id}>${field.label}</label>${this.input(field, id, value)}`}
        <p class="help" id="${id}-help">${field.help} <span class="limits">${limits(field)}</span></p>
      </div>
    `;
  }

  private box(field: FormField, id: string, value: string): TemplateResult {
    return html`
      <label class="check" for=${id}>
        <input id=${id} type="checkbox" aria-describedby="${id}-help" .checked=${value === "true"}
          @change=${(event: Event) => this.type(field, String((event.target as HTMLInputElement).checked))} />
        ${field.label}
      </label>
    `;
  }

  private input(field: FormField, id: string, value: string): TemplateResult {
    if (field.takes === "choice") {
      return html`
        <select id=${id} aria-describedby="${id}-help"
          @change=${(event: Event) => this.type(field, (event.target as HTMLSelectElement).value)}>
          ${field.default === null ? html`<option value="" ?selected=${value === ""}>none</option>` : nothing}
          ${field.choices.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${choice}</option>`)}
        </select>
      `;
    }
    const number = field.takes !== "text";
    return html`
      <input id=${id} type=${number ? "number" : "text"} aria-describedby="${id}-help" autocomplete="off"
        min=${field.least ?? nothing} max=${field.most ?? nothing}
        step=${number ? (field.takes === "whole number" ? "1" : "any") : nothing}
        placeholder=${field.default === null ? "none" : nothing} .value=${value}
        @input=${(event: Event) => this.type(field, (event.target as HTMLInputElement).value)} />
    `;
  }

  /** What a field shows: what was typed, else the value of the preset, else the default. */
  private value(field: FormField): string {
    return this.typed.get(field.field) ?? this.usualValue(field);
  }

  private usualValue(field: FormField): string {
    const form = this.forms.find(({ kind }) => kind === this.chosen);
    const preset = form?.presets.find(({ name }) => name === this.preset);
    return preset?.values[field.field] ?? field.default ?? "";
  }

  private type(field: FormField, value: string): void {
    const next = new Map(this.typed);
    if (value === this.usualValue(field)) next.delete(field.field);
    else next.set(field.field, value);
    this.typed = next;
  }

  private choose(kind: string): void {
    if (kind === this.chosen) return;
    this.chosen = kind;
    this.preset = "";
    this.typed = new Map();
    this.failure = "";
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    const form = this.forms.find(({ kind }) => kind === this.chosen);
    if (!form || this.busy) return;
    this.busy = true;
    this.failure = "";
    const options: Record<string, boolean | number | string> = {};
    for (const field of form.fields) {
      const value = this.typed.get(field.field);
      if (value === undefined || (value === "" && field.takes !== "text")) continue;
      if (value === "" && field.default === null) continue;
      options[field.field] = sent(field, value);
    }
    try {
      const { run } = await connection.ask<TrainingStarted>(
        { type: "train", learner: form.kind, preset: this.preset || null, options, name: this.name || null },
        { again: false },
      );
      navigate(`/school/${encodeURIComponent(run)}`);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }
}

function sent(field: FormField, value: string): boolean | number | string {
  if (field.takes === "yes or no") return value === "true";
  if (field.takes === "whole number" || field.takes === "number") return Number(value);
  return value;
}

/** "From 1 to 512. Default 40." */
function limits({ least, most, default: usual, takes }: FormField): string {
  const words: string[] = [];
  if (least !== null && most !== null)
    words.push(`From ${least.toLocaleString("en")} to ${most.toLocaleString("en")}.`);
  else if (least !== null) words.push(`At least ${least.toLocaleString("en")}.`);
  else if (most !== null) words.push(`At most ${most.toLocaleString("en")}.`);
  const shown = takes === "yes or no" ? (usual === "true" ? "yes" : "no") : usual;
  words.push(shown === null ? "Default: none." : shown === "" ? "Default: empty." : `Default: ${shown}.`);
  return words.join(" ");
}
