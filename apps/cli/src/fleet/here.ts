import type { Option } from "../command.js";

/** Verbs that are about this machine alone. */
export const HERE: ReadonlySet<string> = new Set([
  ...["completion", "config", "daemon", "doctor", "hook", "import", "mcp", "node", "nodes", "overview", "schema", "top", "web"],
]);

/** What every other verb takes. */
export const ON = { takes: "text", label: "NODE", summary: "Run it on another machine; see `tmpm nodes`" } as const satisfies Option;
