/** Every verb by purpose, in help order. */
export const COMMAND_GROUPS = {
  "Start and end sessions": [
    "new",
    "stop",
    "resume",
    "restart",
    "rm",
    "finish",
    "pr",
    "setup",
    "fan",
    "group",
    "pick",
    "undo",
    "archive",
    "reactivate",
    "rename",
    "set",
  ],
  Observe: ["ls", "top", "next", "inbox", "show", "why", "capture", "diff", "comment", "attach", "events", "counts", "usage"],
  "Send prompts and answers": [
    ...["send", "wait", "turns", "queue", "cancel", "approve", "deny", "answer"],
    ...["ask", "report", "interrupt", "pause", "keys", "uploads"],
  ],
  "Take over existing sessions": ["discover", "adopt", "reconcile", "import"],
  "Set up tmpm": [
    "agents",
    "projects",
    "trust",
    "config",
    "notify",
    "doctor",
    "daemon",
    "nodes",
    "token",
    "web",
    "completion",
    "schema",
    "hook",
    "mcp",
    "node",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The heading of a verb's group. */
export function groupOf(verb: string): string {
  const found = Object.entries(COMMAND_GROUPS).find(([, verbs]) => (verbs as readonly string[]).includes(verb));
  if (found === undefined) throw new TypeError(`${verb} is not in a group`);
  return found[0];
}
