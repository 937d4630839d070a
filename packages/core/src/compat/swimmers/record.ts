import { tmuxNameFromName } from "../../session/names.js";
import { SessionRecord } from "../../session/record.js";
import { directoryFromForeign, nameFromForeign } from "../foreign-name.js";
import { orThrow, read } from "../reading.js";
import { encodeSession, type PersistedSession } from "./persisted-session.js";

/** Their display names (swimmers 5) of agents with another id here; the others are the same in lower case. */
const AGENTS: Readonly<Record<string, string>> = { "Claude Code": "claude" };

/**
 * The last activity is the only time written. Ids restart in a new data folder, so ours derives from theirs, the tmux name and the server.
 */
export function recordOf(session: PersistedSession, idOf: (foreignId: string) => string): SessionRecord {
  const { session_id, tmux_name, tmux_target, state, tool, batch, cwd, last_activity_at } = session;
  const name = nameFromForeign(tmux_name);
  return orThrow(
    read(SessionRecord, {
      id: idOf(JSON.stringify([session_id, tmux_name, tmux_target.type, "value" in tmux_target ? tmux_target.value : null])),
      name,
      tmux_name: tmux_name === "" ? tmuxNameFromName(name) : tmux_name,
      cwd: directoryFromForeign(cwd),
      task: batch?.prompt_excerpt ?? "",
      state: state === "exited" ? "stopped" : "active",
      stop_cause: state === "exited" ? "unexpected" : null,
      created_at: last_activity_at,
      updated_at: last_activity_at,
      last_activity_at,
      agent: tool === null ? "shell" : (AGENTS[tool] ?? tool.toLowerCase().replace(/[^a-z0-9_-]+/g, "-")),
      swimmers: encodeSession(session),
    }),
  );
}
