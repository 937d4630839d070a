import type { AgentAdapter, ConfiguredAgents } from "@tmpm/agents";
import type { AuditAnswer, Check } from "@tmpm/api";
import { type DoctorCheckBy, type Examination, examine } from "@tmpm/api/local";
import { onceDone, type SessionRecord } from "@tmpm/core";
import type { SessionStore } from "@tmpm/store";
import type { HookCounts } from "@tmpm/supervisor";
import type { ServerInfo, TmuxDriver } from "@tmpm/tmux-driver";
import { agentFiles, agentHooks, agentReports, agentsFound } from "./agents.js";
import { auditChain, configFollowed, noticesArrive, recordsReadable } from "./daemon-state.js";
import { holderScopes } from "./holder-scopes.js";
import { holdersOwned } from "./holders-owned.js";
import { hostsAvailable, type LookedAtHost } from "./hosts-available.js";
import { listedHolders } from "./listed-holders.js";
import type { Loopback } from "./loopback.js";
import { NO_MANAGERS, serverScope } from "./server-scope.js";
import { askedOnce, type ServiceManagers } from "./service-managers.js";
import { survivors } from "./survivors.js";
import { serverAnswers, serverVersion, showsUtf8 } from "./tmux-server.js";

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

/** A check of a part that is missing has no findings. The server, the service managers and the holders are asked once for all checks. */
function examinations(parts: DoctorParts): Readonly<Record<DoctorCheckBy<"daemon">, Examination>> {
  const { driver, store, adapters, hosts, utf8, config, hookCounts, notices, audit, loopback = null, env } = parts;
  const { problems = [], holders: bases = [], silentAgents = async () => [] } = parts;
  const managers = askedOnce(parts.managers ?? NO_MANAGERS);
  const holders = onceDone(() => listedHolders(bases));
  const asked = driver.server();
  const ofServer = (look: (server: ServerInfo) => ReturnType<Examination>) => async () => {
    const answer = await asked;
    return answer.kind === "present" ? look(answer.value) : [];
  };
  // A tmux that is not installed cannot be tested.
  const isThere = async () => {
    const answer = await asked;
    return answer.kind !== "unknown" || answer.error.code !== "TMUX_NOT_FOUND";
  };
  return {
    hosts: async () => (hosts === undefined ? [] : hostsAvailable(hosts)),
    "tmux-server": async () => [serverAnswers(await asked, driver)],
    "tmux-version": ofServer(serverVersion),
    "tmux-scope": ofServer((server) => serverScope(server, managers)),
    "tmux-utf8": async () => (utf8 !== undefined && (await isThere()) ? showsUtf8(utf8) : []),
    holders: async () => (bases.length === 0 ? [] : holdersOwned({ holders, store })),
    "holder-scope": async () => (bases.length === 0 ? [] : holderScopes({ holders, managers })),
    survivors: async () => (process.platform === "linux" ? survivors({ store, bases }) : []),
    "config-in-use": async () => (config === undefined ? [] : configFollowed(config)),
    records: () => recordsReadable(store),
    agent: () => agentsFound(adapters, env),
    "agent-file": async () => agentFiles(problems),
    "agent-hooks": () => agentHooks({ loopback, silentAgents }),
    "agent-reports": async () => (hookCounts === undefined ? [] : [agentReports(hookCounts())]),
    notices: async () => (notices === undefined ? [] : noticesArrive(notices())),
    audit: async () => (audit === undefined ? [] : auditChain(audit)),
  };
}
