import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endHeld, identityOf, leaveHolder, listHolders } from "@tmpm/holder";
import type { HostFixture } from "@tmpm/host/contract";
import { processTable, processTree, signalProcess } from "@tmpm/processes";
import { ptyDriver } from "@tmpm/pty-driver";
import { daemonProgram } from "./daemon-program.js";
import { received, terminalPrograms } from "./terminal-programs.js";

/** The hosts' contract with real PTYs in separate holders. */
export async function openPtyHost(): Promise<HostFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const cwd = join(folder, "a b");
  await mkdir(cwd);
  const base = join(folder, "h");
  const programs = { entry: await daemonProgram("pty-holder"), attach: await daemonProgram("pty-attach") };
  const open = (patienceMs = 15_000) => ptyDriver({ base, ...programs, env: process.env, patienceMs });
  const [host, impatient] = [open(), open(300)];
  const later = new Set<typeof host>();
  const shell = terminalPrograms(folder);
  const table = processTable();
  return {
    host,
    impatient,
    again() {
      const next = open();
      later.add(next);
      return next;
    },
    programs: shell,
    terminals: shell,
    unique: randomUUID().slice(0, 8),
    cwd,
    received: (id) => received(folder, id),
    running: async ({ identity, pid, sessionId }) =>
      (await processTree(table, { serverPid: identity.server_pid, rootPid: pid, sessionId: sessionId ?? "", known: [] })).length,
    destroy: async ({ identity }) => void process.kill(identity.server_pid, "SIGKILL"),
    silence: async ({ identity }) => void process.kill(identity.server_pid, "SIGSTOP"),
    wake: async ({ identity }) => void process.kill(identity.server_pid, "SIGCONT"),
    async close() {
      await Promise.all([host, impatient, ...later].map((one) => one.close()));
      await endAllIn(base);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Ends the holders of a folder, including stopped ones, and their programs. */
async function endAllIn(base: string): Promise<void> {
  for (const found of await listHolders(base)) {
    if (found.kind === "unstarted" || found.kind === "unreadable") continue;
    if (found.kind === "running") signalProcess(found.facts.pid, "SIGCONT");
    await endHeld(identityOf(found.facts), { graceMs: 0 });
    await leaveHolder(identityOf(found.facts));
  }
}
