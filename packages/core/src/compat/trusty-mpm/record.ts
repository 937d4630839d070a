import { SessionRecord } from "../../session/record.js";
import { fieldsOf, nonEmpty, only, present, without } from "../fields.js";
import { nameFromForeign } from "../foreign-name.js";
import { invalidField, type Reading, read } from "../reading.js";
import type { Document, TrustyMpmOptions } from "../trusty-mpm.js";
import { ownRecord } from "./own-record.js";
import { paneFromForeign, paneToForeign } from "./pane.js";
import {
  AGENTS,
  CLASHING_FIELDS,
  FIRST_FIELDS,
  LATER_FIELDS,
  OWN_FIELDS,
  RESERVED_FIELDS,
  RecordDocument,
  type RuntimeKind,
  THEIR_FIELDS,
} from "./record-document.js";

export function decodeRecord(document: unknown, options: TrustyMpmOptions): Reading<SessionRecord> {
  const record = ownRecord(document);
  return record === null ? readRecord(document, options) : { ok: true, value: record };
}

/** Fields of theirs whose names our record uses otherwise stay in `trusty_mpm`, fields of a newer tmpm in `tmpm`. */
export function readRecord(document: unknown, { socket }: Pick<TrustyMpmOptions, "socket">): Reading<SessionRecord> {
  const reading = read(RecordDocument, document);
  if (!reading.ok) return reading;
  const { runtime, claude_session_id, stop_cause, pane_id = null, tmux_server = null, tmpm: own, ...fields } = reading.value;
  const pane = own.pane ?? paneFromForeign({ pane_id, tmux_server }, socket);
  return read(SessionRecord, {
    ...without(fields, [...CLASHING_FIELDS, ...THEIR_FIELDS]),
    ...present(only(fields, THEIR_FIELDS)),
    ...(pane === null ? present({ pane_id, tmux_server }) : {}),
    ...only(own, OWN_FIELDS),
    name: own.name ?? nameFromForeign(fields.tmux_name),
    updated_at: own.updated_at ?? fields.last_activity_at ?? fields.created_at,
    agent: AGENTS[runtime],
    conversation_id: claude_session_id,
    stop_cause: own.stop_cause ?? snakeCase(stop_cause),
    pane,
    ...nonEmpty("trusty_mpm", { ...only(fields, CLASHING_FIELDS), ...present({ stop_cause }) }),
    ...nonEmpty("tmpm", without(own, OWN_FIELDS)),
  });
}

export function encodeRecord(record: SessionRecord, { release = "0.8.0", socket }: TrustyMpmOptions): Document {
  if (release === "0.8.0" && record.state === "deleted") throw invalidField("state", "trusty-mpm 0.8.0 does not know the state deleted");
  const { agent, conversation_id, pane, pane_id = null, tmux_server = null, trusty_mpm, tmpm, ...fields } = record;
  const { stop_cause = null, ...clashing } = fieldsOf(trusty_mpm);
  return {
    ...only(fields, FIRST_FIELDS),
    runtime: runtimeOf(agent),
    ...only({ ...Object.fromEntries(THEIR_FIELDS.map((field) => [field, null])), ...fields }, LATER_FIELDS),
    claude_session_id: conversation_id,
    ...(pane === null ? { pane_id, tmux_server } : paneToForeign(pane, socket)),
    stop_cause: snakeCase(stop_cause) === record.stop_cause ? stop_cause : null,
    ...without(fields, RESERVED_FIELDS),
    ...only(clashing, CLASHING_FIELDS),
    tmpm: { ...fieldsOf(tmpm), ...only(record, OWN_FIELDS) },
  };
}

function runtimeOf(agent: string): RuntimeKind {
  if (agent === AGENTS["claude-code"]) return "claude-code";
  if (agent === AGENTS.tcode) return "tcode";
  throw invalidField("agent", `trusty-mpm runs claude and tcode only, not ${agent}`);
}

/** `ResumeFlapping` is `resume_flapping`; a value other than text is null. */
function snakeCase(text: unknown): string | null {
  if (typeof text !== "string") return null;
  return text.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
