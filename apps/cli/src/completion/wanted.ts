import type { Argument, Shape } from "../command.js";

/** What can stand at a place of a command line. */
export type Wanted =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "sessions" | "agents" | "projects" | "verbs" }
  | { readonly kind: "files" | "directories" }
  | { readonly kind: "anything" };

const ANYTHING: Wanted = { kind: "anything" };
const words = (...all: readonly string[]): Wanted => ({ kind: "words", words: all });

const STATES = ["idle", "working", "awaiting_approval", "awaiting_input", "blocked", "errored", "starting", "exited"];

/** By the key of an option, which means the same for every command. */
const OF_OPTION: Readonly<Record<string, Wanted>> = {
  agent: { kind: "agents" },
  project: { kind: "projects" },
  host: words("tmux", "pty", "sdk"),
  for: words(...STATES),
  scope: words("observer", "operator", "admin"),
  from: words("trusty-mpm", "ao-rs", "swimmers"),
  export: words("trusty-mpm", "ao-rs"),
  notify: words("on", "off"),
  cwd: { kind: "directories" },
  repo: { kind: "directories" },
  file: { kind: "files" },
  promptFile: { kind: "files" },
  attach: { kind: "files" },
  tlsCert: { kind: "files" },
  tlsKey: { kind: "files" },
};

/** By what an argument is called in the help. */
const OF_ARGUMENT: Readonly<Record<string, Wanted>> = {
  SESSION: { kind: "sessions" },
  VERB: { kind: "verbs" },
  PATH: { kind: "files" },
  COMMAND: { kind: "files" },
  "DIR|ID": { kind: "directories" },
  "DIR|URL": { kind: "directories" },
};

export function wantedByOption(shape: Shape, key: string): Wanted {
  // `import --from` names a program, `turns --from` a number.
  return shape.options[key]?.takes === "text" || shape.options[key]?.takes === "texts" ? (OF_OPTION[key] ?? ANYTHING) : ANYTHING;
}

export function wantedByArgument({ label, choices }: Argument): Wanted {
  return choices === undefined ? (OF_ARGUMENT[label] ?? ANYTHING) : words(...choices);
}
