import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { HostFixture } from "@tmpm/host/contract";
import { processTable, processTree, signalProcess } from "@tmpm/processes";
import { oneShotDriver, tmuxDriver, tmuxHost } from "@tmpm/tmux-driver";
import { received, terminalPrograms } from "./terminal-programs.js";

const run = promisify(execFile);

/** The hosts' contract with a real tmux server on a private socket. */
export async function openTmuxHost(): Promise<HostFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const cwd = join(folder, "a b");
  await mkdir(cwd);
  const socket = join(folder, "s");
  const common = { socket: { path: socket }, stateDir: join(folder, "state"), env: process.env, pollMs: 100 };
  const open = (deadlines = {}) => tmuxHost({ driver: tmuxDriver({ ...common, ...deadlines }), observer: oneShotDriver(common) });
  const host = open();
  const impatient = open({ deadlines: { read: 300, mutate: 300 } });
  const later = new Set<typeof host>();
  const programs = terminalPrograms(folder);
  const table = processTable();
  const stopped = new Set<number>();
  return {
    host,
    impatient,
    again() {
      const next = open();
      later.add(next);
      return next;
    },
    programs,
    terminals: programs,
    unique: randomUUID().slice(0, 8),
    cwd,
    received: (id) => received(folder, id),
    running: async ({ identity, pid, sessionId }) =>
      (await processTree(table, { serverPid: identity.server_pid, rootPid: pid, sessionId: sessionId ?? "", known: [] })).length,
    destroy: async ({ identity }) => void process.kill(identity.server_pid, "SIGKILL"),
    async silence({ identity }) {
      stopped.add(identity.server_pid);
      process.kill(identity.server_pid, "SIGSTOP");
    },
    async wake({ identity }) {
      stopped.delete(identity.server_pid);
      process.kill(identity.server_pid, "SIGCONT");
    },
    async close() {
      for (const pid of stopped) signalProcess(pid, "SIGCONT");
      await Promise.all([host, impatient, ...later].map((one) => one.close()));
      await run("tmux", ["-u", "-S", socket, "kill-server"]).catch(() => "no server ran");
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
