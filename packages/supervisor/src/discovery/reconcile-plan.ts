import { type ControlModel, isTerminal, normalizeUuid, PaneIdentity, type PaneInfo, type SessionRecord, TMUX_PREFIX } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import { isTheirs } from "./bind-pane.js";
import { type Terminals, terminalKey } from "./terminals.js";

/** The action for a session with a record. */
export type SessionStep =
  /** It matches its record. */
  | { readonly kind: "live" | "at_rest" | "unknown"; readonly record: SessionRecord }
  /** An operation of it was interrupted. */
  | { readonly kind: "finish"; readonly record: SessionRecord; readonly pane: PaneInfo | null }
  /** Another program runs it, in an unknown terminal. */
  | { readonly kind: "theirs"; readonly record: SessionRecord }
  /** Its program has ended. */
  | { readonly kind: "ended"; readonly record: SessionRecord }
  /** Its terminal is missing. */
  | { readonly kind: "gone"; readonly record: SessionRecord }
  /** Its terminal exists, contrary to its record. */
  | { readonly kind: "found"; readonly record: SessionRecord; readonly pane: PaneInfo }
  /** Its record is at rest, and its dead terminal can be removed. */
  | { readonly kind: "clear"; readonly record: SessionRecord; readonly pane: PaneInfo }
  /** It runs although it was stopped on purpose: the user decides. */
  | { readonly kind: "left"; readonly record: SessionRecord; readonly pane: PaneInfo; readonly reason: string };

/** The action for a terminal on our own hosts without a record. */
export type StrangerStep =
  | { readonly kind: "adopt" | "rebuild"; readonly pane: PaneInfo }
  | { readonly kind: "left"; readonly pane: PaneInfo; readonly reason: string };

export interface ReconcilePlan {
  readonly sessions: readonly SessionStep[];
  readonly strangers: readonly StrangerStep[];
}

export interface ReconcileFacts {
  readonly entries: readonly Entry[];
  readonly terminals: Terminals;
  /** The current start of the host of these sessions; null when it is missing. */
  readonly placeOf: (control: ControlModel) => string | null;
  readonly isOwn: (identity: PaneIdentity) => boolean;
  readonly homeTag: string | null;
  /** Another operation is working on the session. */
  readonly busy: (id: string) => boolean;
}

/** Compares the records with the observation. Changes nothing. */
export function planReconcile(facts: ReconcileFacts): ReconcilePlan {
  const records = facts.entries.flatMap((entry) => (entry.kind === "session" ? [entry.record] : []));
  return { sessions: records.flatMap((record) => sessionStep(facts, record) ?? []), strangers: strangerSteps(facts) };
}

function sessionStep(facts: ReconcileFacts, record: SessionRecord): SessionStep | null {
  const { terminals, busy } = facts;
  const [tagged = null] = terminals.tagged(record.id);
  if (isTerminal(record) && record.intent?.op !== "undo") return leftRunning(record, tagged);
  if (busy(record.id)) return { kind: "live", record };
  if (record.intent?.op === "undo") return { kind: "finish", record, pane: tagged };
  const socket = record.pane?.socket ?? record.adopted?.socket ?? facts.placeOf(record.control);
  if (socket === null || !terminals.answered(socket))
    return { kind: record.state === "active" || record.intent !== null ? "unknown" : "at_rest", record };
  if (record.intent !== null) return { kind: "finish", record, pane: tagged };
  return record.state === "active" ? activeStep(terminals, { record, tagged }) : restingStep(record, tagged);
}

function activeStep(terminals: Terminals, { record, tagged }: { record: SessionRecord; tagged: PaneInfo | null }): SessionStep {
  const pane = record.pane === null ? null : terminals.at(record.pane);
  if (pane && pane.exit === null) return { kind: "live", record };
  if (pane) return { kind: "ended", record };
  if (tagged !== null && tagged.exit === null) return { kind: "found", record, pane: tagged };
  return { kind: isTheirs(record) ? "theirs" : "gone", record };
}

function restingStep(record: SessionRecord, pane: PaneInfo | null): SessionStep {
  if (pane === null || record.state === "provisioning") return { kind: "at_rest", record };
  if (pane.exit !== null) return { kind: "clear", record, pane };
  if (isMistaken(record)) return { kind: "found", record, pane };
  return { kind: "left", record, pane, reason: `it is running although it is ${record.state}` };
}

/** A state that no caller chose: the terminal seemed gone, or never started. */
function isMistaken({ state, stop_cause, last_error }: SessionRecord): boolean {
  if (state !== "stopped") return last_error?.code === "LAUNCH_FAILED";
  // Without a cause it was written by another program, which searches other places for terminals.
  return stop_cause !== "deliberate";
}

function leftRunning(record: SessionRecord, pane: PaneInfo | null): SessionStep | null {
  if (pane === null) return null;
  return { kind: "left", record, pane, reason: `its terminal exists although it is ${record.state}` };
}

function strangerSteps({ entries, terminals, isOwn, homeTag }: ReconcileFacts): readonly StrangerStep[] {
  const known = new Set(entries.map((entry) => (entry.kind === "session" ? entry.record.id : entry.id)));
  const letGo = new Set(entries.flatMap(letGoBy));
  const own = terminals.panes.filter(({ identity }) => isOwn(identity) && !letGo.has(terminalKey(identity)));
  const taken = new Set(own.flatMap(({ sessionId, tmuxName }) => (sessionId === null ? [] : [tmuxName])));
  return own.flatMap((pane): StrangerStep[] => {
    const { sessionId, tmuxName, exit } = pane;
    if (sessionId !== null) return known.has(sessionId) ? [] : taggedStranger(pane, homeTag);
    if (!tmuxName.startsWith(TMUX_PREFIX) || taken.has(tmuxName)) return [];
    // One session for each tmux session, whatever else was opened in it.
    taken.add(tmuxName);
    return exit === null ? [{ kind: "adopt", pane }] : [{ kind: "left", pane, reason: "its program has ended" }];
  });
}

/** A released terminal of ours that continues unmanaged: it is not adopted again automatically. */
function letGoBy(entry: Entry): readonly string[] {
  const pane = entry.kind === "session" ? PaneIdentity.safeParse(entry.record.let_go) : null;
  return pane?.success === true ? [terminalKey(pane.data)] : [];
}

function taggedStranger(pane: PaneInfo, homeTag: string | null): StrangerStep[] {
  if (pane.home !== null && pane.home !== homeTag) return [{ kind: "left", pane, reason: "it belongs to another tmpm" }];
  if (pane.sessionId === null || normalizeUuid(pane.sessionId) !== pane.sessionId) {
    return [{ kind: "left", pane, reason: "its tag is not a session id" }];
  }
  return [{ kind: "rebuild", pane }];
}
