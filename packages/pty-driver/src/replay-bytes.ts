import { hasCode, type PaneIdentity } from "@tmpm/core";
import type { DriverContext } from "./driver-context.js";

/** The kept output of a terminal from a byte on; null when that byte has expired. */
export async function replayBytes(
  { links }: DriverContext,
  { identity, range }: { readonly identity: PaneIdentity; readonly range: { readonly from: number; readonly most: number } },
): Promise<Uint8Array | null> {
  const link = await links.of(identity);
  try {
    const { value, bytes } = await link.call("replay", { args: range });
    return value === "kept" ? bytes : null;
  } catch (error) {
    // A holder started by an earlier version does not know the verb.
    if (hasCode(error, "INVALID_ARGUMENT")) return null;
    throw error;
  }
}
