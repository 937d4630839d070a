/**
 * The name of a temporary file beside the file that it replaces. Every durable writer uses it, so that one sweep removes leftovers of dead
 * processes; `token` is 16 hexadecimal digits, unique for a writer.
 */
export function temporaryName(name: string, { pid, token }: { readonly pid: number; readonly token: string }): string {
  return `.${name}.${pid}.${token}.tmp`;
}

/** The pid of a temporary file's writer, from its name; null for any other name. */
export function temporaryOwner(name: string): number | null {
  const match = /^\.[^/]+\.(\d+)\.[0-9a-f]{16}\.tmp$/.exec(name);
  return match === null ? null : Number(match[1]);
}
