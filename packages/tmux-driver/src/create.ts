import { rm, stat } from "node:fs/promises";
import { TmpmError } from "@tmpm/core";
import { tagging } from "./adopt.js";
import type { Command, Reply } from "./channel.js";
import { requireSpec } from "./create-spec.js";
import type { CreateSpec, PaneInfo } from "./driver.js";
import { refusalError, unresponsive } from "./failure.js";
import { writeLaunchFile } from "./launch-file.js";
import { readLook, readMark } from "./look.js";
import { paneInfos } from "./pane-infos.js";
import { rowFormats } from "./pane-row.js";
import { nameTaken } from "./rename.js";
import type { ServerContext } from "./server-context.js";
import { storageError } from "./server-files.js";
import { serverEnded } from "./server-process.js";
import { until } from "./until.js";

export interface CreateOptions {
  /** As in `TmuxOptions`. */
  readonly home: string | null;
  readonly launchDir: string;
  /** How long a server that is just ending may take, in milliseconds. */
  readonly patienceMs: number;
}

/** Creates the pane, tags it and reads it back in one step of the server. */
export async function createPane(
  context: ServerContext,
  request: { readonly spec: CreateSpec; readonly options: CreateOptions },
): Promise<PaneInfo> {
  const { spec, options } = request;
  const name = requireSpec(spec);
  await requireDirectory(spec.cwd);
  await requireReachable(context);
  const launchFile = await writeLaunchFile(options.launchDir, spec).catch((error: unknown) => {
    throw storageError(error);
  });
  const mark = readMark(context);
  const reply = await askPatiently(context, {
    commands: creation(spec, { name, launchFile, home: options.home, mark }),
    launchFile,
    patienceMs: options.patienceMs,
  });
  if (!mayStillRun(reply)) await rm(launchFile, { force: true });
  return readCreated(context, { reply, name, mark });
}

interface Creation {
  readonly name: string;
  readonly launchFile: string;
  readonly home: string | null;
  readonly mark: string;
}

function creation(spec: CreateSpec, { name, launchFile, home, mark }: Creation): Command[] {
  const formats = rowFormats(mark);
  const target = `=${name}:`;
  const size = ["-x", String(spec.columns), "-y", String(spec.rows)];
  return [
    ["new-session", "-d", "-s", name, "-n", name, "-c", "/", ...size, "--", "/bin/sh", launchFile],
    ...tagging(target, { sessionId: spec.sessionId, home }),
    ["set-option", "-t", target, "@tmpm_owner", spec.sessionId],
    ["set-option", "-p", "-t", target, "remain-on-exit", "on"],
    ["display-message", "-p", formats.server],
    ["display-message", "-p", "-t", target, formats.pane],
  ];
}

/** A server that is just ending still takes the command and drops it. While the launch file is there, the program has not run. */
async function askPatiently(
  context: ServerContext,
  attempt: { readonly commands: readonly Command[]; readonly launchFile: string; readonly patienceMs: number },
): Promise<Reply> {
  let reply: Reply = { kind: "unanswered", error: unresponsive("the tmux server did not start", "none") };
  await until(
    async () => {
      reply = await context.channel.ask({ kind: "mutate", commands: attempt.commands });
      const dropped = reply.kind === "refused" && (reply.refusal.kind === "server_exited" || reply.refusal.kind === "no_server");
      return !(dropped && (await exists(attempt.launchFile)));
    },
    { withinMs: attempt.patienceMs, everyMs: 50 },
  );
  return reply;
}

/** A create that got no answer may run later, and then needs its launch file; an answered one removes it itself. */
function mayStillRun(reply: Reply): boolean {
  return reply.kind === "answered" || (reply.kind === "unanswered" && reply.error.effect === "unknown");
}

async function readCreated(
  context: ServerContext,
  { reply, name, mark }: { readonly reply: Reply; readonly name: string; readonly mark: string },
): Promise<PaneInfo> {
  if (reply.kind === "refused" && reply.refusal.kind === "duplicate_session") {
    throw nameTaken(name);
  }
  if (reply.kind === "refused" && reply.output.trim() === "") throw refusedCreation(reply);
  const seen = readLook(context, { reply, mark });
  if (seen.kind === "unanswered") throw seen.error;
  if (seen.kind === "seen") {
    const [pane] = await paneInfos(context, seen.rows);
    if (pane !== undefined) return pane;
  }
  throw new TmpmError("TMUX_FAILED", `tmux created session ${name} but did not tell of it`, { effect: "unknown" });
}

function refusedCreation(reply: Extract<Reply, { kind: "refused" }>): TmpmError {
  const error = refusalError(reply.refusal);
  if (error.code !== "PANE_GONE") return error;
  return new TmpmError("TMUX_FAILED", `tmux did not create the session: ${reply.refusal.message}`, { effect: "unknown" });
}

/** tmux would silently start the program elsewhere. @throws DIRECTORY_NOT_FOUND */
async function requireDirectory(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (path.startsWith("/") && !(found instanceof Error) && found.isDirectory()) return;
  const why = found instanceof Error ? (found.code ?? "unreadable") : path.startsWith("/") ? "no directory" : "not absolute";
  throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} cannot be worked in (${why})`, { details: { path } });
}

/** A server whose socket file was removed would be joined by a second one, unseen. */
async function requireReachable(context: ServerContext): Promise<void> {
  const server = context.known.last();
  if (server === null || (await exists(context.socket)) || (await serverEnded(context.processes, server))) return;
  throw unresponsive(`the tmux server ${server.pid} runs, but its socket file is gone`, "none");
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
