/**
 * The page's only way to turn text into markup.
 *
 * Solid makes its templates through `innerHTML`; they are constants of the build. Everything else,
 * names and titles and errors, is set as text. What looks like it could run is refused.
 */

interface TrustedTypePolicies {
  createPolicy(name: string, rules: { createHTML(markup: string): string }): unknown;
}

export function installTrustedTypes(): void {
  const { trustedTypes } = window as unknown as { trustedTypes?: TrustedTypePolicies };
  trustedTypes?.createPolicy("default", {
    createHTML(markup) {
      if (/<\s*(?:script|iframe|object|embed|base)\b|\son\w+\s*=|javascript:/iu.test(markup)) {
        throw new TypeError("this markup could run");
      }
      return markup;
    },
  });
}
