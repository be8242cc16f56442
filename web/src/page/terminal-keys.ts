/**
 * What happens to a key, a copy and a paste in a terminal before xterm.js sees it.
 *
 * Everything goes to the program but the page's own chords; Escape always does. Ctrl+C copies while
 * something is selected and clears the selection, so that the second press interrupts.
 */

import { encodeKey } from "../pane/keys.ts";
import type { Attachment } from "./attachment.ts";
import { IS_MAC } from "./chords.ts";
import { copyText } from "./clipboard.ts";
import type { Commands } from "./commands.ts";

/** Installs the handlers; returns what takes them away. */
export function installKeys(
  element: HTMLElement,
  attachment: Attachment,
  commands: Commands,
  restart: () => void,
): () => void {
  const { terminal } = attachment;
  const copy = (): boolean => {
    const text = terminal.selection;
    if (text === "") return false;
    copyText(text);
    terminal.clearSelection();
    return true;
  };
  terminal.filterKeys((event) => {
    if (event.isComposing || event.type !== "keydown") return true;
    if (commands.onKey(event)) return false;
    if (isCopy(event) && (copy() || event.shiftKey)) {
      event.preventDefault();
      return false;
    }
    // Left to the browser, whose paste event brings the text.
    if (isPaste(event)) return false;
    const { state, modes } = attachment.view;
    if (state === "exited" || state === "lost") {
      if (event.key === "Enter") restart();
      return false;
    }
    const bytes = encodeKey(event, modes, attachment.profile);
    if (bytes === undefined) return true;
    event.preventDefault();
    attachment.type(bytes);
    return false;
  });
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    attachment.paste(event.clipboardData?.getData("text/plain") ?? "");
  };
  element.addEventListener("paste", onPaste, true);
  return () => element.removeEventListener("paste", onPaste, true);
}

function isCopy(event: KeyboardEvent): boolean {
  if (event.code !== "KeyC" || event.altKey) return false;
  return IS_MAC ? event.metaKey : event.ctrlKey;
}

function isPaste(event: KeyboardEvent): boolean {
  if (event.code !== "KeyV" || event.altKey) return false;
  return IS_MAC ? event.metaKey : event.ctrlKey && event.shiftKey;
}
