/** Copying, also where the page's address is not a secure origin, as in a LAN. */

export function copyText(text: string): void {
  if (navigator.clipboard !== undefined) {
    // Refused by the browser or the person: there is nothing else to try.
    navigator.clipboard.writeText(text).catch(() => {});
    return;
  }
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
}
