import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { hasErrno } from "@tmpm/core";
import { killGroup } from "../files/kill-group.js";
import { heldLocks, removeLocks } from "./held-locks.js";
import { beginGroup, endGroup } from "./own-groups.js";

export interface GitProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input; empty without it. */
  readonly input?: Buffer | undefined;
  /** Limit of standard output, and of standard error; git is killed when it prints more. */
  readonly mostBytes: number;
  readonly onStderr?: ((text: string) => void) | undefined;
}

export type GitEnd =
  | { readonly kind: "exited"; readonly exitCode: number; readonly stdout: Buffer; readonly stderr: Buffer }
  | { readonly kind: "not_started"; readonly missing: boolean; readonly reason: string }
  | { readonly kind: "killed"; readonly reason: string };

export interface StartedGit {
  /** Never rejects. */
  readonly ended: Promise<GitEnd>;
  /** Kills git and its children, and stops reading their output. */
  kill(): void;
  /**
   * Asks git to end, so that it removes its lock files, and kills what remains. Lock files that killed processes had open are removed, too; resolves with those that may
   * be another process's.
   */
  stop(): Promise<readonly string[]>;
}

/** How long git and its children may take to end when asked. A process that waits for a disk cannot be killed. */
const END_MS = 1_000;

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/**
 * Starts git in a process group of its own. Without a library, which would increase the cost of each of an operation's dozens of processes
 * by half.
 */
export function startGit(args: readonly string[], { env, input, mostBytes, onStderr }: GitProcess): StartedGit {
  let child: Child;
  try {
    // A missing directory would otherwise look like a missing program.
    child = spawn("git", args, {
      cwd: "/",
      detached: true,
      env,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    }) as Child;
  } catch (error) {
    return { ended: Promise.resolve(notStarted(error)), kill: () => undefined, stop: () => Promise.resolve([]) };
  }
  const kill = () => {
    killGroup(child.pid);
    // A process that left the group may keep them open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  beginGroup(child.pid);
  child.on("close", () => endGroup(child.pid));
  const ended = endOf(child, { input, mostBytes, onStderr, kill });
  const stop = async () => {
    killGroup(child.pid, "SIGTERM");
    await within(ended, END_MS);
    const group = child.pid;
    const locks = group === undefined ? [] : await heldLocks(group);
    // Also its children, which may outlive it.
    kill();
    await within(ended, END_MS);
    return group === undefined ? [] : removeLocks(locks, { group, withinMs: END_MS });
  };
  return { ended, kill, stop };
}

async function within(ended: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([ended, passed]);
  clearTimeout(timer);
}

type Ending = Pick<GitProcess, "input" | "mostBytes" | "onStderr"> & { readonly kill: () => void };

function endOf(child: Child, { input, mostBytes, onStderr, kill }: Ending): Promise<GitEnd> {
  let tooMuch = false;
  const overflow = () => {
    tooMuch = true;
    kill();
  };
  const stdout = collected(child.stdout, { mostBytes, overflow });
  const stderr = collected(child.stderr, { mostBytes, overflow });
  if (onStderr !== undefined) {
    const decoder = new TextDecoder();
    child.stderr.on("data", (chunk: Buffer) => onStderr(decoder.decode(chunk, { stream: true })));
  }
  // Git may end without reading all of it; its exit code decides.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(notStarted(error)));
    child.on("close", (exitCode, signal) => {
      if (tooMuch) resolve({ kind: "killed", reason: `git printed more than ${mostBytes} bytes` });
      else if (exitCode === null) resolve({ kind: "killed", reason: `git was ended by ${signal}` });
      else resolve({ kind: "exited", exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
    });
  });
}

function collected(stream: Readable, { mostBytes, overflow }: { readonly mostBytes: number; readonly overflow: () => void }): Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > mostBytes) overflow();
  });
  stream.on("error", () => undefined);
  return chunks;
}

function notStarted(error: unknown): GitEnd {
  return {
    kind: "not_started",
    missing: hasErrno(error, "ENOENT", "EACCES"),
    reason: error instanceof Error ? error.message : String(error),
  };
}
