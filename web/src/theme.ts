/** Light, dark, or what the system says. */

import { keep, load } from "./storage";

export type Theme = "system" | "light" | "dark";

export function theme(): Theme {
  return load<Theme>("theme", "system");
}

/** Applies the kept theme to the document. */
export function applyTheme(): void {
  const chosen = theme();
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Chooses a theme, keeps it and tells the pictures that read colours: they listen to `ludus-theme`. */
export function setTheme(chosen: Theme): void {
  keep("theme", chosen);
  applyTheme();
  dispatchEvent(new Event("ludus-theme"));
}

export function isDark(): boolean {
  const chosen = theme();
  return chosen === "dark" || (chosen === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** A colour variable of the design, as the browser computes it: for canvases. */
export function colour(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
