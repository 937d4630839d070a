import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { activeRecords } from "../observe/sweep.js";

/** How long after the end of a turn its events may still arrive, in ms. */
const LATE_MS = 5_000;

/**
 * The sessions whose agents have hooks but reported nothing during a whole visible turn: another version may not trust the hooks, or its
 * user does not.
 */
export async function silentAgents(ctx: Context): Promise<readonly SessionRecord[]> {
  const port = ctx.hooks;
  if (port === undefined) return [];
  const records = (await activeRecords(ctx)).filter(({ id }) => showedTurn(ctx, id));
  const plans = await Promise.all(
    records.map(({ id, agent }) =>
      ctx.agent(agent).hooks?.plan({ command: port.command, folder: port.folder(id), env: ctx.settings.sessionEnv }),
    ),
  );
  return records.filter((_, index) => (plans[index] ?? null) !== null);
}

function showedTurn(ctx: Pick<Context, "clock" | "observations">, id: string): boolean {
  const { heardMs, begunMs, level } = ctx.observations.known(id).track;
  return heardMs === null && begunMs > 0 && level?.state === "idle" && ctx.clock.now() - begunMs >= LATE_MS;
}
