/** Reads text from the core; nothing for what is no JSON or not of the shape it should have. */

import type { EventEnvelope, ServerMessage } from "./gen/types.ts";
import { isEventEnvelope, isServerMessage } from "./gen/validators.ts";

export function parseServerMessage(text: string): ServerMessage | undefined {
  const value = parseJson(text);
  return isServerMessage(value) ? value : undefined;
}

export function parseEvent(text: string): EventEnvelope | undefined {
  const value = parseJson(text);
  return isEventEnvelope(value) ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
