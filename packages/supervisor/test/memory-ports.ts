import { randomUUID } from "node:crypto";
import type { EventBody } from "@tmpm/core";
import { memoryDocuments, memorySends, memoryStore, memoryTurns } from "@tmpm/store/memory";
import { tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { uploadFolder, workspaces } from "@tmpm/workspace";
import { type Ports, systemClock } from "../src/index.js";

/** The other ports of a supervisor over a real host: stores in memory that outlive it, real time, and directories below a folder. */
export function memoryPorts(folder: string) {
  const events: EventBody[] = [];
  const faults: Parameters<Ports["report"]>[0][] = [];
  const kept = { store: memoryStore(), sends: memorySends({ clock: Date.now }), turnJournal: memoryTurns() };
  const ports = {
    ...kept,
    foreign: (socket) => tmuxHost({ driver: fakeTmux({ socket }).driver }),
    agentProcesses: async () => [],
    thoughtStore: memoryDocuments(),
    usageStore: memoryDocuments(),
    decisionStore: memoryDocuments(),
    projectStore: memoryDocuments(),
    consentStore: memoryDocuments(),
    launchEnvStore: memoryDocuments(),
    uploads: uploadFolder(),
    uploadStore: memoryDocuments(),
    commentStore: memoryDocuments(),
    pullRequestStore: memoryDocuments(),
    newsWritten: async () => new Set(),
    messageStore: memoryDocuments(),
    seed: async () => undefined,
    workspaces: workspaces({ home: folder }),
    describeDirectory: async (path) =>
      path.startsWith(folder) ? { kind: "directory", realPath: path, git: null, gitReason: "not a git repository" } : { kind: "missing" },
    clock: systemClock,
    newId: randomUUID,
    emit: (event) => void events.push(event),
    report: (fault) => void faults.push(fault),
  } satisfies Partial<Ports>;
  return { ports, events, faults, ...kept };
}
