import { agentFromConfig } from "../configured/agent-from-config.js";

/** Qwen Code, described from the screens of version 0.24.4. */
export const qwen = agentFromConfig({
  id: "qwen",
  title: "Qwen Code",
  install: "npm install -g @qwen-code/qwen-code",
  verified: ["0.24.4"],
  argv: ["qwen"],
  protocol: ["qwen", "--acp"],
  prompt_flag: "--prompt-interactive=",
  model_flag: "--model",
  permissions_flag: "--approval-mode",
  begin: ["--session-id", "{id}"],
  resume: ["--resume", "{id}"],
  mention: "@{path}",
  interrupt: ["Escape"],
  rows: 30,
  input: { above: "^─{10,}$", first: "^[>*](?: (.*))?$", more: "^(?: {2}(.*))?$", below: "^─{10,}$", suggestion: ["grey"] },
  text: { commands: ["^[/!?]", "^(?:exit|quit)$"], guard: "\\", list_end: "(?:(?:^|\\s)@\\S*|\\\\)$", trims: "both" },
  placeholder: "\\[Pasted Content \\d+ chars\\]",
  states: {
    blocked: ["Do you trust (?:the files in )?this folder\\?", "^ *(?:│ )? *Select Authentication Method"],
    awaiting_approval: ["^ *(?:│ )? *(?:Allow execution|Do you want to proceed|Apply this change)"],
    working: ["\\(.*esc to cancel\\)$"],
    errored: ["^ {2}✕ "],
  },
  title_states: { working: ["^[◐◓◑◒]"] },
  transcript: {
    path: "~/.qwen/projects/*/chats/{id}.jsonl",
    prompt: [{ when: { type: "user", provenance: "real_user" }, text: "message.parts[].text" }],
    message: [{ when: { type: "assistant" }, text: "message.parts[].text" }],
    model: "model",
    tokens: "usageMetadata.totalTokenCount",
  },
});
