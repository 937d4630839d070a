import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { begun } from "./begun.js";

export type ProgramEnd =
  /** `status` is null when a signal ended it. The output is text without its last line end. */
  | { readonly kind: "ended"; readonly status: number | null; readonly stdout: string; readonly stderr: string }
  /** It was killed at its deadline. */
  | { readonly kind: "late" }
  /** The system did not start it. */
  | { readonly kind: "refused"; readonly error: Error & { readonly code: string } };

export interface ProgramRun {
  readonly argv: readonly [string, ...string[]];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly withinMs: number;
  /** Standard input; empty by default. */
  readonly input?: string | undefined;
}

/** Maximum output of each stream, in bytes; a program that prints more is killed. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Runs a program in `/` and collects its output. The one place that handles every way in which the system may refuse to start one. */
export async function runProgram({ argv, env, withinMs, input }: ProgramRun): Promise<ProgramEnd> {
  const [program, ...words] = argv;
  try {
    const stdin = input === undefined ? "ignore" : "pipe";
    const child = await begun(() => spawn(program, words, { cwd: "/", env, stdio: [stdin, "pipe", "pipe"] }));
    return await ending(child, { withinMs, input });
  } catch (error) {
    if (isSystemError(error)) return { kind: "refused", error };
    throw error;
  }
}

function ending(child: ChildProcess, { withinMs, input = "" }: Pick<ProgramRun, "withinMs" | "input">): Promise<ProgramEnd> {
  const { stdin, stdout, stderr } = child;
  const kill = () => void child.kill("SIGKILL");
  const texts = [stdout, stderr].map((stream) => textOf(stream, kill));
  // A program that does not read its input ends it with an error; its status shows why.
  stdin?.on("error", () => undefined);
  stdin?.end(input);
  endWithUs(child);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      kill();
      // Another process may hold the pipes open.
      for (const stream of [stdin, stdout, stderr]) stream?.destroy();
      resolve({ kind: "late" });
    }, withinMs);
    child.on("error", () => undefined);
    child.once("close", (status) => {
      clearTimeout(timer);
      const [printed = "", reported = ""] = texts.map((text) => text());
      resolve({ kind: "ended", status, stdout: printed, stderr: reported });
    });
  });
}

function textOf(stream: Readable | null, stop: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) stop();
    else chunks.push(chunk);
  });
  stream?.on("error", () => undefined);
  return () =>
    Buffer.concat(chunks)
      .toString("utf8")
      .replace(/\r?\n$/, "");
}

const running = new Set<ChildProcess>();

/** A program whose output is not read is useless, and may wait forever. */
function endWithUs(child: ChildProcess): void {
  if (!process.listeners("exit").includes(endAll)) process.on("exit", endAll);
  running.add(child);
  child.once("exit", () => running.delete(child));
}

function endAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}
