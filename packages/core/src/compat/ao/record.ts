import * as z from "zod";
import { normalizeUuid } from "../../id/uuid.js";
import { tmuxNameFromName } from "../../session/names.js";
import { SessionRecord } from "../../session/record.js";
import { msFromTimestamp, timestampFromMs } from "../../time/time.js";
import type { Document } from "../document.js";
import { type Fields, fieldsOf, nonEmpty, only, present, without } from "../fields.js";
import { directoryFromForeign, nameFromForeign, projectFromForeign } from "../foreign-name.js";
import { invalidField, orThrow, type Reading, read } from "../reading.js";
import { withoutAlias } from "./agent-config.js";
import { configFromAo, permissionsWritten } from "./permissions.js";
import { AoSession, encodeSession } from "./session.js";
import { stateOf, statusOf, stillHolds } from "./state.js";

/** Fields with the same meaning on both sides. */
const SAME = ["task", "workspace_path", "cost", "issue_id", "issue_url", "claimed_pr_number", "claimed_pr_url"];
/** Likewise, except for ids that are invalid here; those stay on the record in `ao`. */
const RENAMED = ["id", "project_id", "spawned_by"];
/** Fields that the document determines, possibly with another value. */
const SAID = [...SAME.filter((field) => field !== "workspace_path"), ...RENAMED, "branch"];
const own = Object.fromEntries(Object.entries(SessionRecord.shape).filter(([field]) => !SAID.includes(field)));
const OWN_FIELDS: readonly string[] = Object.keys(own);
const RecordDocument = AoSession.extend({ tmpm: z.looseObject(own).partial().default({}) });
const Ending = AoSession.pick({ status: true, activity: true });

const AGENTS: Readonly<Record<string, string>> = { "claude-code": "claude", codex: "codex", cursor: "cursor", aider: "aider" };

/** Fields of ours under `tmpm` take precedence: ao-rs drops them whenever it changes the document. */
export function decodeRecord(document: unknown, idOf: (foreignId: string) => string): Reading<SessionRecord> {
  const reading = read(RecordDocument, withoutAlias(document));
  if (!reading.ok) return reading;
  const { tmpm, ...session } = reading.value;
  const idFrom = (id: string) => normalizeUuid(id) ?? idOf(`${session.project_id}/${id}`);
  const name = nameFromForeign(session.runtime_handle ?? shortId(session.id));
  const created_at = timestampFromMs(session.created_at);
  return read(SessionRecord, {
    ...stateOf(session),
    name,
    tmux_name: session.runtime_handle ?? tmuxNameFromName(name),
    cwd: directoryFromForeign(session.workspace_path),
    created_at,
    updated_at: created_at,
    agent: agentFrom(session.agent),
    agent_config: present(configFromAo(agentFrom(session.agent), fieldsOf(session.agent_config))),
    ...only(session, SAME),
    ...only(tmpm, OWN_FIELDS),
    id: idFrom(session.id),
    project_id: projectFromForeign(session.project_id),
    branch: session.branch === "" ? null : session.branch,
    spawned_by: session.spawned_by === null ? null : idFrom(session.spawned_by),
    ao: {
      ...without(session, [...SAID.filter((field) => !RENAMED.includes(field)), "agent_config", "created_at"]),
      ...nonEmpty("agent_config", only(fieldsOf(session.agent_config), ["permissions"])),
    },
    ...nonEmpty("tmpm", without(tmpm, OWN_FIELDS)),
  });
}

export function encodeRecord(record: SessionRecord): Document {
  const known = fieldsOf(record.ao);
  const session = read(AoSession, {
    ...only(record, RENAMED),
    ...known,
    ...only(record, SAME),
    ...endingOf(record, known),
    agent: agentOf(record, known.agent),
    agent_config: configOf(record, known.agent_config),
    branch: record.branch ?? "",
    workspace_path: record.workspace_owned || known.workspace_path === record.workspace_path ? record.workspace_path : null,
    created_at: Math.floor(msFromTimestamp(record.created_at)),
  });
  return { ...encodeSession(orThrow(session)), tmpm: { ...fieldsOf(record.tmpm), ...only(record, OWN_FIELDS) } };
}

/** Their state is written back while it still holds; our terminals are not theirs. */
function endingOf(record: SessionRecord, known: Fields): Fields {
  const ending = Ending.safeParse(known);
  if (ending.success && stillHolds(record, ending.data)) return {};
  return { ...statusOf(record), runtime_handle: null };
}

function agentFrom(theirs: string): string {
  return AGENTS[theirs] ?? theirs;
}

function agentOf({ agent }: SessionRecord, known: unknown): string {
  if (typeof known === "string" && agentFrom(known) === agent) return known;
  const theirs = Object.keys(AGENTS).find((name) => AGENTS[name] === agent);
  if (theirs !== undefined) return theirs;
  throw invalidField("agent", `ao-rs runs claude, codex, cursor and aider only, not ${agent}`);
}

/** A session without permissions uses the agent's default, not the widest that ao-rs grants. */
function configOf({ agent, agent_config, overrides }: SessionRecord, known: unknown): Fields | null {
  const { permissions = overrides.permissions, ...config } = without(agent_config, ["argv", "search_path"]);
  if (Object.keys(config).length === 0 && permissions === undefined && known === undefined) return null;
  return { permissions: permissionsWritten({ agent, ours: permissions, known }), ...config };
}

function shortId(id: string): string {
  return normalizeUuid(id)?.slice(0, 8) ?? id;
}
