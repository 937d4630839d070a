const CONTEXT = 200_000;
const LONG_CONTEXT = 1_000_000;

/** A model's context window in tokens, from its name; null without a name. */
export function claudeContextLimit(model: string | null): number | null {
  if (model === null) return null;
  return model.includes("[1m]") ? LONG_CONTEXT : CONTEXT;
}
