import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, shell } from "@tmpm/agents";
import { tmuxDriver, tmuxHost } from "@tmpm/tmux-driver";
import { type Settings, systemClock } from "../src/index.js";
import { type Lab, lab } from "./lab.js";
import { scripted } from "./scripted-agent.js";

export interface RealLab extends Pick<Lab, "sessions" | "events"> {
  readonly folder: string;
  /** Each in a folder of its own. */
  newFolder(): Promise<string>;
  tmux(...argv: readonly string[]): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A supervisor over a real tmux server of its own, memory stores and real time. */
export async function realLab(settings: Partial<Settings> = {}): Promise<RealLab> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const socket = join(folder, "s");
  const deadlines = { read: 10_000, mutate: 20_000 };
  const own = () => tmuxDriver({ socket: { path: socket }, stateDir: join(folder, "tmux"), env: process.env, deadlines });
  const driver = own();
  const observer = own();
  const ports = { hosts: [tmuxHost({ driver, observer })], clock: systemClock, newId: () => crypto.randomUUID() };
  const { sessions, events } = lab({ adapters: [shell, command, scripted], ports, settings: { columns: 100, rows: 30, ...settings } });
  const tmux = (...argv: readonly string[]) =>
    new Promise<void>((resolve) => void execFile("tmux", ["-u", "-S", socket, ...argv], () => resolve()));
  return {
    folder,
    sessions,
    events,
    newFolder: () => mkdtemp(join(folder, "w-")),
    tmux,
    async [Symbol.asyncDispose]() {
      await sessions.close();
      await Promise.all([driver.close(), observer.close()]);
      await tmux("kill-server");
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
