import { TmpmError } from "@tmpm/core";
import type { Settings } from "@tmpm/supervisor";

/** How many prompts of a session may wait, from `TMPM_QUEUE_DEPTH`. @throws INVALID_ARGUMENT */
export function queueDepth(env: NodeJS.ProcessEnv): Partial<Pick<Settings, "queueDepth">> {
  const text = env.TMPM_QUEUE_DEPTH;
  if (text === undefined || text === "") return {};
  if (/^[1-9]\d{0,3}$/.test(text)) return { queueDepth: Number(text) };
  throw new TmpmError("INVALID_ARGUMENT", `TMPM_QUEUE_DEPTH is a whole number from 1 to 9999, not ${JSON.stringify(text)}`);
}
