import { agentFromConfig } from "../configured/agent-from-config.js";

/** GitHub Copilot CLI, described from the screens of version 1.0.102. */
export const copilot = agentFromConfig({
  id: "copilot",
  title: "GitHub Copilot CLI",
  install: "npm install -g @github/copilot",
  verified: ["1.0.102"],
  argv: ["copilot"],
  asks_first: true,
  env: { COPILOT_AUTO_UPDATE: "false" },
  protocol: ["copilot", "--acp"],
  prompt_flag: "--interactive=",
  model_flag: "--model",
  effort_flag: "--reasoning-effort",
  // The same option begins a conversation under an id and resumes one.
  begin: ["--session-id={id}"],
  resume: ["--session-id={id}"],
  mention: "@{path}",
  interrupt: ["Escape", "Escape"],
  rows: 20,
  input: {
    above: "^─{10,}",
    first: "^❯(?: (.*))?$",
    more: "^(?: {2}(.*))?$",
    below: "^─{10,}",
    footer: "^ (?:.* · )?(?:Interactive|Plan|Autopilot) ·|^ \\S (?:Loading|Working|Thinking|Cancelling)\\b",
  },
  text: { commands: ["^[/!]", "^(?:exit|quit)$"], guard: "\\", list_end: "(?:^|\\s)[@#/]\\S*$", trims: "both" },
  placeholder: "\\[Paste #\\d+ - [^\\]]*\\]",
  states: {
    blocked: ["^│ Do you trust the files in this folder\\?"],
    working: ["^ \\S (?:Working|Thinking|Cancelling)\\b"],
    errored: ["^ ✗ "],
  },
  transcript: {
    path: "~/.copilot/session-state/{id}/events.jsonl",
    prompt: [{ when: { type: "user.message" }, text: "data.content" }],
    message: [{ when: { type: "assistant.message" }, text: "data.content" }],
    model: "data.model",
  },
});
