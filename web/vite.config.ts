import { defineConfig } from "vite";
import { colours } from "./plugins/colours";
import { firstLoad } from "./plugins/size";

// `npm run dev` serves the sources and passes the rest on to `ludus web --port 8765`.
const server = process.env.LUDUS_SERVER ?? "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [colours(), firstLoad("/src/play/index.ts", 150 * 1024)],
  build: {
    outDir: "../src/ludus/web/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content-security policy allows no data addresses
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
  server: {
    proxy: { "/api": server, "/socket": { target: server, ws: true } },
  },
});
