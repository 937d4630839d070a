import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyPrograms, HostFixture } from "@tmpm/host/contract";
import { processTable, processTree, signalProcess } from "@tmpm/processes";
import { sdkHost } from "@tmpm/sdk-driver";
import { daemonProgram } from "./daemon-program.js";

const AGENT = createRequire(import.meta.url).resolve("@tmpm/sdk-driver/scripted-agent");

function agent(habits: Readonly<Record<string, unknown>>): readonly [string, ...string[]] {
  return [process.execPath, AGENT, JSON.stringify(habits)];
}

const PROGRAMS: AnyPrograms = {
  waiting: () => agent({}),
  exit: (status) => agent({ exit: status, afterMs: 200 }),
  stubborn: () => ["/bin/sh", "-c", "trap '' HUP; sleep 1000 & exec \"$@\"", "sh", ...agent({ stays: true })],
};

/** The hosts' contract with protocol agents, in real holders. */
export async function openSdkHost(): Promise<HostFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const cwd = join(folder, "a b");
  await mkdir(cwd);
  const common = { base: join(folder, "h"), entry: await daemonProgram("sdk-holder"), env: process.env, home: null, version: "0" };
  const all: ReturnType<typeof sdkHost>[] = [];
  const open = (options: Partial<Parameters<typeof sdkHost>[0]> = {}) => {
    const host = sdkHost({ ...common, ...options });
    all.push(host);
    return host;
  };
  const host = open();
  const table = processTable();
  const stopped = new Set<number>();
  return {
    host,
    impatient: open({ patienceMs: 300 }),
    again: open,
    programs: PROGRAMS,
    terminals: null,
    unique: randomUUID().slice(0, 8),
    cwd,
    received: async () => "",
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
      const last = open();
      const left = await last.list();
      if (left.kind === "present") await Promise.all(left.value.map(({ identity }) => last.kill(identity, { graceMs: 100 })));
      await Promise.all(all.map((one) => one.close()));
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
