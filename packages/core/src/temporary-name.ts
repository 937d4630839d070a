/**
 * The name of a file that is being written, beside the one that it replaces. Every durable writer uses it, so that one sweep finds what dead processes left;
 * `token` is 16 hexadecimal digits that no other writer has.
 */
export function temporaryName(name: string, { pid, token }: { readonly pid: number; readonly token: string }): string {
  return `.${name}.${pid}.${token}.tmp`;
}

/** The process that writes a temporary file, from its name; null for any other name. */
export function temporaryOwner(name: string): number | null {
  const match = /^\.[^/]+\.(\d+)\.[0-9a-f]{16}\.tmp$/.exec(name);
  return match === null ? null : Number(match[1]);
}
