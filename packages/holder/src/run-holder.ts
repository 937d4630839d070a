import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { hasErrno } from "@tmpm/core";
import { isTmpmError, TmpmError, toErrorBody } from "@tmpm/core/errors";
import { processTable, refuseDebugger } from "@tmpm/processes";
import { type HolderFacts, type OwnProcess, ownFacts, ownProcess, writeFacts } from "./holder-facts.js";
import { claimedPath, failurePath, faultPath, launchPath, removeFolder, socketPath } from "./holder-folder.js";
import type { HolderProgram, RunningProgram } from "./holder-program.js";
import { type HolderServer, holderServer } from "./holder-server.js";
import { stayFound } from "./stay-found.js";

/** Interval of the checks that the holder can be found. */
const LOOK_MS = 10_000;
/** Time for which the exit of a program is kept for a client that requests it. */
const LINGER_MS = 24 * 3600 * 1000;
/** Time limit for a holder to notice that its program has ended. */
const NOTICE_MS = 2000;

/** The whole life of a holder process: `node ENTRY FOLDER`, where ENTRY calls this. Never resolves; ends the process. */
export async function runHolder(program: HolderProgram): Promise<void> {
  refuseDebugger();
  const folder = process.argv[2] ?? "";
  process.chdir("/");
  // The terminal shows when the session's program has ended; its holder stays until then.
  for (const signal of ["SIGHUP", "SIGINT", "SIGPIPE"] as const) process.on(signal, () => undefined);
  process.on("uncaughtException", (error) => {
    writeFileSync(faultPath(folder), String(error.stack), { mode: 0o600 });
    process.exit(70);
  });
  try {
    const own = await ownProcess();
    const claimed = claimLaunch(folder, own);
    // It was withdrawn: no caller waits for this holder.
    if (claimed === null) process.exit(0);
    await hold(program, { folder, claimed, own });
  } catch (error) {
    writeFailure(folder, error);
    process.exit(1);
  }
}

interface Holding {
  readonly folder: string;
  readonly claimed: string;
  readonly own: OwnProcess;
}

async function hold(program: HolderProgram, { folder, claimed, own }: Holding): Promise<void> {
  const launch = parseLaunch(readFileSync(claimed, "utf8"));
  let facts = ownFacts(folder, { ...launch, own });
  writeFacts(folder, facts);
  // Only now: a folder with neither facts nor a launch file has no holder.
  rmSync(claimed);
  let running: RunningProgram | null = null;
  const server: HolderServer = holderServer({
    facts: () => facts,
    async call(request, client) {
      if (request.verb === "leave") {
        if (!(await endsInTime(running))) throw new TmpmError("INVALID_STATE", "the program still runs");
        setImmediate(() => void leave());
        return { value: null };
      }
      if (running === null) throw new TmpmError("NOT_READY", "the program is just being started");
      return running.call(request, client);
    },
    left: (client) => running?.left(client),
  });
  const leave = async (): Promise<never> => {
    await running?.close();
    await server.close();
    removeFolder(folder);
    process.exit(0);
  };
  process.on("SIGTERM", () => void leave());
  running = await program.start(launch.launch);
  facts = { ...facts, program: await programOf(running) };
  writeFacts(folder, facts);
  await server.listen(socketPath(folder));
  stayFound(server, { folder, facts, lost: leave, everyMs: LOOK_MS });
  await running.ended;
  setTimeout(() => void leave(), LINGER_MS);
}

/** Whether the program has ended; its event may be delayed. */
async function endsInTime(running: RunningProgram | null): Promise<boolean> {
  if (running === null) return false;
  const over = new AbortController();
  const late = sleep(NOTICE_MS, false, { signal: over.signal }).catch(() => false);
  const ended = await Promise.race([running.ended.then(() => true), late]);
  over.abort();
  return ended;
}

/** Claims the launch file, so that no other process runs it, and returns its new path; null if it is gone. */
function claimLaunch(folder: string, own: OwnProcess): string | null {
  const claimed = claimedPath(folder, own);
  try {
    renameSync(launchPath(folder), claimed);
    return claimed;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
}

function writeFailure(folder: string, error: unknown): void {
  const known = isTmpmError(error)
    ? error
    : new TmpmError("INTERNAL", error instanceof Error ? error.message : String(error), { cause: error });
  const path = failurePath(folder);
  writeFileSync(`${path}.new`, JSON.stringify(toErrorBody(known)), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

async function programOf({ pid }: RunningProgram): Promise<HolderFacts["program"]> {
  if (pid === null) return null;
  const found = (await processTable().some([pid])).get(pid);
  return { pid, start: found?.start ?? "" };
}

/** Launch instructions for a holder; in a file that only its user can read, until the holder has read it. */
interface Launch {
  readonly sessionId: string;
  readonly name: string;
  readonly launch: unknown;
}

/** @throws SyntaxError, TypeError for invalid instructions */
function parseLaunch(text: string): Launch {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("sessionId" in value) || !("name" in value) || !("launch" in value)) {
    throw new TypeError("not a launch file of a holder");
  }
  return { sessionId: String(value.sessionId), name: String(value.name), launch: value.launch };
}
