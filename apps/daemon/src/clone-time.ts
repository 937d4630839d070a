import type { WorkspacesOptions } from "@tmpm/workspace";

/** `TMPM_CLONE_SECONDS`, for repositories that two minutes are not enough for. */
export function cloneTime(env: NodeJS.ProcessEnv): Pick<WorkspacesOptions, "cloneMs" | "checkoutMs"> {
  const seconds = Number(env.TMPM_CLONE_SECONDS);
  return Number.isFinite(seconds) && seconds > 0 ? { cloneMs: seconds * 1000, checkoutMs: seconds * 1000 } : {};
}
