/** The colours of src/ludus/reports/colours.py as CSS variables, so that the page and the reports have one palette. */

import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const NAME = "virtual:colours.css";
const SOURCE = new URL("../../src/ludus/reports/colours.py", import.meta.url);

function variable(name: string): string {
  return `--${name.toLowerCase().replaceAll("_", "-")}`;
}

/** `NAME = "#fff"` becomes a variable; `A, B = ...` two; PAGE_ pairs are light and dark; SERIES are numbered from 1. */
function declarations(python: string): string[] {
  const found: string[] = [];
  for (const [, left, right] of python.matchAll(/^([A-Z_]+(?:, [A-Z_]+)*) = (.+)$/gm)) {
    const names = left!.split(", ");
    const values = [...right!.matchAll(/"(#[0-9a-f]+)"/g)].map((match) => match[1]!);
    if (names.length === values.length) {
      names.forEach((name, index) => {
        found.push(`${variable(name)}: ${values[index]};`);
      });
    } else if (names[0]!.startsWith("PAGE_") && values.length === 2) {
      found.push(`${variable(names[0]!)}: light-dark(${values[0]}, ${values[1]});`);
    } else {
      values.forEach((value, index) => {
        found.push(`${variable(names[0]!)}-${index + 1}: ${value};`);
      });
    }
  }
  return found;
}

/** Serves `import "virtual:colours.css"`. */
export function colours(): Plugin {
  return {
    name: "ludus-colours",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      return `:root { ${declarations(readFileSync(SOURCE, "utf8")).join(" ")} }`;
    },
  };
}
