import type { ReactiveController, ReactiveControllerHost } from "lit";
import { connection, isAborted, type Asked } from "./socket";

/** What the server says of something that changes: asked for once, shown whenever it comes. */
export class Watched<T> implements ReactiveController {
  value: T | null = null;
  failure = "";
  private asked = "";
  private message: Asked | null = null;
  private stop: AbortController | null = null;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** Watches what this message asks for; the same message changes nothing, null ends it. */
  watch(message: Asked | null): void {
    const text = JSON.stringify(message);
    if (text === this.asked) return;
    this.asked = text;
    this.message = message;
    this.value = null;
    this.failure = "";
    this.begin();
  }

  hostConnected(): void {
    if (this.message && !this.stop) this.begin();
  }

  hostDisconnected(): void {
    this.stop?.abort();
    this.stop = null;
  }

  private begin(): void {
    this.stop?.abort();
    this.stop = null;
    if (!this.message) return;
    const stop = new AbortController();
    this.stop = stop;
    connection
      .ask<T>(this.message, {
        signal: stop.signal,
        each: (answer: T) => {
          this.value = answer;
          this.failure = "";
          this.host.requestUpdate();
        },
      })
      .catch((error: unknown) => {
        if (isAborted(error)) return;
        this.failure = error instanceof Error ? error.message : String(error);
        this.host.requestUpdate();
      });
  }
}
