import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agents, command, shell } from "@tmpm/agents";
import type { EventBody } from "@tmpm/core";
import { bundledProgram } from "@tmpm/holder/testing";
import { ptyDriver } from "@tmpm/pty-driver";
import { memoryDocuments, memorySends, memoryStore, memoryTurns } from "@tmpm/store/memory";
import { tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { uploadFolder, workspaces } from "@tmpm/workspace";
import { type Step, supervisor, systemClock } from "../src/index.js";
import type { Bed } from "./bed.js";

/** A supervisor over PTYs in holders of their own. */
export async function ptyBed(): Promise<Bed> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const cwd = join(folder, "work");
  await mkdir(cwd);
  const entry = await bundledProgram(join(import.meta.dirname, "pty-holder.ts"));
  const driver = ptyDriver({ base: join(folder, "h"), entry, attach: entry, env: process.env, patienceMs: 15_000, home: "a" });
  const store = memoryStore();
  const events: EventBody[] = [];
  const faults: unknown[] = [];
  let stepped: ((step: Step) => void) | null = null;
  const open = () =>
    supervisor({
      hosts: [driver],
      foreign: (socket) => tmuxHost({ driver: fakeTmux({ socket }).driver }),
      agentProcesses: async () => [],
      store,
      sends: memorySends({ clock: Date.now }),
      turnJournal: memoryTurns(),
      thoughtStore: memoryDocuments(),
      decisionStore: memoryDocuments(),
      projectStore: memoryDocuments(),
      consentStore: memoryDocuments(),
      launchEnvStore: memoryDocuments(),
      uploads: uploadFolder(),
      uploadStore: memoryDocuments(),
      seed: async () => undefined,
      workspaces: workspaces({ home: folder }),
      agent: agents([shell, command]).find,
      describeDirectory: async (path) =>
        path.startsWith(folder) ? { kind: "directory", realPath: path, git: null, gitReason: "not a git repository" } : { kind: "missing" },
      clock: systemClock,
      newId: randomUUID,
      emit: (event) => void events.push(event),
      report: (fault) => void faults.push(fault),
      reached: (step) => stepped?.(step),
      settings: {
        sessionEnv: { PATH: process.env.PATH ?? "", SHELL: "/bin/sh" },
        homeDir: folder,
        suspicionMs: 200,
        sweepMs: { quiet: 1_000, busy: 500 },
        homeTag: "a",
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
