import type { SettingValues } from "@tmpm/api/config";
import type { Settings } from "@tmpm/supervisor";

const DAY_MS = 24 * 3_600_000;

/** How long finished sessions are listed, and then kept. */
export function retention(values: SettingValues): Pick<Settings, "retention"> {
  const ms = values["sessions.retention_days"] * DAY_MS;
  return { retention: { archiveMs: ms, deleteMs: ms } };
}
