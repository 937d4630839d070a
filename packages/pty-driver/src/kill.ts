import { hasCode, type KillReport, type PaneIdentity, type Screen, TmpmError } from "@tmpm/core";
import { endHeld, findHolder, leaveHolder } from "@tmpm/holder";
import { startedServers, until } from "@tmpm/processes";
import type { DriverContext } from "./driver-context.js";
import { captureScreen } from "./observe.js";

const NOTICE_MS = 1000;
const LAST_LINES = 50;

/** With survivors the holder stays, so that the call can be repeated. */
export async function killTerminal(
  context: DriverContext,
  { identity, graceMs }: { readonly identity: PaneIdentity; readonly graceMs: number },
): Promise<KillReport> {
  const { table } = context;
  const answer = await findHolder(identity, table);
  if (answer.kind === "unknown") throw answer.error;
  const survivors = await endHeld(identity, { graceMs, table });
  const end = answer.kind === "present" ? await lastWords(context, identity) : { exit: null, lastLines: [] };
  const servers =
    answer.kind === "present" ? await serversOf(context, { serverPid: identity.server_pid, sessionId: answer.value.session_id }) : {};
  if (survivors.length === 0) await leaveHolder(identity, { table });
  return { survivors, ...end, ...servers };
}

async function serversOf({ table }: DriverContext, query: Parameters<typeof startedServers>[1]): Promise<Pick<KillReport, "servers">> {
  const servers = await startedServers(table, query);
  return servers.length === 0 ? {} : { servers };
}

/**
 * The exit and the last lines, once the holder has noticed the program's end. A holder that does not answer reports neither, and is ended
 * too.
 */
async function lastWords(context: DriverContext, identity: PaneIdentity): Promise<Pick<KillReport, "exit" | "lastLines">> {
  let seen: Screen | null = null;
  try {
    await until(
      async () => {
        seen = await captureScreen(context, { identity, history: 1000 });
        return seen.pane.exit !== null;
      },
      { withinMs: NOTICE_MS, everyMs: 10 },
    );
  } catch (error) {
    if (!hasCode(error, "PANE_GONE", "PANE_FOREIGN", "UNRESPONSIVE")) throw asUnknown(error);
  }
  return ended(seen);
}

function ended(seen: Screen | null): Pick<KillReport, "exit" | "lastLines"> {
  if (seen === null) return { exit: null, lastLines: [] };
  const used = seen.lines.findLastIndex((line) => line !== "") + 1;
  return { exit: seen.pane.exit, lastLines: seen.lines.slice(Math.max(0, used - LAST_LINES), used) };
}

/** The processes are gone, whatever the error of this call. */
function asUnknown(error: unknown): unknown {
  if (!(error instanceof TmpmError)) return error;
  return new TmpmError(error.code, error.message, { effect: "unknown", details: error.details, cause: error });
}
