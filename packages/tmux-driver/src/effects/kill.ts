import { hasCode, type PaneIdentity, TmpmError, withEffect } from "@tmpm/core";
import { endProcesses, type KnownRoot, leftoverTree, processTree, startedServers, until } from "@tmpm/processes";
import type { KillReport } from "../driver.js";
import { captureScreen } from "../observe/capture.js";
import type { FoundRow } from "../observe/find.js";
import { paneKey } from "../observe/known-roots.js";
import { pidOf } from "../observe/pane-infos.js";
import type { PaneRow } from "../observe/pane-row.js";
import type { ServerContext } from "../server/server-context.js";
import { commandText } from "../transport/argument.js";
import type { Command } from "../transport/channel.js";
import { performEffect } from "./effect.js";
import { OWN_SESSION } from "./guard.js";

const NOTICE_MS = 5000;
const LAST_LINES = 50;
const GONE: KillReport = { survivors: [], exit: null, lastLines: [] };

/** With survivors the tmux session stays, so that the call can be repeated. */
export async function killPane(
  context: ServerContext,
  { identity, graceMs }: { readonly identity: PaneIdentity; readonly graceMs: number },
): Promise<KillReport> {
  const answer = await context.row(identity);
  if (answer.kind === "unknown") throw answer.error;
  const report = await (answer.kind === "absent"
    ? endLeftover(context, { root: context.roots.of(paneKey(identity)), graceMs })
    : endPane(context, { identity, graceMs, found: answer.value }));
  if (report.survivors.length === 0) context.roots.forget(paneKey(identity));
  return report;
}

async function endPane(
  context: ServerContext,
  { identity, graceMs, found }: { readonly identity: PaneIdentity; readonly graceMs: number; readonly found: FoundRow },
): Promise<KillReport> {
  const { row, rows } = found;
  const { sessionId } = row;
  if (sessionId === null) throw new TmpmError("PANE_FOREIGN", `pane ${identity.pane_id} is not one that tmpm created`);
  const query = { serverPid: identity.server_pid, rootPid: pidOf(context, { row, server: rows.server }), sessionId };
  const left = await endProcesses(context.processes, { graceMs, collect: (known) => processTree(context.processes, { ...query, known }) });
  const end = await lastWords(context, { identity, row });
  const kept = left.length === 0 ? await removePane(context, identity) : null;
  const servers = await startedServers(context.processes, query);
  const beside = { ...(kept === null ? {} : { kept }), ...(servers.length === 0 ? {} : { servers }) };
  return { survivors: left.map(({ pid }) => pid), ...end, ...beside };
}

/** A program that ignores SIGHUP survives a killed server. */
async function endLeftover(
  { processes }: ServerContext,
  { root, graceMs }: { readonly root: KnownRoot | null; readonly graceMs: number },
): Promise<KillReport> {
  if (root === null) return GONE;
  const left = await endProcesses(processes, { graceMs, collect: (known) => leftoverTree(processes, { root, known }) });
  return { ...GONE, survivors: left.map(({ pid }) => pid) };
}

/** The exit and the last lines, once tmux has noticed the program's end. */
async function lastWords(
  context: ServerContext,
  { identity, row }: { readonly identity: PaneIdentity; readonly row: PaneRow },
): Promise<Pick<KillReport, "exit" | "lastLines">> {
  let end: Pick<KillReport, "exit" | "lastLines"> = { exit: null, lastLines: [] };
  try {
    await until(
      async () => {
        const { pane, lines } = await captureScreen(context, { identity, history: row.rows });
        const used = lines.findLastIndex((line) => line !== "") + 1;
        end = { exit: pane.exit, lastLines: lines.slice(Math.max(0, used - LAST_LINES), used) };
        return pane.exit !== null;
      },
      { withinMs: NOTICE_MS, everyMs: 20 },
    );
  } catch (error) {
    if (!hasCode(error, "PANE_GONE", "PANE_FOREIGN")) throw withEffect(error, "unknown");
  }
  return end;
}

const KEPT = "tmpm-kept";
const OTHERS = "#{||:#{!=:#{session_windows},1},#{!=:#{window_panes},1}}";

/**
 * A session without other panes ends with its pane. Panes that a user opened beside it stay, in a session that releases the name and is no
 * longer managed by tmpm: its new name is returned.
 */
async function removePane(context: ServerContext, identity: PaneIdentity): Promise<string | null> {
  const target = ["-t", identity.pane_id] as const;
  const kept = `#{session_name}-kept-${identity.pane_id.slice(1)}`;
  const leave = commandText([
    ["set-option", "-u", ...target, "@tmpm_owner"],
    ["rename-session", ...target, kept],
    ["display-message", "-p", ...target, `${KEPT} #{session_name}`],
  ]);
  const share: Command = ["if-shell", "-F", ...target, `#{&&:${OWN_SESSION},${OTHERS}}`, leave, ""];
  try {
    const output = await performEffect(context, { identity, demand: "any", commands: [share, ["kill-pane", ...target]] });
    const line = output.split("\n").find((each) => each.startsWith(`${KEPT} `));
    return line?.slice(KEPT.length + 1) ?? null;
  } catch (error) {
    if (!hasCode(error, "PANE_GONE")) throw withEffect(error, "unknown");
    return null;
  }
}
