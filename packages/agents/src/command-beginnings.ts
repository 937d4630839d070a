import type { AgentText } from "./agent-text.js";

/** An agent with commands of its own, of which it is not known what keeps a text from being one. */
export function commandBeginnings(commands: readonly string[], alters: AgentText["alters"] = () => null): AgentText {
  return { commands, asText: () => null, alters };
}
