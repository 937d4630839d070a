import { opencodeTranscriptKeeper } from "./transcript-keeper.js";
import { opencodeUsageKeeper } from "./usage-keeper.js";

export interface OpencodePlugin {
  /** The program that reports an event, where this process cannot report it itself. */
  readonly command: readonly [string, ...string[]];
  /** The folder of the plugin's transcripts. */
  readonly folder: string;
}

/** Events about the state; the others come by the hundred. */
const EVENTS = [
  "session.created",
  "session.deleted",
  "session.status",
  "session.idle",
  "session.error",
  "permission.asked",
  "permission.replied",
];

/** Maximum length of a prompt in an event, in UTF-16 units, to fit in a report. */
const MAX_REPORTED = 16_384;

/**
 * A plugin that OpenCode loads: it posts events to the daemon, one after another, and records the conversation. It never waits for a
 * response, and reports no failure, since OpenCode would show it to the user.
 */
export function opencodePlugin({ command, folder }: OpencodePlugin): string {
  return `import { spawn } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";

const [program, ...args] = ${JSON.stringify(command)};
const folder = ${JSON.stringify(folder)};
const events = new Set(${JSON.stringify(EVENTS)});
const { TMPM_SESSION_ID: session, TMPM_SESSION_TOKEN: token, TMPM_SOCKET: socket } = process.env;
let last = Promise.resolve();

function report(payload) {
  const body = JSON.stringify({ payload, at_ms: Date.now() });
  last = last.then(() => post(body)).then((taken) => (taken ? undefined : run(JSON.stringify(payload)))).catch(() => undefined);
}

function post(body) {
  if (!session || !token || !socket) return Promise.resolve(false);
  return new Promise((resolve) => {
    const headers = { host: "localhost", authorization: "Bearer " + token, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const asked = request({ socketPath: socket, method: "POST", path: "/v1/sessions/" + session + "/hook", headers }, (answer) => {
      answer.resume();
      for (const end of ["end", "error", "close"]) answer.on(end, () => done(true));
    });
    // A destroyed request may emit no further events, and the queue would wait indefinitely.
    const timer = setTimeout(() => (asked.destroy(), done(false)), 5000);
    const done = (taken) => (clearTimeout(timer), resolve(taken));
    asked.on("error", () => done(false));
    asked.end(body);
  });
}

function run(text) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", resolve);
    child.on("close", resolve);
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
  });
}
${opencodeTranscriptKeeper()}${opencodeUsageKeeper()}
export const Tmpm = async () => ({
  event: async ({ event }) => {
    quietly(() => hear(event));
    if (events.has(event.type)) report({ type: event.type, properties: event.properties });
  },
  "chat.message": async (input, output) => {
    quietly(() => prompted(input, output));
    report({ type: "chat.message", properties: { sessionID: input.sessionID, prompt: ownText(output)?.slice(0, ${MAX_REPORTED}) } });
  },
  "chat.params": async (input) => quietly(() => (limited(input), measured(input))),
  "tool.execute.before": async ({ tool, sessionID }) => report({ type: "tool.execute.before", properties: { sessionID, tool } }),
  "tool.execute.after": async ({ tool, sessionID }) => report({ type: "tool.execute.after", properties: { sessionID, tool } }),
});
`;
}
