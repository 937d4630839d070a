import type { SessionRecord } from "@tmpm/core";

/** Whether a program of the session is being launched, so that its first reports may come before the launch is recorded. */
export function isLaunching({ state, intent }: Pick<SessionRecord, "state" | "intent">): boolean {
  return state === "provisioning" || intent?.op === "resume" || (intent?.op === "restart" && intent.step === "open");
}
