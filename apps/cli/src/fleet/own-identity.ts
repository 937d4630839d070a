import { join } from "node:path";
import { currentUid, keptOnce, type Location, makePrivateDir } from "@tmpm/api/local";
import type { NodeIdentity } from "@tmpm/fleet";

/** The key pair of this data folder, created on first use. @throws RECORD_DAMAGED, UNSAFE_PATH */
export async function ownIdentity({ home }: Pick<Location, "home">): Promise<NodeIdentity> {
  const { keptIdentity } = await import("../fleet-library.js");
  makePrivateDir(home, currentUid());
  const path = join(home, "node.json");
  return keptIdentity(path, (make) => keptOnce(path, { name: "node.json", make }));
}
