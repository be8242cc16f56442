/**
 * Puts a `.br` and a `.gz` beside every file of the page, and holds the page to its weight.
 *
 * The core embeds them and never compresses anything itself.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** What a browser fetches before the first pane draws, compressed. */
const WEIGHT_MAX_BYTES = 180 * 1024;
/** Fetched later, if at all. */
const LATER = /addon-webgl/u;

export function compress(): Plugin {
  return {
    name: "compress",
    apply: "build",
    writeBundle({ dir = "dist" }) {
      let weight = 0;
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || /\.(?:br|gz)$/u.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = readFileSync(path);
        const brotli = brotliCompressSync(bytes, {
          params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        });
        writeFileSync(`${path}.br`, brotli);
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        if (!LATER.test(entry.name)) weight += brotli.length;
      }
      this.info(`the page weighs ${(weight / 1024).toFixed(1)} KiB before the first pane draws`);
      if (weight > WEIGHT_MAX_BYTES) this.error(`the page may weigh ${WEIGHT_MAX_BYTES} bytes`);
    },
  };
}
