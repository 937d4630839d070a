import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { TmpmError, withEffect } from "@tmpm/core/errors";
import {
  begun,
  cleanEnvironment,
  type EnvironmentSource,
  IN_SCOPE,
  markingScript,
  REFUSING_DEBUGGER,
  serverScope,
  until,
} from "@tmpm/processes";
import { errorOf } from "./error-body.js";
import { type HolderFacts, readFacts } from "./holder-facts.js";
import { createFolder, failurePath, holderFolder, prepareBase, removeFolder } from "./holder-folder.js";
import { connectHolder } from "./holder-link.js";
import { beingStarted, requireFree, unlessMissing, withdraw } from "./require-free.js";

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
}

const PATIENCE_MS = 30_000;

/**
 * Starts a holder that outlives this process and shares nothing with it: it has its own session and parent, a clean environment and no
 * inherited descriptor. Resolves when it answers, which it does once its program was started. @throws NAME_TAKEN for a session that has a
 * holder; errors of its program's `start`; UNRESPONSIVE, with effect `none` when it certainly will not start
 */
export async function startHolder(options: StartOptions): Promise<HolderFacts> {
  const folder = holderFolder(options.base, options.sessionId);
  await prepareBase(options.base);
  const { sessionId, name, launch } = options;
  await placeLaunch(folder, JSON.stringify({ sessionId, name, launch }));
  try {
    await detached(options, folder);
    return await answers(folder, options.patienceMs ?? PATIENCE_MS);
  } catch (error) {
    if (withdraw(folder)) throw withEffect(error, "none");
    throw error;
  }
}

/** Replaces the files of an ended holder. @throws NAME_TAKEN; UNRESPONSIVE while another start is in progress, or a holder may run */
async function placeLaunch(folder: string, launch: string): Promise<void> {
  if (createFolder(folder, launch)) return;
  await requireFree(folder);
  removeFolder(folder);
  if (!createFolder(folder, launch)) throw beingStarted(folder);
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

async function answers(folder: string, patienceMs: number): Promise<HolderFacts> {
  let facts: HolderFacts | null = null;
  const ready = async () => {
    facts = await firstAnswer(folder);
    return facts !== null;
  };
  await until(ready, { withinMs: patienceMs, everyMs: 10 });
  if (facts !== null) return facts;
  throw new TmpmError("UNRESPONSIVE", `the holder did not start within ${patienceMs} ms`, { effect: "unknown", details: { folder } });
}

/** Null while it is just starting. */
async function firstAnswer(folder: string): Promise<HolderFacts | null> {
  const failure = failureIn(folder);
  if (failure !== null) {
    removeFolder(folder);
    throw failure;
  }
  if ((await readFacts(folder)).kind !== "facts") return null;
  const link = await connectHolder(folder, {}).catch(() => null);
  link?.close();
  return link?.facts ?? null;
}

function failureIn(folder: string): TmpmError | null {
  const text = unlessMissing(() => readFileSync(failurePath(folder), "utf8"));
  if (text === null) return null;
  return errorOf(JSON.parse(text)) ?? new TmpmError("INTERNAL", "the holder failed without giving a cause");
}
