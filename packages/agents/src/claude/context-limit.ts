const SHORT = 200_000;
const LONG = 1_000_000;

/** By the catalog of Claude Code 2.1.332. Models of the first list have the long window only under a name with `[1m]`. */
const WINDOWS: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/\[1m\]/u, LONG],
  [/claude-(?:3|(?:opus|sonnet|haiku)-4(?![.-][7-9](?!\d)))/u, SHORT],
  [/claude-(?:opus-4-[78]|(?:opus|sonnet|fable|mythos)-5|haiku-5)/u, LONG],
];

/** A model's context window in tokens, from its name; null for an unknown one. */
export function claudeContextLimit(model: string | null): number | null {
  return WINDOWS.find(([name]) => name.test(model ?? ""))?.[1] ?? null;
}
