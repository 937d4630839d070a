import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { print } from "../terminal/output.js";

/** The machine with the fewest running sessions, this one among them; null is this one. Says which and why. @throws NODE_OFFLINE, INVALID_ARGUMENT */
export async function anyNode(context: Context, verb: string): Promise<string | null> {
  if (verb !== "new") throw usageError(`--on any goes with new, not with ${verb}`, "Name the node; `tmpm nodes` lists them.");
  const { sessions, nodes } = await context.client().fleet({});
  const running = (label: string | null) => sessions.filter(({ node, state }) => node === label && state === "active").length;
  const able = nodes.filter(({ complete }) => complete).map(({ node }) => ({ node, count: running(node) }));
  const [best] = able.toSorted((one, other) => one.count - other.count);
  if (best === undefined) throw new TmpmError("NODE_OFFLINE", "no node answers", { hint: "`tmpm nodes doctor` says why." });
  if (!context.json)
    print(
      `tmpm: on ${best.node ?? "this machine"}: ${best.count} running sessions, the fewest of ${able.length} machines that answer\n`,
      2,
    );
  return best.node;
}
