import { normalizeUuid } from "../../id/uuid.js";
import { nameFromDir, nameFromTmuxName, tmuxNameFromName } from "../../session/names.js";
import { SessionRecord } from "../../session/record.js";
import { without } from "../fields.js";
import { directoryFromForeign } from "../foreign-name.js";
import { orThrow, read } from "../reading.js";
import type { ZeroclawSession } from "./session.js";

/** Their sessions have no name and no terminal; a configuration's alias maps to the agent of the same name. */
export function recordOf(session: ZeroclawSession, idOf: (foreignId: string) => string): SessionRecord {
  const { session_uuid, agent_alias, workspace_dir, killed_at, created_at, last_activity } = session;
  const name = nameFromTmuxName(nameFromDir(agent_alias));
  return orThrow(
    read(SessionRecord, {
      id: normalizeUuid(session_uuid) ?? idOf(session_uuid),
      name,
      tmux_name: tmuxNameFromName(name),
      cwd: directoryFromForeign(workspace_dir),
      state: killed_at === null ? "stopped" : "decommissioned",
      stop_cause: "deliberate",
      terminal_at: killed_at,
      created_at,
      updated_at: last_activity,
      last_activity_at: last_activity,
      agent: slugOf(agent_alias),
      mode: "acp",
      zeroclaw: without(session, ["messages"]),
    }),
  );
}

/** Aliases are keys of a configuration, most of which are slugs already. */
function slugOf(alias: string): string {
  const slug = alias
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+/, "");
  return slug.slice(0, 63).replace(/-+$/, "") || "shell";
}
