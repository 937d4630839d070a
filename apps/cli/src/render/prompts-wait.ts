/** Prompts that are sent once a node answers; null without any. */
export function promptsWait(count: number | undefined, node: string): string | null {
  if (count === undefined || count === 0) return null;
  return `${count} ${count === 1 ? "prompt waits" : "prompts wait"} for ${node}`;
}
