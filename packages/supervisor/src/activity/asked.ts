import { createHash } from "node:crypto";
import type { CutDecision, Reading, Decision as Shown } from "@tmpm/agents";
import type { ActivityState, Decision, DecisionClosing } from "@tmpm/core";
import { msFromTimestamp, timestampFromMs } from "@tmpm/core";
import { squeeze } from "../squeeze.js";
import { HOLD_MS } from "./believe.js";
import { isQuestion } from "./track.js";

export interface Closed {
  readonly decision: Decision;
  readonly how: DecisionClosing;
  /** The label of what was chosen; null when it is not known. */
  readonly answer: string | null;
  readonly atMs: number;
}

/** What a session asks now, and what it asked before, newest last. */
export interface Asked {
  readonly open: Decision | null;
  /** When a hook last reported the open one; null when only the screen did. */
  readonly heardMs: number | null;
  /** The label of the answer that is being given to the open one through tmpm; null while none is. */
  readonly answering: string | null;
  readonly closed: readonly Closed[];
}

export const NOTHING_ASKED: Asked = { open: null, heardMs: null, answering: null, closed: [] };

/** Who asks, and an id for what is not asked yet. */
export interface AskedOptions {
  readonly session_id: string;
  readonly agent: string;
  readonly nowMs: number;
  readonly newId: () => string;
}

/** A hook reported that something is asked. Agents may report one question twice; the same question reported later is a new one. */
export function askedByHook(asked: Asked, shown: Shown, options: AskedOptions): Asked {
  const { open, heardMs } = asked;
  const again = heardMs === null || options.nowMs - heardMs < HOLD_MS;
  if (open !== null && again && isSame(open, shown)) {
    return { ...asked, open: { ...open, subject: exact(shown, open), tool: shown.tool ?? open.tool }, heardMs: options.nowMs };
  }
  const free = closeOpen(asked, { how: "moved_on", answer: null, atMs: options.nowMs });
  return { ...free, open: newDecision(shown, { ...options, digest: null }), heardMs: options.nowMs };
}

/** An observation showed what is asked, or that nothing is. What cannot be determined changes nothing. */
export function askedByLook(asked: Asked, look: Pick<Reading, "state" | "decision" | "cut">, options: AskedOptions): Asked {
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

/** The open one, as the screen shows it now. */
function bound(asked: Asked, shown: Shown): Asked {
  const { open } = asked;
  if (open === null) return asked;
  const subject = open.subject || shown.subject;
  return { ...asked, open: { ...open, subject, choices: choicesOf(shown), screen_digest: screenDigest(shown) } };
}

/** What shows cut off is what a hook reported in whole, as far as it shows. */
function isHeardOf({ open, heardMs }: Asked, cut: CutDecision | null | undefined): cut is CutDecision {
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
 * Whether a dialog that looks otherwise than a moment ago is the same one, drawn in more than one go. What a hook reported has its own words and would be reported
 * again; without a hook the words must be the same.
 */
function isDrawn({ open, heardMs }: Asked, shown: Shown, nowMs: number): boolean {
  if (open === null) return false;
  if (heardMs !== null) return nowMs - heardMs < HOLD_MS;
  return isSameQuestion(open, shown) && nowMs - msFromTimestamp(open.since) < HOLD_MS;
}

/** Closes what is open, if something is. What disappears while it is being answered was answered. */
export function closeOpen({ open, answering, closed }: Asked, closing: Omit<Closed, "decision">): Asked {
  if (open === null) return { ...NOTHING_ASKED, closed };
  const how = answering === null || closing.how === "ended" ? closing : { ...closing, how: "answered" as const, answer: answering };
  return { ...NOTHING_ASKED, closed: [...closed, { ...how, decision: open }].slice(-KEPT) };
}

/** An answer to the open one is about to be given, or (null) was not taken. */
export function answeringWith(asked: Asked, label: string | null): Asked {
  return asked.open === null ? asked : { ...asked, answering: label };
}

/** SHA-256 of a question as it shows, white space aside: rows wrap in other places at another width. */
export function screenDigest({ kind, tool, subject, choices, request }: Shown): string {
  const parts = [kind, tool ?? "", subject, ...choices.map(({ label }) => label), ...(request === undefined ? [] : [request])].map(squeeze);
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Whether the same thing is asked, whatever choices show: they change while an answer is typed. */
export function isSameQuestion(a: Pick<Shown, "kind" | "subject">, b: Pick<Shown, "kind" | "subject">): boolean {
  return a.kind === b.kind && squeeze(a.subject) === squeeze(b.subject);
}

const KEPT = 10;

/** A dialog that is only recognised, or a screen that says nothing, may still be the same question; one that was only heard of may not be drawn yet. */
function notShown(asked: Asked, state: ActivityState, nowMs: number): Asked {
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

/** What a hook reports is exact; the screen may have wrapped or shortened it. */
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
