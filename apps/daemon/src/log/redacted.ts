/** Replaces anything that looks like a secret, anywhere in a line. */
const SECRETS: readonly RegExp[] = [/(tmpm_)[\w-]{20,}/g, /(bearer\s+)[\w.~+/=-]{8,}/gi, /(\btmpm_\d+=)[\w-]{8,}/g];

export function redacted(line: string): string {
  return SECRETS.reduce((text, secret) => text.replace(secret, "$1…"), line);
}
