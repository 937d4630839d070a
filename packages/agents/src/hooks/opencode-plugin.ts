/** Events that say something of the state; the others come by the hundred. */
const EVENTS = [
  "session.created",
  "session.updated",
  "session.deleted",
  "session.status",
  "session.idle",
  "session.error",
  "permission.asked",
  "permission.replied",
];

/**
 * A plugin that OpenCode loads: it hands events, one after the other, to the program that reports them. Nothing of it waits for an answer, and
 * nothing that fails is told, for OpenCode would show it to the user.
 */
export function opencodePlugin(command: readonly [string, ...string[]]): string {
  return `import { spawn } from "node:child_process";

const [program, ...args] = ${JSON.stringify(command)};
const events = new Set(${JSON.stringify(EVENTS)});
let last = Promise.resolve();

function report(payload) {
  last = last.then(
    () =>
      new Promise((resolve) => {
        const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
        child.on("error", resolve);
        child.on("close", resolve);
        child.stdin.on("error", () => undefined);
        child.stdin.end(JSON.stringify(payload));
      }),
  );
}

export const Tmpm = async () => ({
  event: async ({ event }) => {
    if (events.has(event.type)) report({ type: event.type, properties: event.properties });
  },
  "chat.message": async ({ sessionID }) => report({ type: "chat.message", properties: { sessionID } }),
  "tool.execute.before": async ({ tool, sessionID }) => report({ type: "tool.execute.before", properties: { sessionID, tool } }),
  "tool.execute.after": async ({ tool, sessionID }) => report({ type: "tool.execute.after", properties: { sessionID, tool } }),
});
`;
}
