/** Prints what a first visit of the play page loads, compressed, and stops the build when that is too much. */

import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** `page` is the module that the route imports; `limit` is in bytes. */
export function firstLoad(page: string, limit: number): Plugin {
  return {
    name: "ludus-first-load",
    writeBundle(_options, bundle) {
      const files = new Set<string>(["index.html"]);
      const visit = (name: string): void => {
        const chunk = bundle[name];
        if (chunk?.type !== "chunk" || files.has(name)) return;
        files.add(name);
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
        for (const next of chunk.imports) visit(next);
      };
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk" && (file.isEntry || file.facadeModuleId?.endsWith(page))) visit(name);
      }
      let bytes = 0;
      for (const name of files) {
        const file = bundle[name];
        if (file) bytes += gzipSync(file.type === "chunk" ? file.code : file.source).length;
      }
      console.log(`First load of /play: ${(bytes / 1024).toFixed(1)} KB compressed (limit ${limit / 1024} KB).`);
      if (bytes > limit) this.error("The first load of the play page is above the limit.");
    },
  };
}
