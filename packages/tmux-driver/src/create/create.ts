import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { TmpmError } from "@tmpm/core";
import { until } from "@tmpm/processes";
import type { CreateSpec, PaneInfo } from "../driver.js";
import { tagging } from "../effects/adopt.js";
import { nameTaken } from "../effects/rename.js";
import { refusalError, socketGone, unresponsive } from "../failure.js";
import { readMark, readObservation } from "../observe/observe-server.js";
import { paneInfos } from "../observe/pane-infos.js";
import { rowFormats } from "../observe/pane-row.js";
import { type ServerContext, type ServerProcess, serverEnded } from "../server/server-context.js";
import { storageError } from "../server/server-files.js";
import type { SocketKeeper } from "../server/socket-keeper.js";
import type { Command, Reply } from "../transport/channel.js";
import { requireSpec } from "./create-spec.js";
import { type LaunchFile, writeLaunchFile } from "./launch-file.js";

export interface CreateOptions {
  /** As in `TmuxOptions`. */
  readonly home: string | null;
  readonly launchDir: string;
  /** How long a server may take to end, in milliseconds. */
  readonly patienceMs: number;
}

/** Creates the pane, tags it and reads it back in one step of the server. */
export async function createPane(
  context: ServerContext,
  { spec, options }: { readonly spec: CreateSpec; readonly options: CreateOptions },
): Promise<PaneInfo> {
  const name = requireSpec(spec);
  await requireDirectory(spec.cwd);
  let made: PaneInfo | Dropped = { dropped: unresponsive("the tmux server did not start", "none") };
  await until(
    async () => {
      made = await aloneWhenCold(context, (server) => createOnce(context, { spec, options, name, server }));
      return !("dropped" in made);
    },
    { withinMs: options.patienceMs, everyMs: 50 },
  );
  if ("dropped" in made) throw made.dropped;
  return made;
}

/** Clients that start a server at the same time can meet one that is ending again: the first runs alone, and the others join it. */
async function aloneWhenCold<T>(context: ServerContext, create: (server: ServerProcess | null) => Promise<T>): Promise<T> {
  const running = await runningServer(context);
  if (running !== null) return create(running);
  const first = await context.starting(async () => ((await runningServer(context)) === null ? { made: await create(null) } : null));
  return first === null ? create(await runningServer(context)) : first.made;
}

/** A server that was ending received the command and dropped it: the program has not run, and will not. */
interface Dropped {
  readonly dropped: TmpmError;
}

interface Attempt {
  readonly spec: CreateSpec;
  readonly options: CreateOptions;
  readonly name: string;
  /** The one that runs. */
  readonly server: ServerProcess | null;
}

async function createOnce(context: ServerContext, { spec, options, name, server }: Attempt): Promise<PaneInfo | Dropped> {
  const file = launchFileIn(options.launchDir, spec);
  const mark = readMark(context);
  const reply = await context.channel.ask({ kind: "mutate", commands: creation(spec, { name, file, home: options.home, mark }) });
  const fate = await fateOf(context, { reply, server });
  if (fate === "server_gone" && file.withdraw()) return { dropped: droppedError(reply) };
  if (fate === "never_ran") file.remove();
  else file.removeOnceRun();
  return readCreated(context, { reply, name, mark });
}

function launchFileIn(folder: string, spec: CreateSpec): LaunchFile {
  try {
    return writeLaunchFile(folder, spec);
  } catch (error) {
    throw storageError(error);
  }
}

/** The state of the launch file: no shell was started for it; a shell may run it, now or later; or unknown, since its server is gone. */
async function fateOf(
  context: ServerContext,
  { reply, server }: { readonly reply: Reply; readonly server: ServerProcess | null },
): Promise<"never_ran" | "may_run" | "server_gone"> {
  if (reply.kind === "answered") return "may_run";
  if (reply.kind === "refused") {
    if (reply.refusal.kind === "server_exited" || reply.refusal.kind === "no_server") return "server_gone";
    return reply.output.trim() === "" ? "never_ran" : "may_run";
  }
  if (reply.error.effect === "none") return "never_ran";
  return server !== null && (await serverEnded(context, server)) ? "server_gone" : "may_run";
}

function droppedError(reply: Reply): TmpmError {
  return new TmpmError("TMUX_FAILED", `tmux did not create the session: ${reasonIn(reply)}`);
}

function reasonIn(reply: Reply): string {
  if (reply.kind === "refused") return reply.refusal.message;
  return reply.kind === "unanswered" ? reply.error.message : "no answer";
}

interface Creation {
  readonly name: string;
  readonly file: LaunchFile;
  readonly home: string | null;
  readonly mark: string;
}

function creation(spec: CreateSpec, { name, file, home, mark }: Creation): Command[] {
  const formats = rowFormats(mark);
  const target = `=${name}:`;
  const size = ["-x", String(spec.columns), "-y", String(spec.rows)];
  return [
    ["new-session", "-d", "-s", name, "-n", name, "-c", "/", ...size, "--", "/bin/sh", file.path],
    // For this pane alone, in the server's step that starts its program: a window that a user opens beside it closes with its program.
    ["set-option", "-p", "-t", target, "remain-on-exit", "on"],
    ...tagging(target, { sessionId: spec.sessionId, home }),
    ["set-option", "-t", target, "@tmpm_owner", spec.sessionId],
    ["display-message", "-p", formats.server],
    ["display-message", "-p", "-t", target, formats.pane],
  ];
}

async function readCreated(
  context: ServerContext,
  { reply, name, mark }: { readonly reply: Reply; readonly name: string; readonly mark: string },
): Promise<PaneInfo> {
  if (reply.kind === "refused" && reply.refusal.kind === "duplicate_session") {
    throw nameTaken(name);
  }
  if (reply.kind === "refused" && reply.output.trim() === "") throw refusedCreation(reply);
  const seen = readObservation(context, { reply, mark });
  if (seen.kind === "unanswered") throw seen.error;
  if (seen.kind === "seen") {
    const [pane] = await paneInfos(context, seen.rows);
    if (pane !== undefined) return pane;
  }
  throw new TmpmError("TMUX_FAILED", `tmux created session ${name} but did not report it`, { effect: "unknown" });
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
  const kind = path.startsWith("/") ? "not a directory" : "not absolute";
  const why = found instanceof Error ? (found.code ?? "unreadable") : kind;
  throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} cannot be the working directory (${why})`, { details: { path } });
}

/**
 * The server that answered last, while it runs. If its socket file was removed, a second server could be started unnoticed. @throws
 * TMUX_UNRESPONSIVE
 */
async function runningServer(context: ServerContext): Promise<ServerProcess | null> {
  const { known, socket, keeper } = context;
  const server = known.last();
  if (server === null || (await serverEnded(context, server))) {
    if (keeper !== null && !existsSync(dirname(socket))) prepared(keeper);
    return null;
  }
  if (existsSync(socket)) return server;
  if (keeper !== null && (await keeper.regain(server))) return server;
  throw socketGone(server.pid);
}

function prepared(keeper: SocketKeeper): void {
  try {
    keeper.prepare();
  } catch (error) {
    throw storageError(error);
  }
}
