/** Every verb under what it is for, in the order of the help. */
export const COMMAND_GROUPS = {
  "Begin and end sessions": ["new", "stop", "resume", "restart", "rm", "undo", "archive", "reactivate", "rename", "set"],
  "See what goes on": ["ls", "top", "next", "show", "why", "capture", "attach", "events", "counts"],
  "Give work, and answer": [
    ...["send", "wait", "turns", "queue", "cancel", "approve", "deny", "answer"],
    ...["interrupt", "pause", "keys", "uploads"],
  ],
  "Take over what runs already": ["discover", "adopt", "reconcile", "import"],
  "Set tmpm up": ["agents", "projects", "trust", "config", "notify", "doctor", "daemon", "token", "completion", "schema", "hook"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The heading of a verb's group. */
export function groupOf(verb: string): string {
  const found = Object.entries(COMMAND_GROUPS).find(([, verbs]) => (verbs as readonly string[]).includes(verb));
  if (found === undefined) throw new TypeError(`${verb} is in no group`);
  return found[0];
}
