import { hasCode, type PaneIdentity } from "@tmpm/core";
import type { DriverContext } from "./driver-context.js";

/** What the holder keeps of a terminal's output from a byte on; null when it does not keep that byte. */
export async function replayBytes(
  { links }: DriverContext,
  { identity, range }: { readonly identity: PaneIdentity; readonly range: { readonly from: number; readonly most: number } },
): Promise<Uint8Array | null> {
  const link = await links.of(identity);
  try {
    const { value, bytes } = await link.call("replay", { args: range });
    return value === "kept" ? bytes : null;
  } catch (error) {
    // A holder that an earlier version started does not know the verb.
    if (hasCode(error, "INVALID_ARGUMENT")) return null;
    throw error;
  }
}
