import { type Signal, signal } from "@preact/signals";
import { load, store, storedNames } from "./kept.js";

/** An uploaded file that goes with a prompt. */
export interface DraftFile {
  readonly ref_id: string;
  readonly filename: string;
}

/** How a draft is sent: the same way again after a lost response, so that it is one send. */
interface SendAttempt {
  readonly key: string;
  readonly queue: boolean;
}

/** The draft of a prompt. */
export interface Draft {
  readonly text: string;
  readonly files: readonly DraftFile[];
  /** Null until it is sent, and after every change. */
  readonly attempt: SendAttempt | null;
}

const NONE: Draft = { text: "", files: [], attempt: null };
const PREFIX = "draft.";
const drafts = new Map<string, Signal<Draft>>();

/** A session's draft, also from before a reload. It is kept while another session is shown. */
export function draftOf(session: string): Signal<Draft> {
  const known = drafts.get(session);
  if (known !== undefined) return known;
  const stored = load(nameOf(session));
  const draft = signal(stored === null ? NONE : readDraft(stored));
  drafts.set(session, draft);
  draft.subscribe((now) => store(nameOf(session), isEmpty(now) ? "" : JSON.stringify({ ...now, at: Date.now() })));
  return draft;
}

/** Sessions with a stored draft, and when it was last changed, in ms since 1970. */
export function storedDrafts(): readonly { readonly session: string; readonly at: number }[] {
  return storedNames().flatMap((name) => {
    if (!name.startsWith(PREFIX)) return [];
    return [{ session: name.slice(PREFIX.length), at: changedAt(load(name)) }];
  });
}

export function forgetDraft(session: string): void {
  drafts.delete(session);
  store(nameOf(session), "");
}

/** Drafts of older versions have no time; they count as new until they are changed. */
function changedAt(stored: string | null): number {
  try {
    const value: unknown = JSON.parse(stored ?? "");
    return typeof value === "object" && value !== null && "at" in value && typeof value.at === "number" ? value.at : Date.now();
  } catch {
    return 0;
  }
}

function isEmpty({ text, files }: Draft): boolean {
  return text === "" && files.length === 0;
}

/** Stored data may come from an older version of the page, or be arbitrary. */
export function readDraft(stored: string): Draft {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null || !("text" in value) || typeof value.text !== "string") return NONE;
    const files = "files" in value && Array.isArray(value.files) ? value.files.filter(isFile) : [];
    return { text: value.text, files, attempt: "attempt" in value && isAttempt(value.attempt) ? value.attempt : null };
  } catch {
    return NONE;
  }
}

function isFile(value: unknown): value is DraftFile {
  return typeof value === "object" && value !== null && "ref_id" in value && "filename" in value;
}

function isAttempt(value: unknown): value is SendAttempt {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string" && "queue" in value;
}

/** A different text is a new send; the same text, resent after a lost response, is the same send. */
export function withText(draft: Draft, text: string): Draft {
  return text === draft.text ? draft : { ...draft, text, attempt: null };
}

export function withFile(draft: Draft, { ref_id, filename }: DraftFile): Draft {
  if (draft.files.some((file) => file.ref_id === ref_id)) return draft;
  return { ...draft, files: [...draft.files, { ref_id, filename }], attempt: null };
}

export function withoutFile(draft: Draft, ref: string): Draft {
  return { ...draft, files: draft.files.filter(({ ref_id }) => ref_id !== ref), attempt: null };
}

/** The next send of a draft is a new one, unless that was attempted meanwhile. */
export function withoutAttempt(draft: Draft, attempt: SendAttempt): Draft {
  return draft.attempt?.key === attempt.key ? { ...draft, attempt: null } : draft;
}

/** What is left of a draft once an earlier state of it was sent: what was written or added meanwhile. */
export function withoutSent(draft: Draft, sent: Draft): Draft {
  const text = draft.text.startsWith(sent.text) ? draft.text.slice(sent.text.length) : draft.text;
  return { text, files: draft.files.filter(({ ref_id }) => !sent.files.some((file) => file.ref_id === ref_id)), attempt: null };
}

function nameOf(session: string): string {
  return `${PREFIX}${session}`;
}
