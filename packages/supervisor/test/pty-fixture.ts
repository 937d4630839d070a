import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agents, command, shell } from "@tmpm/agents";
import { bundledProgram } from "@tmpm/holder/testing";
import { ptyDriver } from "@tmpm/pty-driver";
import { type Settings, type Step, supervisor } from "../src/index.js";
import { type HostFixture, job } from "./host-fixture.js";
import { memoryPorts } from "./memory-ports.js";

/** A supervisor over PTYs, each in its own holder. */
export async function ptyFixture(settings: Partial<Settings> = {}): Promise<HostFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const cwd = join(folder, "work");
  await mkdir(cwd);
  const entry = await bundledProgram(join(import.meta.dirname, "pty-holder.ts"));
  const driver = ptyDriver({ base: join(folder, "h"), entry, attach: entry, env: process.env, patienceMs: 30_000, home: "a" });
  const { ports, events, faults, store } = memoryPorts(folder);
  let stepped: ((step: Step) => void) | null = null;
  const open = () =>
    supervisor({
      ...ports,
      hosts: [driver],
      agent: agents([shell, command]).find,
      reached: (step) => stepped?.(step),
      settings: {
        sessionEnv: { PATH: process.env.PATH ?? "", SHELL: "/bin/sh" },
        homeDir: folder,
        settleMs: 50,
        suspicionMs: 200,
        sweepMs: { quiet: 1_000, busy: 500 },
        homeTag: "a",
        ...settings,
      },
    });
  const supervisors = [open()];
  const [sessions] = supervisors;
  if (sessions === undefined) throw new TypeError("there is a first supervisor");
  return {
    sessions,
    store,
    events,
    faults,
    driver,
    job,
    cwd,
    onStep: (listener) => {
      stepped = listener;
    },
    restarted() {
      const again = open();
      supervisors.push(again);
      return again;
    },
    async end({ pane }, status) {
      if (pane === null) return;
      await driver.paste(pane, String(status));
      await driver.keys(pane, ["Enter"]);
    },
    async dispose() {
      await Promise.all(supervisors.map((one) => one.close()));
      const answer = await driver.list();
      const left = answer.kind === "present" ? answer.value : [];
      await Promise.all(left.map(({ identity }) => driver.kill(identity, { graceMs: 0 })));
      await driver.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
