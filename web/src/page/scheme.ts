/** Dark or light: as the system says. */

import type { Scheme } from "../term/theme.ts";

const query = window.matchMedia("(prefers-color-scheme: light)");

export function currentScheme(): Scheme {
  return query.matches ? "light" : "dark";
}

export function onScheme(listener: (scheme: Scheme) => void): void {
  query.addEventListener("change", () => listener(currentScheme()));
}
