/** Addresses inside the page: `/play`, `/analyse`, `/school/RUN`, `/arena/MATCH`. */

const CHANGED = "ludus-address";

/** The parts of the address: ["school", "RUN"]. */
export function segments(): string[] {
  return location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
}

/** Goes to another address of the page without loading it again. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  dispatchEvent(new Event(CHANGED));
}

/** Calls `changed` after each change of the address. Plain links to pages of the same server are followed in place. */
export function follow(changed: () => void): void {
  addEventListener("popstate", changed);
  addEventListener(CHANGED, changed);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((each): each is HTMLAnchorElement => each instanceof HTMLAnchorElement);
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}
