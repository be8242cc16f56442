/** Who this page load is, for the host: kept in memory only, so a reload is somebody new. */

export function newViewerId(): string {
  // `crypto.randomUUID` exists on secure origins only, and a LAN address is none.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, "$1-$2-$3-$4-");
}
