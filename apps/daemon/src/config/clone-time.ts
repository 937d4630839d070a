import type { SettingValues } from "@tmpm/api/config";
import type { WorkspacesOptions } from "@tmpm/workspace";

/** For repositories that need more than two minutes. */
export function cloneTime(values: SettingValues): Pick<WorkspacesOptions, "cloneMs" | "checkoutMs"> {
  const ms = values["workspaces.clone_seconds"] * 1000;
  return ms > 0 ? { cloneMs: ms, checkoutMs: ms } : {};
}
