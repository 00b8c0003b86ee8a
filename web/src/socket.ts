/**
 * The one socket of a tab. It connects when it is first needed, connects again when the connection is lost, and sends
 * again what was not answered: requests carry the whole game, so the server can answer them twice.
 */

import type { Request } from "./messages";

type Plain<T> = T extends unknown ? Omit<T, "id"> : never;

/** A request without its id, which the connection sets. */
export type Asked<T extends Request = Request> = Plain<T>;

interface Received {
  type: string;
  id: number;
  final: boolean;
  message?: string;
}

export interface Options {
  /** Stops the work on the server. The promise is then rejected with an AbortError. */
  signal?: AbortSignal;
  /** Called with each answer, the last one too. */
  each?: (answer: never) => void;
  /** False for requests that must not be done twice: they fail when the connection is lost. */
  again?: boolean;
}

/** What the server refused, in one sentence, or a connection that was lost on the way. */
export class Refused extends Error {}

export type State = "new" | "connecting" | "open" | "lost";

interface Pending {
  text: string;
  sent: boolean;
  again: boolean;
  each: (answer: Received) => void;
  done: (answer: Received) => void;
  failed: (error: Error) => void;
}

const FIRST_WAIT = 250; // milliseconds before the first attempt to connect again; doubled up to LONGEST_WAIT
const LONGEST_WAIT = 5000;
const BAD_TOKEN = [1008, 4401, 4403]; // codes with which the server refuses a token

class Connection extends EventTarget {
  state: State = "new";
  private socket: WebSocket | null = null;
  private token = document.querySelector<HTMLMetaElement>('meta[name="ludus-token"]')?.content ?? "";
  private wait = FIRST_WAIT;
  private timer = 0;
  private last = 0;
  private readonly pending = new Map<number, Pending>();

  constructor() {
    super();
    addEventListener("online", () => this.connectNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.connectNow();
    });
  }

  /** Sends a request and resolves with its last answer. */
  ask<T>(message: Asked, { signal, each, again = true }: Options = {}): Promise<T> {
    const id = ++this.last;
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted) {
        reject(aborted());
        return;
      }
      const stop = (): void => {
        if (!this.pending.delete(id)) return;
        this.send({ type: "cancel", id });
        reject(aborted());
      };
      signal?.addEventListener("abort", stop, { once: true });
      this.pending.set(id, {
        text: JSON.stringify({ ...message, id }),
        sent: false,
        again,
        each: (answer) => each?.(answer as never),
        done: (answer) => {
          signal?.removeEventListener("abort", stop);
          resolve(answer as T);
        },
        failed: (error) => {
          signal?.removeEventListener("abort", stop);
          reject(error);
        },
      });
      this.flush();
    });
  }

  /** The token of this start of the server, for the header X-Ludus-Token. */
  currentToken(): string {
    return this.token;
  }

  /** Asks the server for its token; it changes when the server is started again. */
  async refreshToken(): Promise<string> {
    const response = await fetch("/api/token", { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Refused(`The server does not give this page a token (${response.status}).`);
    const body: unknown = await response.json();
    this.token = typeof body === "string" ? body : (body as { token: string }).token;
    return this.token;
  }

  private send(message: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private flush(): void {
    if (this.state !== "open") {
      if (this.state === "new") this.connect();
      return;
    }
    for (const each of this.pending.values()) {
      if (each.sent) continue;
      each.sent = true;
      this.socket?.send(each.text);
    }
  }

  private connectNow(): void {
    if (this.state !== "lost") return;
    this.wait = FIRST_WAIT;
    this.connect();
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.change("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: "hello", token: this.token, id: 0 }));
      this.change("open");
      this.flush();
    };
    socket.onmessage = (event) => {
      this.wait = FIRST_WAIT;
      this.receive(JSON.parse(String(event.data)) as Received);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(BAD_TOKEN.includes(event.code));
    };
  }

  private receive(answer: Received): void {
    const asked = this.pending.get(answer.id);
    if (!asked) return;
    if (answer.type === "error") {
      this.pending.delete(answer.id);
      asked.failed(new Refused(sentence(answer.message ?? "The server refused this.")));
      return;
    }
    asked.each(answer);
    if (answer.final) {
      this.pending.delete(answer.id);
      asked.done(answer);
    }
  }

  private lost(refused: boolean): void {
    this.socket = null;
    this.change("lost");
    for (const [id, each] of this.pending) {
      if (each.sent && !each.again) {
        this.pending.delete(id);
        each.failed(new Refused("The connection to the server was lost before it answered."));
      }
      each.sent = false;
    }
    const wait = this.wait;
    this.wait = Math.min(LONGEST_WAIT, 2 * wait);
    this.timer = window.setTimeout(async () => {
      // After a restart of the server the token of this tab is old.
      if (refused || wait > FIRST_WAIT) await this.refreshToken().catch(() => undefined);
      this.connect();
    }, wait);
  }

  private change(state: State): void {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}

/** The server's words begin as they would after a colon; names keep their letters. */
function sentence(words: string): string {
  const begun = words.replace(
    /^(a|an|it|no|only|the|there|this)\b/,
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  return /[.?!]$/.test(begun) ? begun : `${begun}.`;
}

function aborted(): DOMException {
  return new DOMException("The request was stopped.", "AbortError");
}

/** Whether an error says no more than that the page itself stopped a request. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export const connection = new Connection();
