import type { SessionAnswer, TurnAnswer } from "@tmpm/api";
import { type Client, client } from "@tmpm/api/client";
import { currentLocation, currentTransport, daemonUrl, hasNodes } from "@tmpm/api/local";
import { AGENT_PROGRAMS, isTmpmError } from "@tmpm/core";
import { settledEnv } from "../input/settled-env.js";
import { address } from "../render/fleet.js";
import type { LiveKind } from "./completions.js";
import { type ConfigKind, configValues, isConfigKind } from "./config-values.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface Candidate {
  readonly value: string;
  readonly does: string;
}

/** Maximum delay of a completion. */
const ANSWER_MS = 1_000;
/** Time limit for other machines' sessions. */
const NODE_MS = 300;
const WITHIN = { timeoutMs: ANSWER_MS };

const AGENTS = [...AGENT_PROGRAMS.values(), "shell", "command"];
/** An id prefix long enough for every command. */
const ID_LENGTH = 8;

/** Verbs for running sessions only. */
const LIVE: ReadonlySet<string> = new Set(["attach", "send", "keys", "interrupt", "cancel", "queue", "stop"]);
/** Verbs for finished sessions. */
const FINISHED: ReadonlySet<string> = new Set(["reactivate", "undo"]);
/** Verbs for sessions with an open request. */
const ASKING: ReadonlySet<string> = new Set(["approve", "deny", "answer"]);

export interface LiveOptions {
  readonly verb: string;
  /** The arguments before it; the first may be a session. */
  readonly others: readonly string[];
  readonly env: Env;
}

/** Current values from the daemon or the configuration. Empty if no daemon answers: none is started, and no error is shown. */
export async function liveValues(kind: LiveKind, { verb, others, env }: LiveOptions): Promise<readonly Candidate[]> {
  try {
    if (isConfigKind(kind)) return await configValues(kind, { key: others[1] ?? "", env });
    const settled = await settledEnv(env);
    const daemon = client({ transport: currentTransport(settled()) });
    const wide = daemonUrl(settled()) === null && hasNodes(currentLocation(settled()));
    return await VALUES[kind](daemon, { verb, session: others[0], wide });
  } catch (error) {
    if (isTmpmError(error)) return kind === "agents" ? AGENTS.map(named) : [];
    throw error;
  }
}

function offered(sessions: readonly SessionAnswer[], verb: string): readonly Candidate[] {
  return sessions.filter((session) => suits(session, verb)).map((session) => ({ value: session.name, does: described(session) }));
}

interface Asking {
  readonly verb: string;
  readonly session: string | undefined;
  /** Includes the sessions of other machines. */
  readonly wide: boolean;
}

const VALUES: Readonly<Record<Exclude<LiveKind, ConfigKind>, (daemon: Client, asking: Asking) => Promise<readonly Candidate[]>>> = {
  async sessions(daemon, { verb, wide }) {
    const query = FINISHED.has(verb) ? { all: true } : {};
    if (!wide) return offered((await daemon.list(query, WITHIN)).sessions, verb);
    const { sessions } = await daemon.fleet({ ...query, within_ms: NODE_MS }, WITHIN);
    // For a node that does not answer, only past states are known.
    return offered(
      sessions.filter(({ was }) => was === null).map((session) => ({ ...session, name: address(session) })),
      verb,
    );
  },
  async agents(daemon) {
    const { agents } = await daemon.agents({}, WITHIN);
    return agents.map(({ id, title }) => ({ value: id, does: title }));
  },
  async owners(daemon) {
    const { owners } = await daemon.counts({}, WITHIN);
    return owners.flatMap(({ owner }) => (owner === null ? [] : [named(owner)]));
  },
  async projects(daemon) {
    const { projects } = await daemon.projects({}, WITHIN);
    return projects.map(({ id, path }) => ({ value: id, does: path }));
  },
  async groups(daemon) {
    const { sessions } = await daemon.list({}, WITHIN);
    return [...new Set(sessions.flatMap(({ group }) => (group === null ? [] : [group.name])))].map(named);
  },
  async turns(daemon, { session }) {
    if (session === undefined) return [];
    const { turns } = await daemon.turns({ session }, WITHIN);
    return turns.toReversed().map(turnOf);
  },
  async waiting_turns(daemon, { session }) {
    return session === undefined ? [] : (await daemon.queue({ session }, WITHIN)).waiting.map(turnOf);
  },
  async sends(daemon, { session }) {
    if (session === undefined) return [];
    const { sends } = await daemon.sends({ session }, WITHIN);
    return sends.map(({ id, receipt }) => ({ value: id.slice(0, ID_LENGTH), does: receipt.outcome.replaceAll("_", " ") }));
  },
  async uploads(daemon, { session }) {
    if (session === undefined) return [];
    const { uploads } = await daemon.uploads({ session }, WITHIN);
    return uploads.map(({ ref_id, filename }) => ({ value: ref_id.replace(/^sha256:/, "").slice(0, 12), does: filename }));
  },
  async decisions(daemon, { session }) {
    const { sessions } = await daemon.list({}, WITHIN);
    const asked = sessions.filter(({ id, name }) => session === undefined || name === session || id === session);
    return asked.flatMap(({ name, decision }) =>
      decision === null ? [] : [{ value: decision.id.slice(0, ID_LENGTH), does: `${name}: ${decision.subject}` }],
    );
  },
  async choices(daemon, { session }) {
    if (session === undefined) return [];
    const { decision } = await daemon.show({ session }, WITHIN);
    return (decision?.choices ?? []).map(({ label }, index) => ({ value: String(index + 1), does: label }));
  },
  async discovered(daemon) {
    const { discovered } = await daemon.discover({}, WITHIN);
    return discovered.flatMap(({ name, agent, reason }) => (reason === null ? [{ value: name, does: agent }] : []));
  },
  async devices(daemon) {
    const { devices } = await daemon.devices({}, WITHIN);
    return devices.map(({ name, scope }) => ({ value: name, does: scope }));
  },
  async nodes(daemon) {
    const { nodes } = await daemon.nodes({}, WITHIN);
    return nodes.map(({ label, presence, ssh, nats }) => ({ value: label, does: `${presence}, ${nats?.url ?? ssh.host}` }));
  },
  async tokens(daemon) {
    const { tokens } = await daemon.tokens({}, WITHIN);
    return tokens.map(({ name, scope, kind }) => ({ value: name, does: `${scope}, ${kind}` }));
  },
};

function suits({ state, paused_at, decision }: SessionAnswer, verb: string): boolean {
  const finished = state === "decommissioned" || state === "deleted";
  if (FINISHED.has(verb)) return finished;
  if (ASKING.has(verb)) return decision !== null;
  if (LIVE.has(verb)) return state === "active";
  return verb === "resume" ? state !== "active" || paused_at !== null : true;
}

function described({ state, activity, agent, task }: SessionAnswer): string {
  const does = state === "active" ? activity.state.replaceAll("_", " ") : state;
  return [`${does}, ${agent}`, ...(task === "" ? [] : [task])].join(": ");
}

function turnOf({ id, state, outcome, prompt }: TurnAnswer): Candidate {
  return { value: id.slice(0, ID_LENGTH), does: `${(outcome ?? state).replaceAll("_", " ")}: ${prompt.split("\n", 1)[0] ?? ""}` };
}

function named(value: string): Candidate {
  return { value, does: "" };
}
