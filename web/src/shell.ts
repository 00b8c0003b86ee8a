import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { pieceDefinitions } from "./boards/piece";
import { PageElement } from "./element";
import { follow, navigate, segments } from "./router";
import { connection } from "./socket";
import { isDark, setTheme } from "./theme";

interface Route {
  name: string;
  title: string;
  load: () => Promise<unknown>;
  show: (rest: string[]) => TemplateResult;
}

const ROUTES: Route[] = [
  {
    name: "play",
    title: "Play",
    load: () => import("./play/index"),
    show: () => html`<ludus-play></ludus-play>`,
  },
  {
    name: "analyse",
    title: "Analyse",
    load: () => import("./analyse/index"),
    show: () => html`<ludus-analyse></ludus-analyse>`,
  },
  {
    name: "school",
    title: "School",
    load: () => import("./school/index"),
    show: (rest) => html`<ludus-school .path=${rest}></ludus-school>`,
  },
  {
    name: "arena",
    title: "Arena",
    load: () => import("./arena/index"),
    show: (rest) => html`<ludus-arena .path=${rest}></ludus-arena>`,
  },
];

const LOST_AFTER = 1200; // milliseconds without a connection before the page says so

/** The frame of every page: navigation, theme, the state of the connection, and the page of the address. */
@customElement("ludus-page")
export class Page extends PageElement {
  @state() private path = segments();
  @state() private loaded = new Set<string>();
  @state() private failed = "";
  @state() private lost = false;
  private lostTimer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    follow(() => this.open());
    connection.addEventListener("change", () => this.watchConnection());
    this.open();
  }

  private open(): void {
    this.path = segments();
    const route = ROUTES.find(({ name }) => name === this.path[0]);
    if (!route) {
      navigate("/play", { replace: true });
      return;
    }
    document.title = `${route.title} · Ludus`;
    if (this.loaded.has(route.name)) return;
    route.load().then(
      () => {
        this.failed = "";
        this.loaded = new Set([...this.loaded, route.name]);
      },
      () => {
        this.failed = route.name;
      },
    );
  }

  private watchConnection(): void {
    if (connection.state === "open") {
      clearTimeout(this.lostTimer);
      this.lostTimer = 0;
      this.lost = false;
    } else if (!this.lostTimer) {
      this.lostTimer = window.setTimeout(() => {
        this.lost = true;
      }, LOST_AFTER);
    }
  }

  protected override render(): TemplateResult {
    const route = ROUTES.find(({ name }) => name === this.path[0]);
    return html`
      <svg width="0" height="0" aria-hidden="true"><defs>${pieceDefinitions}</defs></svg>
      <a class="skip" href="#content" @click=${this.skip}>Skip to the page</a>
      <header class="top">
        <a class="brand" href="/play"><img src="/icon.svg" alt="" width="28" height="28" />Ludus</a>
        <nav aria-label="Pages">
          ${ROUTES.map(
            ({ name, title }) =>
              html`<a href="/${name}" aria-current=${name === route?.name ? "page" : nothing}>${title}</a>`,
          )}
        </nav>
        <button class="icon" type="button" title="Light or dark" aria-label="Change between light and dark"
          @click=${this.changeTheme}>
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path fill="currentColor" d="M12 3a9 9 0 1 0 0 18zM12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22" />
          </svg>
        </button>
      </header>
      <div class="notice ${this.lost ? "shown" : ""}" role="status">
        ${this.lost ? "The server does not answer. Your game is kept in this browser; the page connects again by itself." : nothing}
      </div>
      <main id="content" tabindex="-1">${this.content(route)}</main>
    `;
  }

  private content(route: Route | undefined): TemplateResult | typeof nothing {
    if (!route) return nothing;
    if (this.failed === route.name) {
      return html`<p class="panel">This page could not be loaded. Is the server running? Reload to try again.</p>`;
    }
    return this.loaded.has(route.name) ? route.show(this.path.slice(1)) : html`<p class="loading">Loading…</p>`;
  }

  private skip(event: Event): void {
    event.preventDefault();
    this.querySelector<HTMLElement>("#content")?.focus();
  }

  private changeTheme(): void {
    setTheme(isDark() ? "light" : "dark");
  }
}
