import { readlink } from "node:fs/promises";
import type { Answer, PaneIdentity, PaneInfo, Screen } from "@tmpm/core";
import { answered } from "@tmpm/holder";
import { requireHistory } from "./create-spec.js";
import type { DriverContext } from "./driver-context.js";
import { factsOf, infoOf } from "./output.js";

/** All terminals with running holders. Leftovers of ended holders are removed in the background. */
export function listTerminals(context: DriverContext): Promise<Answer<readonly PaneInfo[]>> {
  return answered(async () => {
    const all = await context.links.all();
    const held = all.flatMap(({ found }) => (found.kind === "running" ? [{ facts: found.facts, info: context.known(found.facts) }] : []));
    context.tidy(all.map(({ found }) => found));
    return context.panesOf(held);
  });
}

/** Queries its holder, so that a positive answer is the holder's own. */
export async function findTerminal(context: DriverContext, identity: PaneIdentity): Promise<Answer<PaneInfo>> {
  return answered(async () => {
    const link = await context.links.of(identity);
    return context.paneOf({ facts: link.facts, info: await context.infoOf(link) });
  });
}

export async function captureScreen(
  context: DriverContext,
  { identity, history }: { readonly identity: PaneIdentity; readonly history: number },
): Promise<Screen> {
  requireHistory(history);
  const link = await context.links.of(identity);
  const { value } = await link.call("capture", { args: { history } });
  return { ...factsOf(value), pane: await context.paneOf({ facts: link.facts, info: infoOf(value) }) };
}

/** Null when unknown. */
export async function directoryOf(context: DriverContext, identity: PaneIdentity): Promise<string | null> {
  const found = await findTerminal(context, identity);
  if (found.kind !== "present") return null;
  const leader = (await context.table.some([found.value.pid])).get(found.value.pid);
  if (leader === undefined) return null;
  const group = leader.foregroundGroup > 0 ? leader.foregroundGroup : found.value.pid;
  return (await directoryOfProcess(group)) ?? directoryOfProcess(found.value.pid);
}

async function directoryOfProcess(pid: number): Promise<string | null> {
  return readlink(`/proc/${pid}/cwd`).catch(() => null);
}
