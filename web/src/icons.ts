import { html, type TemplateResult } from "lit";

const PATHS = {
  first: "M6 5h2.5v14H6zM19 5v14L9.5 12z",
  back: "M16 5v14L6.5 12z",
  next: "M8 5v14l9.5-7z",
  last: "M15.5 5H18v14h-2.5zM5 5v14l9.5-7z",
  flip: "M7 4 3 8h3v9h2V8h3zM17 20l4-4h-3V7h-2v9h-3z",
  numbers:
    "M9.4 3 8.7 7H5v2h3.3l-1 6H4v2h3l-.7 4h2l.7-4h5l-.7 4h2l.7-4H19v-2h-2.7l1-6H20V7h-2.4l.7-4h-2l-.7 4h-5l.8-4zm.9 6h5l-1 6h-5z",
  sound:
    "M4 9v6h4l5 5V4L8 9zm11.5 3a4 4 0 0 0-2-3.5v7a4 4 0 0 0 2-3.5m-2-8.3v2.1a7 7 0 0 1 0 12.4v2.1a9 9 0 0 0 0-16.6",
  mute: "M4 9v6h4l5 5V4L8 9zm16.3.1-1.4-1.4-2.4 2.4-2.4-2.4-.1 2.6 1.1 1.2-1.1 1.2.1 2.6 2.4-2.4 2.4 2.4 1.4-1.4-2.4-2.4z",
  hint: "M9 21h6v-1.5H9zm3-19a7 7 0 0 0-4 12.7V17c0 .6.4 1 1 1h6c.6 0 1-.4 1-1v-2.3A7 7 0 0 0 12 2m2.8 11-.8.6V16h-4v-2.4l-.8-.6a5 5 0 1 1 5.6 0",
  takeBack: "M12.5 8c-2.6 0-5 1-6.9 2.6L2 7v9h9l-3.6-3.6a8 8 0 0 1 12.7 3.9l2.4-.8A10.5 10.5 0 0 0 12.5 8",
  resign: "M5 3v18h2v-7h5l.4 2H20V6h-5.6L14 4H7V3z",
  draw: "M4 8h16v2.5H4zm0 5.5h16V16H4z",
  remove: "M7 21a2 2 0 0 1-2-2V7H4V5h5V4h6v1h5v2h-1v12a2 2 0 0 1-2 2zM17 7H7v12h10zM9 9h2v8H9zm4 0h2v8h-2z",
  promote: "M12 3l7 7h-4v5H9v-5H5zM5 18h14v2.5H5z",
  play: "M8 5v14l11-7z",
  stop: "M6 6h12v12H6z",
};

export type IconName = keyof typeof PATHS;

/** A picture on a button; the button has the words. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="picture" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path fill="currentColor" d=${PATHS[name]} />
  </svg>`;
}
