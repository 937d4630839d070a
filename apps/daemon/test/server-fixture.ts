import { agents, command, shell } from "@tmpm/agents";
import { PATHS, type RouteName, VERSION_HEADER } from "@tmpm/api";
import type { Project } from "@tmpm/core";
import { memoryDocuments, memoryJournal, memorySends, memoryStore, memoryTurns } from "@tmpm/store/memory";
import { supervisor } from "@tmpm/supervisor";
import { tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { uploadFolder, workspaces } from "@tmpm/workspace";
import { expect } from "vitest";
import { doctor } from "../src/doctor/doctor.js";
import { events } from "../src/events/events.js";
import type { Listening, TcpDoor } from "../src/listen/listen.js";
import { tcpEntrance } from "../src/listen/tcp-entrance.js";
import type { Operation } from "../src/requests/background-operations.js";
import type { KeyedRequest } from "../src/requests/keyed-requests.js";
import { requests } from "../src/requests/requests.js";
import { requireOwned } from "../src/requests/require-owned.js";
import { handlers } from "../src/routes/handlers.js";
import { server } from "../src/server/server.js";
import { terminalStreams } from "../src/streams/terminal-streams.js";
import { pricesOf } from "../src/usage/prices.js";
import { webDoor } from "../src/web/web-door.js";
import { openAdmission } from "./admission-fixture.js";
import { nodesFixture } from "./nodes-fixture.js";

export interface ServerFixtureOptions {
  /** State that outlives a daemon, for a fixture of the next one. */
  readonly kept?: Kept;
  /** The folder for files of sessions. */
  readonly home?: string;
}

export type Kept = ReturnType<typeof kept>;

function kept() {
  const tmux = fakeTmux();
  const journal = memoryJournal();
  return {
    tmux,
    journal,
    store: memoryStore(),
    projectStore: memoryDocuments<Project>(),
    sends: memorySends({ clock: tmux.now }),
    requestStore: memoryDocuments<KeyedRequest>(),
    operationStore: memoryDocuments<Operation>(),
  };
}

/** The API over the fake terminal and stores in memory, without a listener. */
export async function serverFixture({ kept: before = kept(), home = "/nonexistent" }: ServerFixtureOptions = {}) {
  const { tmux, store, journal } = before;
  const stopping = new AbortController();
  const faults: unknown[] = [];
  const report = (fault: unknown) => void faults.push(fault);
  const sessions = supervisor({
    hosts: [tmuxHost({ driver: tmux.driver })],
    foreign: (socket) => tmuxHost({ driver: fakeTmux({ socket }).driver }),
    agentProcesses: async () => [],
    store,
    sends: before.sends.another(),
    turnJournal: memoryTurns(),
    thoughtStore: memoryDocuments(),
    usageStore: memoryDocuments(),
    decisionStore: memoryDocuments(),
    projectStore: before.projectStore,
    consentStore: memoryDocuments(),
    launchEnvStore: memoryDocuments(),
    uploads: uploadFolder(),
    uploadStore: memoryDocuments(),
    commentStore: memoryDocuments(),
    pullRequestStore: memoryDocuments(),
    newsWritten: async () => new Set(),
    messageStore: memoryDocuments(),
    seed: async () => undefined,
    workspaces: workspaces({ home }),
    agent: agents([shell, command]).find,
    describeDirectory: async (path) => ({ kind: "directory", realPath: path, git: null, gitReason: "none" }),
    clock: {
      now: tmux.now,
      sleep: async (ms) => {
        await new Promise(setImmediate);
        tmux.advance(ms);
      },
    },
    newId: () => crypto.randomUUID(),
    emit: (event) => void journal.append(event),
    report,
    reached: () => undefined,
    settings: { sessionEnv: { PATH: process.env.PATH ?? "", SHELL: "/bin/sh" }, homeDir: "/home/me" },
  });
  const eventLog = events({
    journal,
    sessionId: async (session) => (await sessions.show({ session })).record.id,
    projectId: sessions.projectId,
    heartbeatMs: 20,
  });
  const { answering, operations } = requests({
    requestStore: before.requestStore,
    operationStore: before.operationStore,
    now: tmux.now,
    newId: () => crypto.randomUUID(),
    emit: (event) => void journal.append(event),
    report,
    sessionId: async (session) => (await sessions.show({ session })).record.id,
    hintOf: async (session) => (await sessions.show({ session })).hint,
  });
  let shutdowns = 0;
  const { guard, access, requests: audit } = await openAdmission();
  const browsers = await webDoor({
    documents: memoryDocuments(),
    newLabel: () => "l".repeat(16),
    listening: pretendedDoors(),
    hasPage: false,
    report,
  });
  const app = server({
    handlers: handlers({
      supervisor: sessions,
      events: eventLog,
      health: () => ({
        status: "ok",
        version: "1.2.3",
        pid: 1,
        started_at: "2026-01-01T00:00:00Z",
        home: "/h",
        store: { state: "ok", message: null },
      }),
      ready: async () => ({ ready: true, checks: [] }),
      doctor: doctor({ driver: tmux.driver, store, adapters: [shell, command], env: process.env }),
      access,
      web: browsers.routes,
      nodes: await nodesFixture(),
      notices: {
        answer: () => ({ channels: [], pending: 0, quiet_until: null }),
        test: async () => ({ channels: [], pending: 0, quiet_until: null }),
      },
      terminals: terminalStreams({ terminal: sessions.terminal, newId: () => crypto.randomUUID(), report }),
      operations,
      profiles: () => ({ profiles: { careful: { agent: "shell", permissions: "plan" } }, default: null }),
      prices: pricesOf({ TMPM_CONFIG: "/nonexistent/config.yaml" }),
      shutdown: () => {
        shutdowns += 1;
      },
    }),
    streams: { events: eventLog.stream },
    version: "1.2.3",
    guard,
    authorise: sessions.authorise,
    answering,
    owned: (request) => requireOwned(sessions, request),
    audit,
    stopping: stopping.signal,
    report,
  });
  return { app, guard, sessions, operations, kept: before, tmux, store, journal, stopping, faults, shutdowns: () => shutdowns };
}

export type ServerFixture = Awaited<ReturnType<typeof serverFixture>>;

/** Calls a route, with the input distributed over path, query and body. */
export async function call(
  l: ServerFixture,
  name: RouteName,
  input: {
    session?: string;
    send?: string;
    project?: string;
    turn?: string;
    token?: string;
    agent?: string;
    query?: Record<string, string>;
    body?: object;
  } = {},
) {
  const { method, path } = PATHS[name];
  const response = await l.app.inject({
    method,
    url: path
      .replace(":session", input.session ?? "")
      .replace(":send", input.send ?? "")
      .replace(":project", input.project ?? "")
      .replace(":turn", input.turn ?? "")
      .replace(":token", input.token ?? "")
      .replace(":agent", input.agent ?? ""),
    query: input.query ?? {},
    ...(method === "POST" ? { payload: input.body ?? {} } : {}),
  });
  expect(response.headers[VERSION_HEADER]).toBe("1.2.3");
  return response;
}

/** Doors that report an address but do not listen. */
function pretendedDoors(): () => Listening {
  let tcp: TcpDoor | null = null;
  const nothing = () => undefined;
  return () => ({
    tcp,
    async openTcp(address) {
      tcp ??= {
        entrance: tcpEntrance({ address, label: "l".repeat(16), published: null }),
        url: `http://127.0.0.1:${address.port || 7777}`,
      };
      return tcp;
    },
    closeTcp: () => {
      tcp = null;
    },
    leave: nothing,
    close: async () => undefined,
    cut: nothing,
  });
}
