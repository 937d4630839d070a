import type { SessionAnswer } from "@tmpm/api";
import { type Client, client } from "@tmpm/api/client";
import { currentTransport } from "@tmpm/api/local";
import { isTmpmError } from "@tmpm/core";
import { settledEnv } from "../settled-env.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface Candidate {
  readonly value: string;
  readonly does: string;
}

/** Whoever waits for a key to be answered waits no longer. */
const ANSWER_MS = 1_000;

const AGENTS = ["claude", "codex", "gemini", "opencode", "shell", "command"];

/** Verbs that only a session that runs can be asked for. */
const LIVE: ReadonlySet<string> = new Set(["attach", "send", "keys", "interrupt", "cancel", "queue", "stop"]);
/** Verbs for sessions that are finished. */
const FINISHED: ReadonlySet<string> = new Set(["reactivate", "undo"]);

/** What the daemon knows now. Nothing when none answers: it is never started, and nothing is said. */
export async function liveValues(kind: "sessions" | "agents" | "projects", { verb, env }: { readonly verb: string; readonly env: Env }) {
  try {
    const settled = await settledEnv(env);
    const daemon = client({ transport: currentTransport(settled()) });
    return await VALUES[kind](daemon, verb);
  } catch (error) {
    if (isTmpmError(error)) return kind === "agents" ? AGENTS.map(named) : [];
    throw error;
  }
}

const VALUES: Readonly<Record<"sessions" | "agents" | "projects", (daemon: Client, verb: string) => Promise<readonly Candidate[]>>> = {
  async sessions(daemon, verb) {
    const finished = FINISHED.has(verb);
    const { sessions } = await daemon.list(finished ? { all: true } : {}, { timeoutMs: ANSWER_MS });
    return sessions.filter((session) => suits(session, verb)).map((session) => ({ value: session.name, does: told(session) }));
  },
  async agents(daemon) {
    const { agents } = await daemon.counts({}, { timeoutMs: ANSWER_MS });
    return [...new Set([...AGENTS, ...agents.map(({ agent }) => agent)])].map(named);
  },
  async projects(daemon) {
    const { projects } = await daemon.projects({}, { timeoutMs: ANSWER_MS });
    return projects.map(({ id, path }) => ({ value: id, does: path }));
  },
};

function suits({ state, paused_at }: SessionAnswer, verb: string): boolean {
  const finished = state === "decommissioned" || state === "deleted";
  if (FINISHED.has(verb)) return finished;
  if (LIVE.has(verb)) return state === "active";
  return verb === "resume" ? state !== "active" || paused_at !== null : true;
}

function told({ state, activity, agent, task }: SessionAnswer): string {
  const does = state === "active" ? activity.state.replaceAll("_", " ") : state;
  return [`${does}, ${agent}`, ...(task === "" ? [] : [task])].join(": ");
}

function named(agent: string): Candidate {
  return { value: agent, does: "" };
}
