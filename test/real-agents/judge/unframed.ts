/** Claude Code 2.1.332 sends a paste of several lines to its model in a frame, which is invisible to users. */
export function unframed(text: string): string {
  return PASTED.exec(text)?.[1] ?? text;
}

const PASTED = /^\s*<pasted_content id="[^"]*">\n([\s\S]*)\n<\/pasted_content>\s*$/u;
