import { load, store } from "./kept.js";

/** The draft of a prompt, and the idempotency key with which it is sent once, even if the response is lost. */
export interface Draft {
  readonly text: string;
  readonly key: string | null;
}

const NONE: Draft = { text: "", key: null };

/** The last draft, also from before a reload. */
export function loadDraft(session: string): Draft {
  const stored = load(nameOf(session));
  return stored === null ? NONE : readDraft(stored);
}

export function storeDraft(session: string, draft: Draft): void {
  store(nameOf(session), draft.text === "" ? "" : JSON.stringify(draft));
}

/** Stored data may come from an older version of the page, or be arbitrary. */
export function readDraft(stored: string): Draft {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null || !("text" in value) || typeof value.text !== "string") return NONE;
    return { text: value.text, key: "key" in value && typeof value.key === "string" ? value.key : null };
  } catch {
    return NONE;
  }
}

/** A different text is a new send; the same text, resent after a lost response, is the same send. */
export function withText(draft: Draft, text: string): Draft {
  return text === draft.text ? draft : { text, key: null };
}

function nameOf(session: string): string {
  return `draft.${session}`;
}
