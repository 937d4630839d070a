import { TmpmError } from "@tmpm/core";
import { NodeIdentity, newIdentity } from "./identity.js";

/** The key pair in the file at `path`, which the first start creates and later ones only read. @throws RECORD_DAMAGED */
export function keptIdentity(path: string, keep: (make: () => string) => string): NodeIdentity {
  const read = NodeIdentity.safeParse(parsed(keep(() => `${JSON.stringify(newIdentity())}\n`)));
  if (read.success) return read.data;
  throw new TmpmError("RECORD_DAMAGED", `${path} does not hold this node's key`, {
    hint: "Move it away: the node gets a new key, and a new id.",
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
