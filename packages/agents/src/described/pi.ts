import { agentFromConfig } from "../configured/agent-from-config.js";

/** Loaded by pi for one session: reports events one after another, without waiting. */
const EXTENSION = `import { spawn } from "node:child_process";

const [program, ...args] = {command_json};
let last = Promise.resolve();

function report(event, ctx) {
  const text = JSON.stringify({ event, session: ctx.sessionManager.getSessionId() });
  last = last.then(() => run(text));
}

function run(text) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => resolve());
    child.on("close", () => resolve());
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
  });
}

export default function (pi) {
  pi.on("session_start", (_, ctx) => report("session_start", ctx));
  pi.on("agent_start", (_, ctx) => report("agent_start", ctx));
  pi.on("agent_end", ({ messages }, ctx) => report(messages.at(-1)?.stopReason === "error" ? "agent_failed" : "agent_end", ctx));
}
`;

/** pi, described from the screens of version 0.73.1. It uses its tools without asking. */
export const pi = agentFromConfig({
  id: "pi",
  title: "pi",
  install: "npm install -g @mariozechner/pi-coding-agent",
  verified: ["0.73.1"],
  argv: ["pi"],
  asks_first: false,
  model_flag: "--model",
  provider_flag: "--provider",
  effort_flag: "--thinking",
  resume: ["--session", "{id}"],
  mention: "@{path}",
  interrupt: ["Escape"],
  input: { above: "^─{3}", first: "^(.*)$", more: "^(.*)$", below: "^─{3}", footer: "\\d%/\\S+ " },
  text: { commands: ["^[/!]", "^(?:exit|quit)$"], guard: "\\", list_end: "(?:^|\\s)[@/]\\S*$", trims: "both" },
  placeholder: "\\[paste #\\d+ [^\\]]*\\]",
  states: { working: ["^ [\\u2800-\\u28ff] \\S.*\\.\\.\\."], errored: ["^ Error: "] },
  transcript: {
    path: "~/.pi/agent/sessions/*/*_{id}.jsonl",
    prompt: [{ when: { "message.role": "user" }, text: "message.content[type=text].text" }],
    message: [{ when: { "message.role": "assistant" }, text: "message.content[type=text].text" }],
    model: "message.model",
    tokens: "message.usage.totalTokens",
  },
  hooks: {
    files: { "tmpm.ts": EXTENSION },
    argv: ["--extension", "{folder}/tmpm.ts"],
    event: "event",
    conversation: "session",
    events: {
      session_start: { binds: true },
      agent_start: { state: "working", prompted: true, binds: true },
      agent_end: { state: "idle" },
      agent_failed: { state: "errored" },
    },
  },
});
