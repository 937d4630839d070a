/** Claude Code 2.1.332 gives its model a paste of several lines in a frame, which no user sees. */
export function unframed(text: string): string {
  return PASTED.exec(text)?.[1] ?? text;
}

const PASTED = /^\s*<pasted_content id="[^"]*">\n([\s\S]*)\n<\/pasted_content>\s*$/u;
