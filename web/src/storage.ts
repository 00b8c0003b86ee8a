/** What the browser keeps: settings and games. A browser without storage keeps them for the visit. */

const PREFIX = "ludus.";
const memory = new Map<string, string>();

/** The value kept under this name, or `otherwise` if there is none or it cannot be read. */
export function load<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name) ?? memory.get(name);
    return text === null || text === undefined ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Keeps a value under a name. */
export function keep(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(PREFIX + name, text);
  } catch {
    memory.set(name, text);
  }
}

/** Forgets what was kept under a name. */
export function forget(name: string): void {
  memory.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // There is nothing to forget.
  }
}
