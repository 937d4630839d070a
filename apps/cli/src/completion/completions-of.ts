import type { Argument, Option, Shape } from "../command.js";
import { HOSTS } from "../input/host-argument.js";
import { WAIT_STATES } from "../input/wait-states.js";
import { EVENT_TYPES } from "../render/event.js";
import type { Completions } from "./completions.js";

/** A position: the command, the key of its argument or option, and the words before it. */
export interface Place {
  readonly shape: Shape;
  readonly key: string;
  readonly positionals: readonly string[];
}

const ANYTHING: Completions = { kind: "anything" };
const words = (...all: readonly string[]): Completions => ({ kind: "words", words: all });

/** By option key, for every option that does not state its values. */
const OF_OPTION: Readonly<Record<string, Completions>> = {
  agent: { kind: "agents" },
  attach: { kind: "files" },
  cwd: { kind: "directories" },
  effort: words("low", "medium", "high"),
  export: words("trusty-mpm", "ao-rs", "swimmers"),
  file: { kind: "files" },
  for: { kind: "words", words: WAIT_STATES, several: true },
  from: words("trusty-mpm", "ao-rs", "swimmers", "zeroclaw"),
  host: words(...HOSTS.keys()),
  out: { kind: "directories" },
  node: { kind: "nodes" },
  on: { kind: "nodes" },
  notify: words("on", "off", "usual"),
  owner: { kind: "owners" },
  profile: { kind: "profiles" },
  project: { kind: "projects" },
  promptFile: { kind: "files" },
  repo: { kind: "directories" },
  scope: words("observer", "operator", "admin"),
  socket: { kind: "files" },
  tlsCert: { kind: "files" },
  tlsKey: { kind: "files" },
  type: { kind: "words", words: EVENT_TYPES, several: true },
};

/** By an argument's name in the help. */
const OF_ARGUMENT: Readonly<Record<string, Completions>> = {
  SESSION: { kind: "sessions" },
  TURN: { kind: "turns" },
  GROUP: { kind: "groups" },
  KEY: { kind: "settings" },
  PATH: { kind: "files" },
  COMMAND: { kind: "files" },
  VERB: { kind: "answers" },
  "DIR|URL": { kind: "directories" },
};

export function completionsByOption(place: Place): Completions {
  const option = place.shape.options[place.key];
  if (option === undefined) return ANYTHING;
  return stated(option, place) ?? (takesText(option) ? (OF_OPTION[place.key] ?? ANYTHING) : ANYTHING);
}

export function completionsByArgument(place: Place & { readonly argument: Argument }): Completions {
  const { label, choices } = place.argument;
  return choices === undefined ? (stated(place.argument, place) ?? OF_ARGUMENT[label] ?? ANYTHING) : words(...choices);
}

/** `import --from` names a program, `turns --from` a number. */
function takesText({ takes }: Option): boolean {
  return takes === "text" || takes === "texts";
}

function stated({ completes }: Argument | Option, { positionals }: Place): Completions | undefined {
  return typeof completes === "function" ? completes(positionals) : completes;
}
