import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { TmpmError } from "@tmpm/core";
import { begun } from "@tmpm/processes";
import type { ConversationLaunch } from "./launch.js";

export interface AgentEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface AgentProcess {
  readonly pid: number;
  readonly pipes: { readonly stdin: Writable; readonly stdout: Readable };
  /** Its last output outside the protocol. */
  printed(): readonly string[];
  /** Resolves when it has ended and all of its output is read. */
  readonly ended: Promise<AgentEnd>;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Its remaining children may keep its pipe open. */
const LAST_WORDS_MS = 1_000;
const MOST_PRINTED = 64 * 1024;
const PRINTED_LINES = 20;

/** Starts an agent in a separate process group. @throws LAUNCH_FAILED */
export async function startAgent({ argv, cwd, env }: ConversationLaunch): Promise<AgentProcess> {
  const [program, ...rest] = argv;
  const spawned = begun<Child>(() => spawn(program, rest, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true }));
  const child = await spawned.catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw new TmpmError("LAUNCH_FAILED", `${program} was not started: ${message}`);
  });
  const exited = new Promise<AgentEnd>((resolve) => child.once("exit", (status, signal) => resolve({ status, signal })));
  // Writing to an ended agent is not a fault of the holder: its end is reported.
  child.stdin.on("error", () => undefined);
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed = (printed + text).slice(-MOST_PRINTED);
  });
  return {
    pid: child.pid ?? 0,
    pipes: child,
    printed: () => printed.trimEnd().split("\n").slice(-PRINTED_LINES),
    ended: exited.then(async (end) => {
      await Promise.race([Promise.all([over(child.stdout), over(child.stderr)]), sleep(LAST_WORDS_MS)]);
      return end;
    }),
  };
}

async function over(stream: Readable): Promise<void> {
  // The way in which an ended process's pipe ends does not matter.
  await finished(stream, { writable: false }).catch(() => undefined);
}
