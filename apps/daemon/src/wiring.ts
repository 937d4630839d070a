import { randomUUID } from "node:crypto";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { agentProcesses } from "@tmpm/agents";
import { OperationAnswer } from "@tmpm/api";
import { currentUid, type DocumentFolder, type Location } from "@tmpm/api/local";
import {
  CommentList,
  type EventBody,
  KeptDecisions,
  Project,
  PullRequestWatch,
  SessionMessages,
  SetupConsent,
  ThoughtSnapshot,
  UploadList,
  UsageRecord,
} from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import { isSuspended } from "@tmpm/processes";
import {
  type DocumentStore,
  documentFolder,
  type Entry,
  eventJournal,
  isProcess,
  type SessionStore,
  sendFolder,
  turnFolder,
} from "@tmpm/store";
import { type Supervisor, supervisor, systemClock } from "@tmpm/supervisor";
import { cgroupOf, proveUtf8, type TmuxDriver, tmuxHost } from "@tmpm/tmux-driver";
import { repoThemes, uploadFolder, workspaces } from "@tmpm/workspace";
import * as z from "zod";
import type { AdmissionOptions } from "./admission.js";
import { agentRegistry } from "./agents/agent-registry.js";
import { hookFiles } from "./agents/hook-files.js";
import { type AuditLog, auditLog } from "./audit/audit-log.js";
import { checkAudit } from "./audit/check-audit.js";
import { cloneTime } from "./config/clone-time.js";
import type { LiveConfig } from "./config/live-config.js";
import { retention } from "./config/retention.js";
import { sessionLimits } from "./config/session-limits.js";
import { type Doctor, doctor } from "./doctor/doctor.js";
import { holderFolders } from "./doctor/holders-owned.js";
import { type Loopback, loopback } from "./doctor/loopback.js";
import { serviceManagers } from "./doctor/service-managers.js";
import { type EventLog, eventLog } from "./events/event-log.js";
import { type Events, events } from "./events/events.js";
import { KeptNode, KeptSessions } from "./fleet/node-record.js";
import type { NodeStores } from "./fleet/node-stores.js";
import { KeptPrompt } from "./fleet/waiting-prompts.js";
import { MACHINE } from "./hosts/machine.js";
import { protocolAgents } from "./hosts/protocol-agents.js";
import { ptyHost } from "./hosts/pty-host.js";
import { sessionEnv } from "./hosts/session-env.js";
import { tmuxServers } from "./hosts/tmux-servers.js";
import { failpoint } from "./lifecycle/failpoint.js";
import { type Pulse, pulse } from "./lifecycle/readiness.js";
import { seedFiles } from "./lifecycle/seed-files.js";
import { sweepLeftovers } from "./lifecycle/sweep-leftovers.js";
import type { Log } from "./log/daemon-log.js";
import { meteredDriver } from "./metrics/metered-driver.js";
import { type Metrics, metrics } from "./metrics/metrics.js";
import { sessionGauges } from "./metrics/session-gauges.js";
import { type Notices, notices as noticesOf } from "./notify/notices.js";
import { pullRequestPorts } from "./pull-request-ports.js";
import { Ledger } from "./push/ledger.js";
import { Subscription, VapidKeys } from "./push/push-service.js";
import { lockOf } from "./records/data-folder-lock.js";
import { decoder } from "./records/decoder.js";
import { deferredRecords } from "./records/deferred-records.js";
import { isSharedStore, sessionStore } from "./records/session-store.js";
import type { Answering } from "./requests/answering.js";
import type { BackgroundOperations } from "./requests/background-operations.js";
import { KeyedRequest } from "./requests/keyed-requests.js";
import { requests } from "./requests/requests.js";
import { Token } from "./tokens/token.js";
import { KeptDoor } from "./web/web-door.js";

export interface WiringOptions {
  readonly location: Location;
  readonly log: Log;
  readonly config: LiveConfig;
  readonly version: string;
}

