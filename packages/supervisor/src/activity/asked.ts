import { createHash } from "node:crypto";
import type { CutDecision, Reading, Decision as Shown } from "@tmpm/agents";
import type { ActivityState, Decision, DecisionClosing } from "@tmpm/core";
import { msFromTimestamp, timestampFromMs } from "@tmpm/core";
import { squeeze } from "../squeeze.js";
import { HOLD_MS } from "./believe.js";
import { isQuestion } from "./track.js";

export interface ClosedDecision {
  readonly decision: Decision;
  readonly how: DecisionClosing;
  /** The label of the chosen option; null when unknown. */
  readonly answer: string | null;
  readonly atMs: number;
}

/** A session's open decision, and its previous ones, newest last. */
export interface DecisionState {
  readonly open: Decision | null;
  /** When a hook last reported the open one; null when only the screen did. */
  readonly heardMs: number | null;
  /** The label of the answer that is being given through tmpm; null without one. */
  readonly answering: string | null;
  readonly closed: readonly ClosedDecision[];
}

export const NOTHING_ASKED: DecisionState = { open: null, heardMs: null, answering: null, closed: [] };

/** Who asks, and an id for a new decision. */
export interface AskedOptions {
  readonly session_id: string;
  readonly agent: string;
  readonly nowMs: number;
  readonly newId: () => string;
}

/** Handles a hook's report of a decision. Agents may report one twice; a later report of the same one is a new decision. */
export function askedByHook(asked: DecisionState, shown: Shown, options: AskedOptions): DecisionState {
  const { open, heardMs } = asked;
  const again = heardMs === null || options.nowMs - heardMs < HOLD_MS;
  if (open !== null && again && isSame(open, shown)) {
    return { ...asked, open: { ...open, subject: exact(shown, open), tool: shown.tool ?? open.tool }, heardMs: options.nowMs };
  }
  const free = closeOpen(asked, { how: "moved_on", answer: null, atMs: options.nowMs });
  return { ...free, open: newDecision(shown, { ...options, digest: null }), heardMs: options.nowMs };
}

/** Handles an observation with a decision or without. An undetermined one changes nothing. */
export function askedByScreen(
  asked: DecisionState,
  look: Pick<Reading, "state" | "decision" | "cut">,
  options: AskedOptions,
): DecisionState {
  if (look.decision === null)
    return isHeardOf(asked, look.cut) ? bound(asked, look.cut.decision) : notShown(asked, look.state, options.nowMs);
  const { open } = asked;
  const digest = screenDigest(look.decision);
  if (open !== null && (open.screen_digest === digest || (asked.answering !== null && isSameQuestion(open, look.decision)))) return asked;
  if (open !== null && open.kind === look.decision.kind && (open.screen_digest === null || isDrawn(asked, look.decision, options.nowMs))) {
    return bound(asked, look.decision);
  }
  const free = closeOpen(asked, { how: "moved_on", answer: null, atMs: options.nowMs });
  return { ...free, open: newDecision(look.decision, { ...options, digest }), heardMs: null };
}

/** The open decision, as the screen shows it now. */
function bound(asked: DecisionState, shown: Shown): DecisionState {
  const { open } = asked;
  if (open === null) return asked;
  const subject = open.subject || shown.subject;
  return { ...asked, open: { ...open, subject, choices: choicesOf(shown), screen_digest: screenDigest(shown) } };
}

/** A truncated decision is completed from a hook's report, if its visible part agrees. */
function isHeardOf({ open, heardMs }: DecisionState, cut: CutDecision | null | undefined): cut is CutDecision {
  if (open === null || heardMs === null || !cut || open.kind !== cut.decision.kind) return false;
  const pieces = cut.pieces.map(squeeze);
  const whole = squeeze(open.subject);
  const ends = pieces.reduce((from, piece) => {
    const at = from < 0 || piece === "" ? -1 : whole.indexOf(piece, from);
    return at < 0 ? -1 : at + piece.length;
  }, 0);
  return ends >= 0;
}

/**
 * Whether a dialog that differs from a moment ago is the same one, drawn in several steps. A decision from a hook has the exact text and
 * would be reported again; without a hook the texts must be equal.
 */
function isDrawn({ open, heardMs }: DecisionState, shown: Shown, nowMs: number): boolean {
  if (open === null) return false;
  if (heardMs !== null) return nowMs - heardMs < HOLD_MS;
  return isSameQuestion(open, shown) && nowMs - msFromTimestamp(open.since) < HOLD_MS;
}

/** Closes the open decision, if any. One that disappears during an answer was answered. */
export function closeOpen({ open, answering, closed }: DecisionState, closing: Omit<ClosedDecision, "decision">): DecisionState {
  if (open === null) return { ...NOTHING_ASKED, closed };
  const how = answering === null || closing.how === "ended" ? closing : { ...closing, how: "answered" as const, answer: answering };
  return { ...NOTHING_ASKED, closed: [...closed, { ...how, decision: open }].slice(-KEPT) };
}

/** Marks the open decision as being answered, or (null) not answered after all. */
export function answeringWith(asked: DecisionState, label: string | null): DecisionState {
  return asked.open === null ? asked : { ...asked, answering: label };
}

/** SHA-256 of a decision's text without white space, since rows wrap differently at another width. */
export function screenDigest({ kind, tool, subject, choices, request }: Shown): string {
  const parts = [kind, tool ?? "", subject, ...choices.map(({ label }) => label), ...(request === undefined ? [] : [request])].map(squeeze);
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Whether two decisions are the same regardless of their choices, which change while an answer is typed. */
export function isSameQuestion(a: Pick<Shown, "kind" | "subject">, b: Pick<Shown, "kind" | "subject">): boolean {
  return a.kind === b.kind && squeeze(a.subject) === squeeze(b.subject);
}

const KEPT = 10;

/**
 * A partly recognised dialog, or an inconclusive screen, may still be the same decision; one only reported by a hook may not be drawn yet.
 */
function notShown(asked: DecisionState, state: ActivityState, nowMs: number): DecisionState {
  if (asked.open === null || isQuestion(state) || state === "unknown") return asked;
  const drawing = asked.open.screen_digest === null && asked.heardMs !== null && nowMs - asked.heardMs < HOLD_MS;
  if (drawing && state !== "exited") return asked;
  return closeOpen(asked, { how: state === "exited" ? "ended" : "moved_on", answer: null, atMs: nowMs });
}

function isSame(open: Decision, { kind, subject }: Shown): boolean {
  if (open.kind !== kind) return false;
  const [a, b] = [squeeze(open.subject), squeeze(subject)];
  return a === b || (open.screen_digest !== null && (a.includes(b) || b.includes(a)));
}

/** A hook's report is exact; the screen may have wrapped or truncated it. */
function exact(shown: Shown, open: Decision): string {
  return shown.subject === "" ? open.subject : shown.subject;
}

function newDecision(
  shown: Shown,
  { session_id, agent, nowMs, newId, digest }: AskedOptions & { readonly digest: string | null },
): Decision {
  return {
    id: newId(),
    session_id,
    agent,
    kind: shown.kind,
    tool: shown.tool,
    subject: shown.subject,
    choices: choicesOf(shown),
    screen_digest: digest,
    since: timestampFromMs(nowMs),
  };
}

function choicesOf({ choices, request }: Shown): Decision["choices"] {
  return choices.map(({ label, keys, takesText }) => ({
    label,
    answerable: keys !== null || request !== undefined,
    takes_text: takesText,
  }));
}
