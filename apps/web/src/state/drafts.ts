import { load, store } from "./kept.js";

/** What is being written to a session, and the key under which it is sent once, whatever becomes of the answer. */
export interface Draft {
  readonly text: string;
  readonly key: string | null;
}

const NONE: Draft = { text: "", key: null };

/** The draft as it was left, also before a reload. */
export function loadDraft(session: string): Draft {
  const stored = load(nameOf(session));
  return stored === null ? NONE : readDraft(stored);
}

export function storeDraft(session: string, draft: Draft): void {
  store(nameOf(session), draft.text === "" ? "" : JSON.stringify(draft));
}

/** What is stored may be of an older page, or of anybody. */
export function readDraft(stored: string): Draft {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null || !("text" in value) || typeof value.text !== "string") return NONE;
    return { text: value.text, key: "key" in value && typeof value.key === "string" ? value.key : null };
  } catch {
    return NONE;
  }
}

/** Another text is another send; the same text, sent again after a lost answer, is the same one. */
export function withText(draft: Draft, text: string): Draft {
  return text === draft.text ? draft : { text, key: null };
}

function nameOf(session: string): string {
  return `draft.${session}`;
}
