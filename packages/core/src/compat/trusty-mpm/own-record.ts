import { isCanonicalRecord } from "../../session/canonical-record.js";
import { SessionRecord } from "../../session/record.js";
import { type Fields, isFields } from "../fields.js";
import { AGENTS, FIRST_FIELDS, LATER_FIELDS, OWN_FIELDS, THEIR_FIELDS } from "./record-document.js";

const FIELDS = Object.keys(SessionRecord.shape);

/** The place of a record's field in a document that we wrote: under its own name, or under `tmpm`. */
const OUTSIDE: readonly string[] = FIELDS.filter((field) => FIRST_FIELDS.includes(field) || LATER_FIELDS.includes(field));

/** Copying a template with all fields avoids growing an object step by step. */
const BLANK: Readonly<Record<string, unknown>> = Object.fromEntries(FIELDS.map((field) => [field, null]));

const TRANSLATED = ["runtime", "claude_session_id", "pane_id", "tmux_server", "stop_cause", "tmpm"];
const KNOWN: ReadonlySet<string> = new Set([...FIRST_FIELDS, ...LATER_FIELDS, ...TRANSLATED]);
const OWN: ReadonlySet<string> = new Set(OWN_FIELDS);

const AGENT_OF: ReadonlyMap<unknown, string> = new Map(Object.entries(AGENTS));

/**
 * The record of a document in `encodeRecord`'s form with only fields of ours. Parsing it by the schemas gives an equal one, several times
 * slower. Null means unknown.
 */
export function ownRecord(document: unknown): SessionRecord | null {
  if (!isFields(document) || !isFields(document.tmpm) || !holdsOnly(document, KNOWN) || !holdsOnly(document.tmpm, OWN)) return null;
  const { tmpm, stop_cause, pane_id, tmux_server } = document;
  if (
    !isNone(stop_cause) ||
    !THEIR_FIELDS.every((field) => isNone(document[field])) ||
    (tmpm.pane === null && !(isNone(pane_id) && isNone(tmux_server)))
  )
    return null;
  const record: Record<string, unknown> = { ...BLANK };
  for (const field of OUTSIDE) record[field] = document[field];
  for (const field of OWN_FIELDS) record[field] = tmpm[field];
  record.agent = AGENT_OF.get(document.runtime);
  record.conversation_id = document.claude_session_id;
  return !Object.values(record).includes(undefined) && isCanonicalRecord(record) ? record : null;
}

function holdsOnly(fields: Fields, names: ReadonlySet<string>): boolean {
  for (const name of Object.keys(fields)) if (!names.has(name)) return false;
  return true;
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined;
}
