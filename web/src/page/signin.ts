/**
 * Signing in by the printed link.
 *
 * The token stands in the fragment, which no server and no log sees; it is posted once and taken
 * out of the address and the history before anything else happens.
 */

import { api } from "../net/api.ts";

/** Signs in if the address says so; tells why it failed, if it did. */
export async function signInFromUrl(): Promise<string | undefined> {
  if (window.location.pathname !== "/signin") return undefined;
  const token = window.location.hash.slice(1);
  window.history.replaceState(null, "", "/");
  if (token === "") return undefined;
  try {
    await api.signin(token);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "The link does not work.";
  }
}
