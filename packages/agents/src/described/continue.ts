import { agentFromConfig } from "../configured/agent-from-config.js";

/** Continue CLI, described from the screens of version 1.5.47. It cannot resume a conversation by its id. */
export const continueCli = agentFromConfig({
  id: "continue",
  title: "Continue CLI",
  install: "npm install -g @continuedev/cli",
  verified: ["1.5.47"],
  argv: ["cn"],
  asks_first: true,
  mention: "@{path}",
  interrupt: ["Escape"],
  approve: ["Tab"],
  deny: ["Escape"],
  rows: 22,
  input: { above: "^╭─+╮$", first: "^│ ● (.*?) *│$", more: "^│ {3}(.*?) *│$", below: "^╰─+╯$", suggestion: ["grey"] },
  text: { commands: ["^[/!]", "^(?:exit|quit)$"], guard: "\\", list_end: "(?:^|\\s)[@/]\\S*$", trims: "both" },
  placeholder: "\\[Paste #\\d+, [^\\]]*\\]",
  subject: "^│ {2}⎿ Will run: (.*?) *│$",
  states: {
    blocked: ["^Enter your Anthropic API key:"],
    awaiting_approval: ["^│ {2}Would you like to continue\\?"],
    working: ["^ \\S+ +\\( \\d.*esc to interrupt \\)$"],
    errored: ["^Error: "],
  },
});
