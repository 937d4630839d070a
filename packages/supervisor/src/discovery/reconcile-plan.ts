import { type ControlModel, isTerminal, normalizeUuid, PaneIdentity, type PaneInfo, type SessionRecord, TMUX_PREFIX } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import { isTheirs } from "./bind-pane.js";
import { type Terminals, terminalKey } from "./terminals.js";

/** What is to be done about a session that has a record. */
export type SessionStep =
  /** It is as its record says. */
  | { readonly kind: "live" | "at_rest" | "unknown"; readonly record: SessionRecord }
  /** An operation of it was interrupted. */
  | { readonly kind: "finish"; readonly record: SessionRecord; readonly pane: PaneInfo | null }
  /** Another program runs it, in a terminal that we do not know. */
  | { readonly kind: "theirs"; readonly record: SessionRecord }
  /** Its program has ended. */
  | { readonly kind: "ended"; readonly record: SessionRecord }
  /** Its terminal is not there. */
  | { readonly kind: "gone"; readonly record: SessionRecord }
  /** Its terminal is there, though its record says otherwise. */
  | { readonly kind: "found"; readonly record: SessionRecord; readonly pane: PaneInfo }
  /** Its record is at rest, and its dead terminal can go. */
  | { readonly kind: "clear"; readonly record: SessionRecord; readonly pane: PaneInfo }
  /** It runs though its record is at rest on purpose: that is for a person to decide. */
  | { readonly kind: "left"; readonly record: SessionRecord; readonly pane: PaneInfo; readonly reason: string };

/** What is to be done about a terminal of our own hosts that has no record. */
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
  /** Where the sessions of this host are started; null for one that is not there. */
  readonly placeOf: (control: ControlModel) => string | null;
  readonly isOwn: (identity: PaneIdentity) => boolean;
  readonly homeTag: string | null;
  /** Another operation works on the session now. */
  readonly busy: (id: string) => boolean;
}

/** Compares the records with what was observed. Changes nothing. */
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

/** A state that no caller chose: the terminal was believed to be gone, or never to have started. */
function isMistaken({ state, stop_cause, last_error }: SessionRecord): boolean {
  if (state !== "stopped") return last_error?.code === "LAUNCH_FAILED";
  // Without a cause it was written by another program, which looks for terminals elsewhere.
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

/** A terminal of ours that continues unmanaged, because that was asked for: it is not taken again on its own. */
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
