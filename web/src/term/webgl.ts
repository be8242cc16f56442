/**
 * Drawing with WebGL, for few terminals at a time.
 *
 * Browsers take contexts away from the oldest past 16 a page, and the add-on does not give its own
 * back when it is disposed: without `loseContext` they pile up until panes go blank.
 */

import type { Terminal } from "@xterm/xterm";
import { WEBGL_CONTEXTS } from "../wire/gen/limits.ts";

let inUse = 0;

/** Begins to draw with WebGL, or returns nothing when there is no context to be had. */
export function useWebgl(terminal: Terminal, onLost: () => void): { dispose(): void } | undefined {
  if (inUse >= WEBGL_CONTEXTS || !isSupported()) return undefined;
  inUse += 1;
  let ended = false;
  let release = (): void => {};
  const end = (): void => {
    if (ended) return;
    ended = true;
    inUse -= 1;
    release();
  };
  import("@xterm/addon-webgl").then(
    ({ WebglAddon }) => {
      if (ended || terminal.element === undefined) return end();
      const addon = new WebglAddon();
      try {
        terminal.loadAddon(addon);
      } catch {
        // The browser refused a context: the DOM renderer stays.
        return end();
      }
      release = () => {
        const canvases = terminal.element?.querySelectorAll("canvas") ?? [];
        addon.dispose();
        for (const canvas of canvases) {
          canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
        }
      };
      addon.onContextLoss(() => {
        end();
        onLost();
      });
    },
    // The chunk could not be fetched: the DOM renderer stays.
    end,
  );
  return { dispose: end };
}

let supported: boolean | undefined;

/** Software rendering of WebGL is slower than the DOM. */
function isSupported(): boolean {
  if (supported !== undefined) return supported;
  const gl = document.createElement("canvas").getContext("webgl2", {
    failIfMajorPerformanceCaveat: true,
  });
  supported = gl !== null;
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return supported;
}
