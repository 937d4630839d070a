import type { ThoughtSnapshot } from "../../activity/thought.js";
import type { SessionRecord } from "../../session/record.js";
import type { Document } from "../document.js";
import { only } from "../fields.js";
import { orThrow } from "../reading.js";
import { decodeSession, encodeSession } from "./persisted-session.js";

/** Their display names (swimmers 5); other agents are called by their ids. */
const TOOLS: Readonly<Record<string, string | null>> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini",
  shell: null,
  command: null,
};
const THOUGHT = [
  ...["thought", "thought_state", "thought_source", "rest_state", "commit_candidate", "action_cues", "objective_changed_at"],
  ...["objective_fingerprint", "token_count", "context_limit"],
];

/**
 * A session for `session_registry.json`. An imported one that was not launched here since is written as it was, with later thoughts;
 * swimmers finds all others in their tmux server.
 */
export function encodeRecord(record: SessionRecord, thought: ThoughtSnapshot | null): Document {
  const said = thought === null ? {} : { ...only(thought, THOUGHT), thought_updated_at: thought.updated_at };
  const known = record.launched_at === null ? decodeSession(record.swimmers) : null;
  if (known?.ok === true) return encodeSession(orThrow(decodeSession({ ...encodeSession(known.value), ...said })));
  const { id, tmux_name, state, agent, cwd, pane, last_activity_at, updated_at } = record;
  const runs = state === "active" || state === "provisioning";
  return encodeSession(
    orThrow(
      decodeSession({
        ...{ session_id: id, tmux_name, state: runs ? "idle" : "exited", tool: toolOf(agent), token_count: 0, context_limit: 0, cwd },
        ...(pane === null ? {} : { tmux_target: { type: "socket_path", value: pane.socket } }),
        last_activity_at: last_activity_at ?? updated_at,
        ...said,
      }),
    ),
  );
}

function toolOf(agent: string): string | null {
  const name = TOOLS[agent];
  return name === undefined ? agent : name;
}
