import type { TmpmError } from "../../errors.js";
import { fieldsOf, isFields } from "../fields.js";
import { invalidField } from "../reading.js";
import { decodeSession, type PersistedSession } from "./persisted-session.js";
import { decodeThought, type PersistedThought } from "./persisted-thought.js";

/** `unsupported`: well-formed, with a value that this version does not know. `document` is the unchanged input. */
interface Unreadable {
  readonly kind: "unsupported" | "damaged";
  readonly error: TmpmError;
  readonly document: unknown;
}

/** One entry of the registry; `id` is null when the entry has none. */
export type RegistryEntry =
  | { readonly kind: "session"; readonly id: string; readonly session: PersistedSession }
  | (Unreadable & { readonly id: string | null });

/** One entry of `thoughts.json`; `key` is a session's id or a pane's key. */
export type ThoughtEntry =
  | { readonly kind: "thought"; readonly key: string; readonly thought: PersistedThought }
  | (Unreadable & { readonly key: string });

export function readRegistry(document: unknown): readonly RegistryEntry[] {
  if (!Array.isArray(document)) throw invalidField("document", "expected an array of sessions");
  const seen = new Set<string>();
  return document.map((entry: unknown): RegistryEntry => {
    const { session_id } = fieldsOf(entry);
    const id = typeof session_id === "string" ? session_id : null;
    const reading = decodeSession(entry);
    if (!reading.ok) return { kind: reading.kind, id, error: reading.error, document: entry };
    const session = reading.value;
    if (seen.has(session.session_id))
      return { kind: "damaged", id, error: invalidField("session_id", "another entry has this id"), document: entry };
    seen.add(session.session_id);
    return { kind: "session", id: session.session_id, session };
  });
}

export function readThoughts(document: unknown): readonly ThoughtEntry[] {
  if (!isFields(document)) throw invalidField("document", "expected an object with one snapshot per session");
  return Object.entries(document).map(([key, entry]): ThoughtEntry => {
    const reading = decodeThought(entry);
    if (reading.ok) return { kind: "thought", key, thought: reading.value };
    return { kind: reading.kind, key, error: reading.error, document: entry };
  });
}
