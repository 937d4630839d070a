/** `@` makes Claude read the file itself; quotes keep a path with blanks together. */
export function claudeMention(path: string): string {
  return /^[\w./~+-]+$/.test(path) ? `@${path}` : `@"${path}"`;
}
