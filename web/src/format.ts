/** Numbers and times as the page writes them, in English everywhere. */

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 12345 as 12,345. */
export function count(value: number): string {
  return whole.format(value);
}

/** 12345 as 12.3K. */
export function compact(value: number): string {
  return Math.abs(value) < 10_000 ? whole.format(value) : short.format(value);
}

/** A number with as many decimals as tell values apart on an axis of this length. */
export function rounded(value: number, span: number): string {
  const digits = span > 0 ? Math.min(8, Math.max(0, Math.ceil(-Math.log10(span / 200)))) : 2;
  const text = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return /^-[0.]+$/.test(text) ? text.slice(1) : text;
}

/** 0.521 as 52.1%. */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)}%`;
}

/** +52 or -7; an unknown or infinite difference is a dash or an infinity. */
export function signed(value: number | null, otherwise = "–"): string {
  if (value === null) return otherwise;
  const found = Math.round(value);
  return found > 0 ? `+${found}` : `${found === 0 ? 0 : found}`;
}

/** Seconds as a person says them: 45 s, 3 min, 2 h 5 min, 3 days 4 h. */
export function duration(seconds: number): string {
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  const days = Math.floor(hours / 24);
  return hours % 24 ? `${days} days ${hours % 24} h` : `${days} days`;
}

/** "1 run", "2 runs". */
export function many(value: number, one: string, several = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : several}`;
}
