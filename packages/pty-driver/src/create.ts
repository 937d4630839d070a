import type { CreateSpec, PaneInfo } from "@tmpm/core";
import { afterStart, type FoundHolder, holderSocket, identityOf, startHolder } from "@tmpm/holder";
import { cleanEnvironment } from "@tmpm/processes";
import { requireSpec } from "./create-spec.js";
import { type DriverContext, nameTaken } from "./driver-context.js";
import type { PtyLaunch } from "./held/pty-launch.js";

const RING_BYTES = 1024 * 1024;
/** Limits an idle holder's memory: its garbage consists of small, short-lived objects. */
const NODE_FLAGS = ["--max-semi-space-size=1", "--max-old-space-size=256"];

/** Names are unique among those visible to this process: only one daemon creates at a time. */
export async function createTerminal(
  context: DriverContext,
  { spec, nodePty }: { readonly spec: CreateSpec; readonly nodePty: () => string },
): Promise<PaneInfo> {
  const { options, links, table } = context;
  const name = await requireSpec(spec);
  const path = nodePty();
  const { sessionId, cwd, argv, columns, rows } = spec;
  const env = { ...cleanEnvironment(options.env), COLORTERM: "truecolor", ...spec.env };
  const ringBytes = options.ringBytes ?? RING_BYTES;
  const launch: PtyLaunch = { nodePty: path, tmuxName: name, cwd, argv, env, columns, rows, ringBytes };
  const { base, entry } = options;
  const all = await links.all();
  if (all.some(({ found }) => found.kind === "running" && nameOf(context, found) === name)) throw nameTaken(name);
  // No other task uses the session's folder in the meantime.
  const facts = await context.lane.run(holderSocket(base, sessionId), () =>
    startHolder({ base, sessionId, name, entry, launch, env: options.env, nodeFlags: NODE_FLAGS, table }),
  );
  return afterStart(async () => {
    const link = await links.of(identityOf(facts));
    return context.paneOf({ facts: link.facts, info: await context.infoOf(link) });
  });
}

function nameOf(context: DriverContext, { facts }: Extract<FoundHolder, { kind: "running" | "gone" }>): string {
  return context.known(facts)?.tmuxName ?? facts.name;
}
