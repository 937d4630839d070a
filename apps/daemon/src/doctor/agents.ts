import type { AgentAdapter, ConfiguredAgents } from "@tmpm/agents";
import type { Finding } from "@tmpm/api/local";
import type { HookCounts } from "@tmpm/supervisor";
import type { DoctorParts } from "./doctor.js";

/** Which agents are installed, and whether they trust tmpm's hooks. */
export async function agentsFound(
  adapters: readonly AgentAdapter[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  return Promise.all(adapters.map((adapter) => agentFound(adapter, env)));
}

async function agentFound(adapter: AgentAdapter, env: Readonly<Record<string, string | undefined>>): Promise<Finding> {
  const name = `agent ${adapter.id}`;
  const found = await adapter.detect(env);
  if (!found.installed) return { name, status: "skip", message: "not installed", hint: found.hint };
  const message = [found.path ?? "any program", found.version ?? ""].join(" ").trim();
  const doubts = [doubtOfVersion(adapter, found.version), doubtOfHooks(adapter, found.version)].filter((doubt) => doubt !== null);
  if (doubts.length === 0) return { name, status: "ok", message, hint: null };
  return {
    name,
    status: "warn",
    message: [message, ...doubts.map(({ why }) => why)].join(", "),
    hint: doubts.map(({ hint }) => hint).join(" "),
  };
}

interface Doubt {
  readonly why: string;
  readonly hint: string;
}

function doubtOfVersion({ verified = [] }: AgentAdapter, version: string | null): Doubt | null {
  if (version === null || verified.length === 0 || verified.includes(version)) return null;
  return {
    why: `version not verified (verified: ${verified.join(", ")})`,
    hint: "Its screens may differ from the known ones: watch its first session, or install a verified version.",
  };
}

function doubtOfHooks({ hooks }: AgentAdapter, version: string | null): Doubt | null {
  const trustedBy = hooks?.trustedBy ?? version;
  return version === trustedBy ? null : { why: `which may not trust tmpm's hooks as ${trustedBy} does`, hint: UNTRUSTED };
}

const UNTRUSTED = "If it asks to review hooks, attach and trust them; without them only its screen is read, a second later.";

/** Invalid agent description files. */
export function agentFiles(problems: ConfiguredAgents["problems"]): readonly Finding[] {
  return problems.map(({ path, error }) => ({
    name: "agent file",
    status: "fail",
    message: `${path}: ${error.message}`,
    hint: "Fix the file, then restart the daemon.",
  }));
}

type HookParts = Required<Pick<DoctorParts, "loopback" | "silentAgents">>;

/** Whether reports arrive: a test report, and those of agents that had a turn. */
export async function agentHooks({ loopback, silentAgents }: HookParts): Promise<readonly Finding[]> {
  const [own, silent] = await Promise.all([loopback?.run() ?? NOT_CHECKED, silentAgents()]);
  if (silent.length === 0) return [own];
  const names = silent.map(({ name, agent }) => `${name} (${agent})`).join(", ");
  return [own, { name: "agent hooks", status: "warn", message: `no event of a turn was received in ${names}`, hint: UNTRUSTED }];
}

const NOT_CHECKED: Finding = {
  name: "agent hooks",
  status: "skip",
  message: "no daemon is running, so a report could not arrive",
  hint: "Run `tmpm daemon start`, then check again.",
};

/** Reports for a stopped session or another conversation are normal; unauthorized ones are not. */
export function agentReports({ taken, refused, last_refused_at }: HookCounts): Finding {
  const { unknown_session: unknown = 0, wrong_token: wrong = 0, ...ignored } = refused;
  const parts = [
    `${taken} taken`,
    ...Object.entries(ignored).map(([why, count]) => `${count} without effect (${why.replaceAll("_", " ")})`),
    ...(unknown + wrong === 0
      ? []
      : [`${unknown + wrong} refused (${unknown} of unknown sessions, ${wrong} with a wrong token), last at ${last_refused_at}`]),
  ];
  const hint = "A program reports with the token of another launch or home; the activity of its sessions is read from their screens.";
  return {
    name: "agent reports",
    status: unknown + wrong === 0 ? "ok" : "warn",
    message: parts.join(", "),
    hint: unknown + wrong === 0 ? null : hint,
  };
}
