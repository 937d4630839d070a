import type { AgentAdapter, ConfiguredAgents } from "@tmpm/agents";
import type { AuditAnswer, Check } from "@tmpm/api";
import { type Examination, examine } from "@tmpm/api/local";
import type { SessionRecord } from "@tmpm/core";
import type { SessionStore } from "@tmpm/store";
import type { HookCounts } from "@tmpm/supervisor";
import type { ServerInfo, TmuxDriver } from "@tmpm/tmux-driver";
import { agentFiles } from "./agent-files.js";
import { agentHooks } from "./agent-hooks.js";
import { agentReports } from "./agent-reports.js";
import { agentsFound } from "./agents-found.js";
import { auditChain } from "./audit-chain.js";
import { configFollowed } from "./config-followed.js";
import { holderScopes } from "./holder-scopes.js";
import { holdersOwned } from "./holders-owned.js";
import { hostsAvailable, type LookedAtHost } from "./hosts-available.js";
import type { Loopback } from "./loopback.js";
import { noticesArrive } from "./notices-arrive.js";
import { recordsReadable } from "./records-readable.js";
import { serverAnswers } from "./server-answers.js";
import { serverScope } from "./server-scope.js";
import { serverVersion } from "./server-version.js";
import type { ServiceManagers } from "./service-managers.js";
import { showsUtf8 } from "./shows-utf8.js";
import { survivors } from "./survivors.js";

/** Runs the checks that only the daemon can run; never fails and never exceeds its deadline. */
export type Doctor = () => Promise<readonly Check[]>;

export interface DoctorParts {
  readonly driver: TmuxDriver;
  /** The hosts for new sessions; not checked when omitted. */
  readonly hosts?: readonly LookedAtHost[];
  readonly store: SessionStore;
  readonly adapters: readonly AgentAdapter[];
  /** Invalid agent description files. */
  readonly problems?: ConfiguredAgents["problems"];
  /** Outcomes of agents' reports. */
  readonly hookCounts?: () => HookCounts;
  /** Sessions whose agents have hooks but do not report. */
  readonly silentAgents?: () => Promise<readonly Pick<SessionRecord, "name" | "agent">[]>;
  /** Sends a report as an agent would; null if a report cannot arrive. */
  readonly loopback?: Pick<Loopback, "run"> | null;
  /** Verifies the whole audit log. */
  readonly audit?: () => Promise<AuditAnswer>;
  readonly managers?: ServiceManagers;
  /** Whether tmux displays text correctly; not checked when omitted. */
  readonly utf8?: Parameters<typeof showsUtf8>[0];
  /** The folders of holders. */
  readonly holders?: readonly string[];
  /** Whether the daemon uses its current configuration file. */
  readonly config?: Parameters<typeof configFollowed>[0];
  /** The state of the notification channels. */
  readonly notices?: () => Parameters<typeof noticesArrive>[0];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlineMs?: number;
}

/** Below the command line's timeout. */
const DEADLINE_MS = 12_000;

export function doctor(parts: DoctorParts): Doctor {
  return () => examine(examinations(parts), { deadlineMs: parts.deadlineMs ?? DEADLINE_MS });
}

/** One query of the server for the three checks that use it. */
function examinations(parts: DoctorParts): readonly Examination[] {
  const {
    driver,
    hosts,
    store,
    adapters,
    problems = [],
    hookCounts,
    silentAgents,
    loopback = null,
    audit,
    managers,
    utf8,
    holders = [],
    config,
    notices,
    env,
  } = parts;
  const asked = driver.server();
  const ofServer = (look: (server: ServerInfo) => ReturnType<Examination["look"]>) => async () => {
    const answer = await asked;
    return answer.kind === "present" ? look(answer.value) : [];
  };
  // An agent that is not installed cannot be tested.
  const isThere = async () => {
    const answer = await asked;
    return answer.kind !== "unknown" || answer.error.code !== "TMUX_NOT_FOUND";
  };
  return [
    ...(hosts === undefined ? [] : [{ id: "hosts" as const, look: () => hostsAvailable(hosts) }]),
    { id: "tmux-server", look: async () => [serverAnswers(await asked, driver)] },
    { id: "tmux-version", look: ofServer(serverVersion) },
    { id: "tmux-scope", look: ofServer((server) => serverScope(server, managers)) },
    ...(utf8 === undefined ? [] : [{ id: "tmux-utf8" as const, look: async () => ((await isThere()) ? showsUtf8(utf8) : []) }]),
    ...(holders.length === 0 ? [] : [{ id: "holders" as const, look: () => holdersOwned({ bases: holders, store }) }]),
    ...(holders.length === 0 ? [] : [{ id: "holder-scope" as const, look: () => holderScopes({ bases: holders, managers }) }]),
    ...(process.platform === "linux" ? [{ id: "survivors" as const, look: () => survivors({ store, bases: holders }) }] : []),
    ...(config === undefined ? [] : [{ id: "config-in-use" as const, look: async () => configFollowed(config) }]),
    { id: "records", look: () => recordsReadable(store) },
    { id: "agent", look: () => agentsFound(adapters, env) },
    { id: "agent-file", look: async () => agentFiles(problems) },
    { id: "agent-hooks", look: () => agentHooks({ loopback, silentAgents: silentAgents ?? (async () => []) }) },
    ...(hookCounts === undefined ? [] : [{ id: "agent-reports" as const, look: async () => [agentReports(hookCounts())] }]),
    ...(notices === undefined ? [] : [{ id: "notices" as const, look: async () => noticesArrive(notices()) }]),
    ...(audit === undefined ? [] : [{ id: "audit" as const, look: () => auditChain(audit) }]),
  ];
}
