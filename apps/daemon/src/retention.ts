import { TmpmError } from "@tmpm/core";
import type { Settings } from "@tmpm/supervisor";

const DAY_MS = 24 * 3_600_000;

/** How long finished sessions are listed, and then kept, from `TMPM_RETENTION_DAYS`. @throws INVALID_ARGUMENT */
export function retention(env: NodeJS.ProcessEnv): Partial<Pick<Settings, "retention">> {
  const text = env.TMPM_RETENTION_DAYS;
  if (text === undefined || text === "") return {};
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw new TmpmError("INVALID_ARGUMENT", `TMPM_RETENTION_DAYS is a whole number of days above 0, not ${JSON.stringify(text)}`);
  }
  const ms = Number(text) * DAY_MS;
  return { retention: { archiveMs: ms, deleteMs: ms } };
}