export interface Wired {
  readonly supervisor: Supervisor;
  readonly store: SessionStore;
  readonly doctor: Doctor;
  readonly loopback: Loopback;
  readonly events: Events;
  readonly eventLog: EventLog;
  readonly answering: Answering;
  readonly operations: BackgroundOperations;
  readonly tokenStore: DocumentStore<Token>;
  readonly sessionDigest: (sessionId: string) => Promise<string | null>;
  readonly audit: { readonly dir: string; readonly log: AuditLog };
  readonly metrics: Metrics;
  readonly pulse: Pulse;
  readonly notices: Notices;
  /** Adds a listener for events. It must not block. */
  onEvent(hear: (event: EventBody) => void): void;
  readonly pushStores: AdmissionOptions["pushStores"];
  readonly doorStore: DocumentStore<KeptDoor>;
  readonly nodeStores: NodeStores;
  close(): Promise<void>;
}

/** The one place that names implementations. Takes the data folder's lock first, and releases it last. @throws DAEMON_RUNNING */
export async function wire({ location, log, config, version }: WiringOptions): Promise<Wired> {
  const { env } = config;
  const report = ({ doing, error }: { readonly doing: string; readonly error: unknown }) => log.error({ err: error }, doing);
  const kept = <T>(name: DocumentFolder, schema: z.ZodType<T>) =>
    documentFolder({ dir: join(location.home, name), decode: decoder(schema) });
  const lock = lockOf(location.home, report);
  sweepLeftovers({ home: location.home, now: systemClock.now, isRunning: isProcess, report });
  const tmux = tmuxServers({ location, env });
  const store = sessionStore({ location, env, socket: tmux.foreign(config.values()["tmux.foreign_sockets"][0] ?? "default").socket });
  const journal = eventJournal({ dir: join(location.home, "events") });
  const written = eventLog({ journal, projectOf: async (id) => projectOf(await store.get(id)), report, clock: systemClock.now });
  const { registry, problems } = await agentRegistry(env);
  for (const { path, error } of problems) report({ doing: `read ${path}`, error });
  const audit = auditIn(join(location.home, "audit"), report);
  const figures = metrics();
  const ptys = ptyHost({ location, env, homeTag: tmux.homeTag });
  const protocol = protocolAgents({ location, env, homeTag: tmux.homeTag, version });
  const heart = pulse({ ask: () => silence(tmux.observer, [ptys]), now: () => performance.now() });
  const driver = meteredDriver(tmux.own, (call, ended) => {
    figures.call(call, ended);
    heart.heard(ended);
  });
  const notices = noticesOf({
    config,
    version,
    clock: systemClock,
    newId: randomUUID,
    registry: figures.registry,
    show: (session) => use.show({ session }),
    emit: (event) => emit(event),
    report,
  });
  const alsoHears: ((event: EventBody) => void)[] = [];
  const emit = (event: EventBody) => {
    figures.event(event);
    written.emit(event);
    notices.hear(event);
    for (const hear of alsoHears) hear(event);
  };
  const reached = failpoint(env.TMPM_FAILPOINT);
  const hooks = await hookFiles({ dir: join(location.home, "hooks"), program: reporter(env), report });
  const heard = loopback({
    command: hooks.command,
    env: sessionEnv({ env, location }),
    newId: randomUUID,
    newToken: hooks.newToken,
    now: () => performance.now(),
  });
  const hosts = [tmuxHost({ driver, observer: tmux.observer }), ptys, protocol];
  const use = supervisor({
    hosts,
    foreign: (socket) => tmuxHost({ driver: tmux.foreign(socket) }),
    isSuspended,
    // Programs that the daemon starts to query a version do not belong to a session.
    agentProcesses: async () => (await agentProcesses()).filter(({ ancestors }) => !ancestors.includes(process.pid)),
    store,
    deferred: deferredRecords({ parent: tmpdir(), home: location.home, report }),
    thoughtStore: kept("thoughts", ThoughtSnapshot),
    usageStore: kept("usage", UsageRecord),
    decisionStore: kept("decisions", KeptDecisions),
    seed: seedFiles,
    launchEnvStore: kept("launch-env", z.record(z.string(), z.string())),
    projectStore: kept("projects", Project),
    consentStore: kept("consents", SetupConsent),
    sends: sendFolder({ dir: join(location.home, "sends") }),
    turnJournal: turnFolder({ dir: join(location.home, "turns") }),
    uploads: uploadFolder(),
    uploadStore: kept("upload-lists", UploadList),
    pullRequestStore: kept("pull-requests", PullRequestWatch),
    ...pullRequestPorts({ env, journal }),
    commentStore: kept("comments", CommentList),
    messageStore: kept("messages", SessionMessages),
    agent: registry.find,
    agentList: registry.list,
    ...MACHINE,
    themeOf: repoThemes(),
    workspaces: workspaces({ home: location.home, env, reached, ...cloneTime(config.values()) }),
    clock: systemClock,
    newId: randomUUID,
    emit,
    report,
    hooks,
    reached,
    settings: {
      sessionEnv: sessionEnv({ env, location }),
      homeDir: homedir(),
      foreignSockets: config.values()["tmux.foreign_sockets"],
      homeTag: tmux.homeTag,
      sharedStore: isSharedStore(env),
      ...retention(config.values()),
      ...sessionLimits(config.values()),
    },
  });
  sessionGauges(figures.registry, { tally: use.tally, agents: registry.list().map(({ id }) => id), now: () => performance.now() });
  const sessionId = async (session: string) => (await use.show({ session })).record.id;
  const { answering, operations } = requests({
    operationStore: kept("operations", OperationAnswer),
    requestStore: kept("requests", KeyedRequest),
    now: systemClock.now,
    newId: randomUUID,
    emit,
    report,
    sessionId,
    hintOf: async (session) => (await use.show({ session })).hint,
  });
  return {
    supervisor: use,
    answering,
    operations,
    store,
    loopback: heard,
    doctor: doctor({
      loopback: heard,
      holders: holderFolders(location.home),
      config,
      notices: notices.states,
      managers: serviceManagers({ env, uid: currentUid(), ownCgroup: () => cgroupOf(process.pid) }),
      utf8: () => proveUtf8({ env }),
      audit: () => checkAudit(audit.dir, { limit: 0 }),
      hookCounts: use.hookCounts,
      silentAgents: use.silentAgents,
      driver: tmux.own,
      hosts,
      store,
      adapters: registry.list(),
      problems,
      env,
    }),
    events: events({ journal, sessionId, projectId: use.projectId, written: written.written }),
    eventLog: written,
    tokenStore: kept("tokens", Token),
    sessionDigest: hooks.tokenDigest,
    audit,
    metrics: figures,
    pulse: heart,
    notices,
    onEvent: (hear) => void alsoHears.push(hear),
    pushStores: { subscriptions: kept("push", Subscription), keys: kept("push-keys", VapidKeys), ledger: kept("push-ledger", Ledger) },
    nodeStores: {
      nodes: kept("nodes", KeptNode),
      sessions: kept("node-sessions", KeptSessions),
      prompts: kept("node-prompts", KeptPrompt),
    },
    doorStore: kept("web", KeptDoor),
    async close() {
      await operations.idle();
      await use.close();
      await notices.close();
      await written.close();
      await Promise.all(hosts.map((host) => host.close()));
      await tmux.close();
      await store.close();
      audit.log.close();
      await lock.release();
    },
  };
}

function auditIn(dir: string, report: Parameters<typeof auditLog>[0]["report"]): Wired["audit"] {
  return { dir, log: auditLog({ dir, clock: systemClock.now, report }) };
}

/** Why tmux does not respond; null if it does, or if another host replaces a missing tmux. */
async function silence(driver: TmuxDriver, others: readonly SessionHost[]): Promise<string | null> {
  const server = await driver.server();
  if (server.kind !== "unknown") return null;
  const { code, message } = server.error;
  if (code !== "TMUX_NOT_FOUND" && code !== "TMUX_TOO_OLD") return message;
  const found = await Promise.all(others.map((host) => host.available()));
  return found.some(({ kind }) => kind === "available") ? null : message;
}

function projectOf(entry: Entry | null): string | null {
  if (entry === null) return null;
  return entry.kind === "session" ? entry.record.project_id : entry.project_id;
}

/** The command that runs this installation's command line; for a daemon started by hand, the `tmpm` on the agent's path. */
function reporter(env: NodeJS.ProcessEnv): readonly string[] {
  return env.TMPM_CLI === undefined ? ["tmpm"] : [process.execPath, env.TMPM_CLI];
}
