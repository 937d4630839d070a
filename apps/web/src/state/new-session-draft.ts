import { signal } from "@preact/signals";
import { load, store } from "./kept.js";

/** The form for a new session, as it was filled in. */
export interface NewSessionDraft {
  /** Null until chosen; empty for none. */
  readonly profile: string | null;
  /** Empty until chosen. */
  readonly agent: string;
  /** Null until edited; meanwhile the latest directory is used. */
  readonly cwd: string | null;
  readonly name: string;
  readonly worktree: boolean;
  readonly branch: string;
  readonly prompt: string;
  /** The last request without a response; null after every other. The same request again is the same session. */
  readonly attempt: Attempt | null;
}

interface Attempt {
  /** Its idempotency key. */
  readonly key: string;
  /** The request, as JSON. */
  readonly request: string;
}

const NAME = "new.form";

/** Kept while another page is shown, and across a reload. */
export const newSessionDraft = signal<NewSessionDraft>(readNewSessionDraft(load(NAME)));
newSessionDraft.subscribe((draft) => store(NAME, JSON.stringify(draft)));

export function changeDraft(part: Partial<NewSessionDraft>): void {
  newSessionDraft.value = { ...newSessionDraft.value, ...part };
}

/** The key for a request: the one of the last attempt if that was the same request. */
export function keyFor(request: string): string {
  const { attempt } = newSessionDraft.value;
  const { key } = attempt?.request === request ? attempt : { key: crypto.randomUUID() };
  changeDraft({ attempt: { key, request } });
  return key;
}

/** The session has started: the form is empty again, except for the profile, the agent and a prompt changed meanwhile. */
export function draftStarted(started: NewSessionDraft): void {
  const { profile, agent, prompt } = newSessionDraft.value;
  newSessionDraft.value = {
    ...EMPTY,
    profile,
    agent: agent === "" ? started.agent : agent,
    prompt: prompt === started.prompt ? "" : prompt,
  };
}

const EMPTY: NewSessionDraft = { profile: null, agent: "", cwd: null, name: "", worktree: false, branch: "", prompt: "", attempt: null };

/** Stored data may come from another version of the page, or be arbitrary. */
export function readNewSessionDraft(stored: string | null): NewSessionDraft {
  const value = parsed(stored);
  const text = (name: string) => (typeof value[name] === "string" ? value[name] : null);
  return {
    profile: text("profile"),
    agent: text("agent") ?? "",
    cwd: text("cwd"),
    name: text("name") ?? "",
    worktree: value.worktree === true,
    branch: text("branch") ?? "",
    prompt: text("prompt") ?? "",
    attempt: isAttempt(value.attempt) ? value.attempt : null,
  };
}

function parsed(stored: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(stored ?? "");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isAttempt(value: unknown): value is Attempt {
  return (
    typeof value === "object" &&
    value !== null &&
    "key" in value &&
    typeof value.key === "string" &&
    "request" in value &&
    typeof value.request === "string"
  );
}
