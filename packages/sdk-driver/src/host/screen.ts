import { type PaneInfo, type Screen, timestampFromMs } from "@tmpm/core";
import { type HolderFacts, identityOf } from "@tmpm/holder";
import { type ConversationReading, readingOf } from "../conversation/reading.js";
import type { PermissionRequest } from "../conversation/request.js";
import type { ConversationState } from "../conversation/state.js";
import { plainLines } from "../transcript/plain-text.js";
import { transcriptLines } from "../transcript/transcript-lines.js";
import type { About } from "./mirror.js";

export interface ConversationView {
  readonly facts: HolderFacts;
  readonly state: ConversationState;
  readonly about: About;
}

/** A stand-in for a terminal: nothing attaches to it, and only its agent runs in it. */
export function paneInfo({ facts, state, about }: ConversationView, { home }: { readonly home: string | null }): PaneInfo {
  const exit = exitOf(state);
  return {
    identity: identityOf(facts),
    tmuxName: facts.name,
    sessionId: facts.session_id,
    home,
    pid: facts.program?.pid ?? 0,
    exit,
    inMode: false,
    viewers: 0,
    columns: about.columns,
    rows: about.rows,
    activeAt: Math.floor(state.active_ms / 1000) || facts.started_at,
    foreground: exit === null ? true : null,
    command: about.command,
  };
}

export function exitOf({ phase }: Pick<ConversationState, "phase">): PaneInfo["exit"] {
  if (phase.kind !== "exited") return null;
  return { status: phase.signal === null ? phase.status : null, signal: phase.signal, at: timestampFromMs(phase.at_ms) };
}

/** The end of the transcript, as many rows as a screen has, and the pending request below it. */
export function screenOf(
  seen: ConversationView,
  { history = 0, home }: { readonly history?: number; readonly home: string | null },
): Screen & { readonly reading: ConversationReading } {
  const { state, about } = seen;
  const all = [...transcriptLines(state.transcript), ...state.requests.flatMap(requestLines)];
  const shown = all.slice(-(about.rows + history));
  const rows = Math.min(all.length, about.rows);
  return {
    lines: shown,
    cursor: { column: 0, row: Math.max(0, rows - 1), visible: false },
    historySize: Math.max(0, all.length - about.rows),
    title: state.agent === null ? "" : (plainLines(`${state.agent.name} ${state.agent.version}`)[0] ?? ""),
    pane: paneInfo(seen, { home }),
    reading: readingOf(state),
  };
}

function requestLines({ tool, subject, options }: PermissionRequest): readonly string[] {
  const question = plainLines(`? ${tool === null ? "" : `${tool}: `}${subject}`);
  return ["", ...question, ...options.flatMap(({ label }, index) => plainLines(`  ${index + 1}. ${label}`))];
}
