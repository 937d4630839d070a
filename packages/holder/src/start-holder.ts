import { spawn } from "node:child_process";
import { constants, readFileSync } from "node:fs";
import { access } from "node:fs/promises";
import { TmpmError, withEffect } from "@tmpm/core/errors";
import {
  begun,
  cleanEnvironment,
  type EnvironmentSource,
  IN_SCOPE,
  markingScript,
  type ProcessTable,
  processTable,
  REFUSING_DEBUGGER,
  serverScope,
  until,
} from "@tmpm/processes";
import { clearEnded } from "./end-holder.js";
import { errorOf } from "./error-body.js";
import { type HolderFacts, holderEnded, readFacts } from "./holder-facts.js";
import { createFolder, failurePath, faultPath, holderFolder, prepareBase, removeFolder } from "./holder-folder.js";
import { connectHolder } from "./holder-link.js";
import { beingStarted, claimantEnded, requireFree, unlessMissing, withdraw } from "./require-free.js";

export interface StartOptions {
  /** The folder of all holders; created if missing. */
  readonly base: string;
  readonly sessionId: string;
  /** For display. */
  readonly name: string;
  /** The module that calls `runHolder`: an absolute path that Node can run. */
  readonly entry: string;
  /** Input of its program; passed in a private file. */
  readonly launch: unknown;
  /** The holder gets the part that `cleanEnvironment` passes. */
  readonly env: EnvironmentSource;
  readonly nodeFlags?: readonly string[];
  /** Time limit for a start; default 30,000 ms. */
  readonly patienceMs?: number;
  readonly table?: ProcessTable;
}

const PATIENCE_MS = 30_000;

/**
 * Starts a holder that outlives this process and shares nothing with it: it has its own session and parent, a clean environment and no
 * inherited descriptor. What an ended holder of the session left is ended first. Resolves when it answers, which it does once its program
 * was started. @throws NAME_TAKEN for a session that has a holder; SURVIVORS when processes of an ended one do not end; HOST_UNAVAILABLE when
 * Node or `entry` is missing; errors of its program's `start`; UNRESPONSIVE, with effect `none` when it certainly will not start
 */
export async function startHolder(options: StartOptions): Promise<HolderFacts> {
  const folder = holderFolder(options.base, options.sessionId);
  await prepareBase(options.base);
  const { sessionId, name, launch, table = processTable() } = options;
  await requirePrograms(options.entry);
  await placeLaunch(folder, { launch: JSON.stringify({ sessionId, name, launch }), table });
  try {
    await detached(options, folder);
    return await answers(folder, { patienceMs: options.patienceMs ?? PATIENCE_MS, table });
  } catch (error) {
    if (withdraw(folder)) throw withEffect(error, "none");
    throw error;
  }
}

/** Both may be replaced while this process runs. @throws HOST_UNAVAILABLE */
async function requirePrograms(entry: string): Promise<void> {
  const needed = [
    { path: process.execPath, mode: constants.X_OK, what: "executed" },
    { path: entry, mode: constants.R_OK, what: "read" },
  ];
  for (const { path, mode, what } of needed) {
    await access(path, mode).catch((error: unknown) => {
      throw new TmpmError("HOST_UNAVAILABLE", `no holder can be started: ${path} cannot be ${what}`, {
        hint: "If tmpm or Node was updated, run `tmpm daemon restart`.",
        details: { path },
        cause: error,
      });
    });
  }
}

interface Placing {
  readonly launch: string;
  readonly table: ProcessTable;
}

/** Replaces the files of an ended holder, and ends its processes. @throws NAME_TAKEN, SURVIVORS, UNRESPONSIVE */
async function placeLaunch(folder: string, { launch, table }: Placing): Promise<void> {
  if (createFolder(folder, launch)) return;
  const ended = await requireFree(folder, table);
  if (ended !== null) await clearLeftover({ folder, facts: ended }, table);
  removeFolder(folder);
  if (!createFolder(folder, launch)) throw beingStarted(folder);
}

