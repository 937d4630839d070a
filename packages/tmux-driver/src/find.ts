import { type PaneIdentity, TmpmError } from "@tmpm/core";
import type { Command } from "./channel.js";
import { ANCHOR } from "./control/anchor.js";
import type { Answer, PaneInfo, ServerInfo } from "./driver.js";
import { refusalError, unresponsive } from "./failure.js";
import { foreignServer, paneGone } from "./guard.js";
import { type Look, look } from "./look.js";
import { paneInfo } from "./pane-info.js";
import { PANE_FORMAT, type PaneRow, type Rows, type ServerRow } from "./pane-row.js";
import { isGeneration, type ServerContext } from "./server-context.js";
import { serverEnded } from "./server-process.js";

export async function findServer(context: ServerContext): Promise<Answer<Omit<ServerInfo, "programVersion">>> {
  const seen = await look(context, { rows: [] });
  switch (seen.kind) {
    case "seen":
    case "refused":
      return { kind: "present", value: { socket: context.socket, ...seen.rows.server } };
    case "no_server":
      return noServer(context, { server: context.known.last(), reason: seen.refusal.message });
    case "unanswered":
      return { kind: "unknown", error: seen.error };
  }
}

export function listPanes(context: ServerContext): Promise<Answer<readonly PaneInfo[]>> {
  return listBy(context, ["list-panes", "-a", "-F", PANE_FORMAT]);
}

/** The panes that printed at or after `since`, in seconds since 1970, and those whose program has ended. Costs little where most are quiet. */
export function recentPanes(context: ServerContext, since: number): Promise<Answer<readonly PaneInfo[]>> {
  return listBy(context, ["list-panes", "-a", "-f", `#{||:#{pane_dead},#{e|>=:#{window_activity},${since}}}`, "-F", PANE_FORMAT]);
}

async function listBy(context: ServerContext, command: Command): Promise<Answer<readonly PaneInfo[]>> {
  const seen = await look(context, { rows: [command] });
  switch (seen.kind) {
    case "seen":
      return {
        kind: "present",
        value: await paneInfos(context, { ...seen.rows, panes: seen.rows.panes.filter(({ tmuxName }) => tmuxName !== ANCHOR) }),
      };
    case "refused":
      // A server without sessions has no target for `list-panes -a`.
      if (seen.refusal.kind === "no_target") return { kind: "present", value: [] };
      return { kind: "unknown", error: refusalError(seen.refusal) };
    case "no_server":
      return noServer(context, { server: context.known.last(), reason: seen.refusal.message });
    case "unanswered":
      return { kind: "unknown", error: seen.error };
  }
}

export async function findPane(context: ServerContext, identity: PaneIdentity): Promise<Answer<PaneInfo>> {
  const answer = await findRow(context, identity);
  if (answer.kind !== "present") return answer;
  const [info] = await paneInfos(context, { ...answer.value.rows, panes: [answer.value.row] });
  return info === undefined ? { kind: "absent", reason: paneGone(identity).message } : { kind: "present", value: info };
}

export interface FoundRow {
  readonly row: PaneRow;
  readonly rows: Rows;
}

export async function findRow(context: ServerContext, identity: PaneIdentity): Promise<Answer<FoundRow>> {
  if (identity.socket !== context.socket) return { kind: "unknown", error: otherSocket(context, identity) };
  const seen = await look(context, { rows: [["display-message", "-p", "-t", identity.pane_id, PANE_FORMAT]] });
  return rowOf(context, { seen, identity });
}

/** The row of exactly this pane in a look; absent only with proof. */
export async function rowOf(
  context: ServerContext,
  { seen, identity }: { readonly seen: Look; readonly identity: PaneIdentity },
): Promise<Answer<FoundRow>> {
  if (seen.kind === "unanswered") return { kind: "unknown", error: seen.error };
  if (seen.kind === "no_server") {
    return noServer(context, { server: { pid: identity.server_pid, start: identity.server_start }, reason: seen.refusal.message });
  }
  if (!isGeneration(seen.rows.server, identity)) return { kind: "absent", reason: foreignServer(identity).message };
  const row = seen.rows.panes.find(({ paneId }) => paneId === identity.pane_id);
  if (row !== undefined) return { kind: "present", value: { row, rows: seen.rows } };
  if (seen.kind === "refused" && !["no_pane", "no_session", "no_target"].includes(seen.refusal.kind)) {
    return { kind: "unknown", error: refusalError(seen.refusal) };
  }
  return { kind: "absent", reason: paneGone(identity).message };
}

/** @throws PANE_GONE, PANE_FOREIGN, TMUX_UNRESPONSIVE, TMUX_FAILED */
export async function requireRow(context: ServerContext, identity: PaneIdentity): Promise<FoundRow> {
  const seen = await look(context, { rows: [["display-message", "-p", "-t", identity.pane_id, PANE_FORMAT]] });
  const found = await foundRow(context, { seen, identity });
  if (found instanceof TmpmError) throw found;
  return found;
}

/** The row of exactly this pane in a look, or why there is none: PANE_GONE and PANE_FOREIGN are proof that it is not there. */
export async function foundRow(
  context: ServerContext,
  { seen, identity }: { readonly seen: Look; readonly identity: PaneIdentity },
): Promise<FoundRow | TmpmError> {
  if (identity.socket !== context.socket) return foreignServer(identity);
  if ((seen.kind === "seen" || seen.kind === "refused") && !isGeneration(seen.rows.server, identity)) return foreignServer(identity);
  const answer = await rowOf(context, { seen, identity });
  if (answer.kind === "present") return answer.value;
  return answer.kind === "unknown" ? answer.error : paneGone(identity);
}

export async function paneInfos(context: ServerContext, rows: Rows): Promise<PaneInfo[]> {
  const open = rows.panes.filter(({ status, signal }) => status === null && signal === null);
  const processes = await context.processes.some(open.map(({ pid }) => pid));
  for (const row of rows.panes) context.roots.remember(row, { server: rows.server, process: processes.get(row.pid) });
  return rows.panes.map((row) => paneInfo(row, { socket: context.socket, rows, processes, now: context.now() }));
}

/** Nothing listens on the socket: proof enough when no server was known, or the one that was has ended. */
export async function noServer(
  context: ServerContext,
  { server, reason }: { readonly server: Pick<ServerRow, "pid" | "start"> | null; readonly reason: string },
): Promise<Extract<Answer<never>, { kind: "absent" | "unknown" }>> {
  if (server === null || (await serverEnded(context.processes, server))) return { kind: "absent", reason };
  return { kind: "unknown", error: unresponsive(`the tmux server ${server.pid} runs, but its socket does not answer: ${reason}`, "none") };
}

function otherSocket(context: ServerContext, identity: PaneIdentity): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `pane ${identity.pane_id} is of the server at ${identity.socket}, not of ${context.socket}`, {
    details: { field: "identity" },
  });
}
