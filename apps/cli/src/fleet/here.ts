import type { Option } from "../command.js";

/** Verbs that concern this machine only. */
export const HERE: ReadonlySet<string> = new Set([
  ...["completion", "config", "daemon", "doctor", "hook", "import", "mcp", "node", "nodes", "overview", "schema", "top", "web"],
]);

/** The option of every other verb. */
export const ON = { takes: "text", label: "NODE", summary: "Run it on another machine; see `tmpm nodes`" } as const satisfies Option;
