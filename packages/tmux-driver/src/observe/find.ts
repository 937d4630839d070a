import { hasCode, type PaneIdentity, TmpmError } from "@tmpm/core";
import { ANCHOR } from "../control/anchor.js";
import type { Answer, PaneInfo, ServerInfo } from "../driver.js";
import { foreignServer, paneGone } from "../effects/guard.js";
import { refusalError, socketGone, unresponsive } from "../failure.js";
import { isGeneration, type ObserveContext, type ServerContext, type ServerProcess, serverEnded } from "../server/server-context.js";
import { isMissing } from "../server/socket-keeper.js";
import { type Glance, glanceOnce, observeServer, type ServerObservation } from "./observe-server.js";
import type { SeenPane } from "./pane-info.js";
import { paneInfos, seenPanes } from "./pane-infos.js";
import type { PaneRow, Rows } from "./pane-row.js";
import { unknownWhenShort } from "./unknown-when-short.js";

export function findServer(context: ObserveContext): Promise<Answer<Pick<ServerInfo, "socket" | "pid" | "start" | "version">>> {
  return unknownWhenShort(() => serverOf(context));
}

async function serverOf(context: ObserveContext): ReturnType<typeof findServer> {
  const seen = await glanceOnce(context, () => []);
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

export function listPanes(context: ObserveContext): Promise<Answer<readonly PaneInfo[]>> {
  return listBy(context, { glance: ({ pane }) => [["list-panes", "-a", "-F", pane]], read: counting(paneInfos) });
}

/** All panes, without facts that need queries to the system. */
export function seePanes(context: ObserveContext): Promise<Answer<readonly SeenPane[]>> {
  return listBy(context, { glance: ({ paneFacts }) => [["list-panes", "-a", "-F", paneFacts]], read: counting(seenPanes) });
}

function counting<T>(read: Listing<T>["read"]): Listing<T>["read"] {
  return (context, rows) => {
    context.known.counted(rows.panes.length);
    return read(context, rows);
  };
}

/** Panes with output at or after `since`, in seconds since 1970, and those whose program has ended. Cheap when most are quiet. */
export function recentPanes(context: ObserveContext, since: number): Promise<Answer<readonly SeenPane[]>> {
  const recent = `#{||:#{pane_dead},#{e|>=:#{window_activity},${since}}}`;
  return listBy(context, { glance: ({ paneFacts }) => [["list-panes", "-a", "-f", recent, "-F", paneFacts]], read: seenPanes });
}

interface Listing<T> {
  readonly glance: Glance;
  readonly read: (context: ObserveContext, rows: Rows) => Promise<readonly T[]>;
}

function listBy<T>(context: ObserveContext, listing: Listing<T>): Promise<Answer<readonly T[]>> {
  return unknownWhenShort(() => listOnce(context, listing));
}

async function listOnce<T>(context: ObserveContext, { glance, read }: Listing<T>): Promise<Answer<readonly T[]>> {
  const seen = await observeServer(context, glance);
  switch (seen.kind) {
    case "seen":
      return {
        kind: "present",
        value: await read(context, { ...seen.rows, panes: seen.rows.panes.filter(({ tmuxName }) => tmuxName !== ANCHOR) }),
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

export function findPane(context: ServerContext, identity: PaneIdentity): Promise<Answer<PaneInfo>> {
  return unknownWhenShort(async () => {
    const answer = await context.row(identity);
    if (answer.kind !== "present") return answer;
    const [info] = await paneInfos(context, { ...answer.value.rows, panes: [answer.value.row] });
    return info === undefined ? { kind: "absent", reason: paneGone(identity).message } : { kind: "present", value: info };
  });
}

/** Fits easily in one message of a client to a server (16 KB). */
export const MOST_ROWS = 24;

export interface FoundRow {
  readonly row: PaneRow;
  readonly rows: Rows;
}

/** Queries panes in one request; absent only with proof. In the order of the identities. */
export async function findRows(context: ObserveContext, identities: readonly PaneIdentity[]): Promise<Answer<FoundRow>[]> {
  const seen = await lookAt(context, identities);
  const [only, ...others] = identities;
  // A rejection ends the commands, and the later panes stay unknown.
  if (seen.kind === "refused" && only !== undefined && others.length > 0) {
    return [...(await findRows(context, [only])), ...(await findRows(context, others))];
  }
  return Promise.all(identities.map((identity) => rowOf(context, { seen, identity })));
}

function lookAt(context: ObserveContext, identities: readonly PaneIdentity[]): Promise<ServerObservation> {
  return observeServer(context, ({ pane }) => identities.map(({ pane_id }) => ["display-message", "-p", "-t", pane_id, pane]));
}

/** The row of exactly this pane in a response; absent only with proof. */
export async function rowOf(
  context: ObserveContext,
  { seen, identity }: { readonly seen: ServerObservation; readonly identity: PaneIdentity },
): Promise<Answer<FoundRow>> {
  if (identity.socket !== context.socket) return { kind: "unknown", error: otherSocket(context, identity) };
  const server = { pid: identity.server_pid, start: identity.server_start };
  if (seen.kind === "unanswered") {
    // Without a program tmux cannot be queried; the system's facts about the server's process are still proof.
    const ended = hasCode(seen.error, "TMUX_NOT_FOUND") && (await serverEnded(context, server));
    return ended ? { kind: "absent", reason: `tmux server ${server.pid} has ended` } : { kind: "unknown", error: seen.error };
  }
  if (seen.kind === "no_server") return noServer(context, { server, reason: seen.refusal.message });
  if (!isGeneration(seen.rows.server, identity)) {
    const runs = await isTmux(context, server);
    return runs ? { kind: "unknown", error: displaced(context, server) } : { kind: "absent", reason: foreignServer(identity).message };
  }
  const row = seen.rows.panes.find(({ paneId }) => paneId === identity.pane_id);
  if (row !== undefined) return { kind: "present", value: { row, rows: seen.rows } };
  if (seen.kind === "refused" && !["no_pane", "no_session", "no_target"].includes(seen.refusal.kind)) {
    return { kind: "unknown", error: refusalError(seen.refusal) };
  }
  return { kind: "absent", reason: paneGone(identity).message };
}

/** @throws PANE_GONE, PANE_FOREIGN, TMUX_UNRESPONSIVE, TMUX_FAILED */
export async function requireRow(context: ObserveContext, identity: PaneIdentity): Promise<FoundRow> {
  const found = await foundRow(context, { seen: await lookAt(context, [identity]), identity });
  if (found instanceof TmpmError) throw found;
  return found;
}

/** The row of exactly this pane in a response, or an error: PANE_GONE and PANE_FOREIGN prove that it is absent. */
export async function foundRow(
  context: ObserveContext,
  { seen, identity }: { readonly seen: ServerObservation; readonly identity: PaneIdentity },
): Promise<FoundRow | TmpmError> {
  if (identity.socket !== context.socket) return foreignServer(identity);
  const answer = await rowOf(context, { seen, identity });
  if (answer.kind === "present") return answer.value;
  if (answer.kind === "unknown") return answer.error;
  const isOther = (seen.kind === "seen" || seen.kind === "refused") && !isGeneration(seen.rows.server, identity);
  return isOther ? foreignServer(identity) : paneGone(identity);
}

/** Nothing listens on the socket: sufficient proof when no server was known, or the known one has ended. */
export async function noServer(
  context: ObserveContext,
  { server, reason }: { readonly server: ServerProcess | null; readonly reason: string },
): Promise<Extract<Answer<never>, { kind: "absent" | "unknown" }>> {
  if (server === null || (await serverEnded(context, server))) return { kind: "absent", reason };
  context.known.expect(server);
  if (isMissing(context.socket)) return { kind: "unknown", error: socketGone(server.pid) };
  return { kind: "unknown", error: unresponsive(`the tmux server ${server.pid} runs, but its socket does not answer: ${reason}`, "none") };
}

/** A start is known to the second only, so a pid alone could be that of a program started by the other server. */
async function isTmux(context: ObserveContext, server: ServerProcess): Promise<boolean> {
  if (await serverEnded(context, server)) return false;
  return /(?:^|\/)tmux/.test((await context.processes.some([server.pid])).get(server.pid)?.command ?? "");
}

/** Its socket was removed, and a second server was started in its place. */
function displaced({ socket }: ObserveContext, { pid }: ServerProcess): TmpmError {
  return new TmpmError("TMUX_UNRESPONSIVE", `the tmux server ${pid} runs, but another one answers at ${socket}`, {
    effect: "none",
    hint: `\`kill ${pid}\` ends it and the programs in it; \`kill -USR1 ${pid}\` gives it the socket back, and takes it from the other one.`,
  });
}

function otherSocket(context: ObserveContext, identity: PaneIdentity): TmpmError {
  return new TmpmError(
    "INVALID_ARGUMENT",
    `pane ${identity.pane_id} belongs to the server at ${identity.socket}, not to ${context.socket}`,
    {
      details: { field: "identity" },
    },
  );
}
