/** Lists that only are read: GET /api/... */

import { Refused } from "./socket";

const kept = new Map<string, Promise<unknown>>();

/** The answer of `GET /api/PATH`. Raises Refused with the server's sentence. */
export async function read<T>(path: string): Promise<T> {
  const response = await fetch(`/api/${path}`, { headers: { Accept: "application/json" } });
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as { message?: string } | null;
    throw new Refused(body?.message ?? `The server answered ${response.status} for ${path}.`);
  }
  return (await response.json()) as T;
}

/** The same, asked once a visit: for lists that do not change while the server runs. */
export function readOnce<T>(path: string): Promise<T> {
  let answer = kept.get(path) as Promise<T> | undefined;
  if (!answer) {
    answer = read<T>(path);
    kept.set(path, answer);
    answer.catch(() => kept.delete(path));
  }
  return answer;
}
