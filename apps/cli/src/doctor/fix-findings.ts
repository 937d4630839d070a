import type { Check, Fix } from "@tmpm/api";
import type { LocalFinding } from "./local-finding.js";

/** Applies safe fixes, one after the other. Returns what was done and what failed. */
export async function fixFindings(findings: readonly (LocalFinding & { readonly id: string })[]): Promise<readonly Fix[]> {
  const fixes: Fix[] = [];
  for (const { id, cure } of findings) if (cure !== undefined) fixes.push(await attempt(id, cure));
  return fixes;
}

/** Findings that need the user. */
export function leftOver(checks: readonly Check[]): readonly Fix[] {
  const open = checks.filter(({ status }) => status === "warn" || status === "fail");
  return open.map(({ id = "", message, hint }) => ({ id, outcome: "left", message: hint ?? message }));
}

async function attempt(id: string, cure: () => Promise<string>): Promise<Fix> {
  try {
    return { id, outcome: "done", message: await cure() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { id, outcome: "failed", message: error.message };
  }
}
