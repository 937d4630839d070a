import type { WorkspacesOptions } from "@tmpm/workspace";

/** `TMPM_CLONE_SECONDS`, for repositories that need more than two minutes. */
export function cloneTime(env: NodeJS.ProcessEnv): Pick<WorkspacesOptions, "cloneMs" | "checkoutMs"> {
  const seconds = Number(env.TMPM_CLONE_SECONDS);
  return Number.isFinite(seconds) && seconds > 0 ? { cloneMs: seconds * 1000, checkoutMs: seconds * 1000 } : {};
}
