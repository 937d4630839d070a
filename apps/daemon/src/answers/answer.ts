import type { CountsAnswer, KeptSend, Problem, ScreenAnswer, SessionAnswer, SessionList } from "@tmpm/api";
import { pendingOf, toSession } from "@tmpm/core";
import type { Health } from "@tmpm/store";
import type { CapturedScreen, Counts, Listing, SendFacts, SessionFacts, TurnFacts } from "@tmpm/supervisor";

/** A session in API responses: snapshot, record and activity in one object. */
export function sessionAnswer({
  record,
  activity,
  viewers,
  delegations,
  decision,
  question,
  report,
  thought,
  theme,
  turn,
  queued,
  hint,
  usage,
  unreadable,
  directoryGone,
  lastSeen,
  currentCommand,
  lastSkill,
  isStale,
  transport,
}: SessionFacts): SessionAnswer {
  return {
    ...record,
    ...toSession({ record, activity, viewers, delegations }, lastSeen),
    activity,
    viewers,
    decision,
    question,
    report,
    thought: { ...thought, action_cues: [...thought.action_cues] },
    repo_theme: theme?.theme ?? null,
    repo_theme_id: theme?.id ?? null,
    current_command: currentCommand,
    last_skill: lastSkill,
    is_stale: isStale,
    transport_health: transport,
    ...pendingOf({ record, decision }),
    turn: turn === null ? null : turnBrief(turn),
    queued,
    hint,
    usage,
    unreadable,
    directory_gone: directoryGone,
  };
}

export function listAnswer({ sessions, problems, health, silent }: Listing): SessionList {
  return {
    sessions: sessions.map(sessionAnswer),
    problems: problems.map(problemAnswer),
    store: healthAnswer(health),
    next: null,
    ...(silent.length === 0 ? {} : { silent: silent.map((host) => ({ ...host })) }),
  };
}

export function countsAnswer({ agents, projects, owners, ...all }: Counts): CountsAnswer {
  return { ...all, agents: [...agents], projects: [...projects], owners: [...owners] };
}

/** Values of `latestSeqs` from before the screen was captured. */
export function screenAnswer({ lines, cursor, styles, ...rest }: CapturedScreen, latestSeqs: ReadonlyMap<string, number>): ScreenAnswer {
  const drawn = styles === undefined ? {} : { styles: styles.map((runs) => [...runs]) };
  const latest_seq = latestSeqs.get(rest.session_id) ?? null;
  return { ...rest, ...drawn, latest_seq, lines: [...lines], cursor: { ...cursor } };
}

export function keptSend({ entry, receipt }: SendFacts): KeptSend {
  const { id, session_id, key, accepted_at, step } = entry;
  return { id, session_id, idempotency_key: key, accepted_at, done: step === "done", receipt };
}

export function healthAnswer(health: Health): SessionList["store"] {
  if (health.state === "degraded") return { state: "degraded", message: health.error.message };
  const conflicts = health.conflicts?.map(({ id, path }) => ({ id, path })) ?? [];
  return { state: "ok", message: null, ...(conflicts.length === 0 ? {} : { conflicts }) };
}

function problemAnswer({ kind, id, project_id, reason }: Listing["problems"][number]): Problem {
  return { kind, id, project_id, reason };
}

const BRIEF = 200;

function turnBrief({ turn, state }: TurnFacts): SessionAnswer["turn"] {
  const { id, generation, prompt, started_at } = turn;
  return { id, generation, state, prompt: Array.from(prompt).slice(0, BRIEF).join(""), started_at };
}
