import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { compress } from "./build/compress.ts";

// The core serves `dist` from inside its binary; in development it is the proxy's target.
const core = "http://127.0.0.1:4911";

export default defineConfig({
  plugins: [solid(), compress()],
  build: {
    target: "es2023",
    // The policy of the page allows no inline script, so no module preload shim either.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { host: "127.0.0.1", proxy: { "/api": { target: core, ws: true } } },
});