async function clearLeftover(ended: Parameters<typeof clearEnded>[0], table: ProcessTable): Promise<void> {
  const survivors = await clearEnded(ended, { table });
  if (survivors === null) throw beingStarted(ended.folder);
  if (survivors.length === 0) return;
  throw new TmpmError("SURVIVORS", `processes of the session's ended program do not end: ${survivors.join(", ")}`, {
    hint: "End them, then repeat the command.",
    details: { survivors },
  });
}

async function detached({ sessionId, entry, env, nodeFlags = [] }: StartOptions, folder: string): Promise<void> {
  const clean = cleanEnvironment(env);
  const scope = (await serverScope(clean)).kind === "scope" ? IN_SCOPE : [];
  const argv = [...scope, process.execPath, ...REFUSING_DEBUGGER, ...nodeFlags, entry, folder];
  // The shell ends at once, so that its child has no parent. The program inherits the mark.
  const script = `${markingScript(sessionId)}; "$@" </dev/null >/dev/null 2>&1 &`;
  const shell = await begun(() =>
    spawn("/bin/sh", ["-c", script, "sh", ...argv], { cwd: "/", env: clean, detached: true, stdio: "ignore" }),
  );
  await new Promise<void>((resolve, reject) => {
    shell.once("error", reject);
    shell.once("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new TmpmError("RESOURCE_EXHAUSTED", `the holder was not started: /bin/sh ended with ${code ?? signal}`));
    });
  });
}

interface Awaiting {
  readonly patienceMs: number;
  readonly table: ProcessTable;
}

/** Interval at which a starting holder's process is looked up, in ms: most answer sooner, and a look-up may start a program. */
const LOOK_UP_MS = 250;

async function answers(folder: string, { patienceMs, table }: Awaiting): Promise<HolderFacts> {
  let facts: HolderFacts | null = null;
  let lookUpAt = performance.now() + LOOK_UP_MS;
  const ready = async () => {
    const isDue = performance.now() >= lookUpAt;
    facts = await firstAnswer(folder, isDue ? table : null);
    if (isDue) lookUpAt = performance.now() + LOOK_UP_MS;
    return facts !== null;
  };
  await until(ready, { withinMs: patienceMs, everyMs: 10 });
  if (facts !== null) return facts;
  throw new TmpmError("UNRESPONSIVE", `the holder did not start within ${patienceMs} ms`, { effect: "unknown", details: { folder } });
}

/** Null while it is just starting. @throws its failure; with a table, LAUNCH_FAILED when it has ended without one */
async function firstAnswer(folder: string, table: ProcessTable | null): Promise<HolderFacts | null> {
  throwFailure(folder);
  const read = await readFacts(folder);
  if (read.kind !== "facts") {
    if (table !== null && (await claimantEnded(folder, table))) throw endedEarly(folder, "none");
    return null;
  }
  const link = await connectHolder(folder, {}).catch(() => null);
  link?.close();
  if (link === null && table !== null && (await holderEnded(table, read.facts))) throw endedEarly(folder, "unknown");
  return link?.facts ?? null;
}

/** With facts, its program may have been started, and the folder reports it. */
function endedEarly(folder: string, effect: "none" | "unknown"): TmpmError {
  throwFailure(folder);
  const [fault = "it gave no cause"] = unlessMissing(() => readFileSync(faultPath(folder), "utf8"))?.split("\n", 1) ?? [];
  if (effect === "none") removeFolder(folder);
  return new TmpmError("LAUNCH_FAILED", `the holder ended before it answered: ${fault}`, { effect, details: { folder } });
}

/** @throws the reason why the holder refused; then nothing of it is left */
function throwFailure(folder: string): void {
  const text = unlessMissing(() => readFileSync(failurePath(folder), "utf8"));
  if (text === null) return;
  removeFolder(folder);
  throw errorOf(JSON.parse(text)) ?? new TmpmError("INTERNAL", "the holder failed without giving a cause");
}
