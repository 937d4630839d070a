import type { Argument, Option, Shape } from "../command.js";
import { WAIT_STATES } from "../input/wait-states.js";
import { EVENT_TYPES } from "../render/event.js";

/** Values known only to the daemon or the configuration. */
export type LiveKind =
  | "sessions"
  | "agents"
  | "projects"
  | "owners"
  | "turns"
  | "groups"
  | "waiting_turns"
  | "sends"
  | "uploads"
  | "decisions"
  | "choices"
  | "discovered"
  | "tokens"
  | "devices"
  | "nodes"
  | "profiles"
  | "settings"
  | "set_settings"
  | "setting_values";

/** What is valid at a position of a command line. */
export type Wanted =
  /** `several`: comma-separated. */
  | { readonly kind: "words"; readonly words: readonly string[]; readonly several?: true }
  | { readonly kind: LiveKind | "verbs" | "answers" }
  | { readonly kind: "files" | "directories" }
  | { readonly kind: "anything" };

/** A position: the command, the key of its argument or option, and the words before it. */
export interface Place {
  readonly shape: Shape;
  readonly key: string;
  readonly positionals: readonly string[];
}

const ANYTHING: Wanted = { kind: "anything" };
const NOTHING: Wanted = { kind: "words", words: [] };
const words = (...all: readonly string[]): Wanted => ({ kind: "words", words: all });

const KEYS = "Enter Escape Tab BTab Space BSpace Up Down Left Right Home End PageUp PageDown Delete C-c C-d C-l C-z".split(" ");

/** By option key, for every command not listed below. */
const OF_OPTION: Readonly<Record<string, Wanted>> = {
  agent: { kind: "agents" },
  attach: { kind: "files" },
  cwd: { kind: "directories" },
  effort: words("low", "medium", "high"),
  export: words("trusty-mpm", "ao-rs", "swimmers"),
  file: { kind: "files" },
  for: { kind: "words", words: WAIT_STATES, several: true },
  from: words("trusty-mpm", "ao-rs", "swimmers", "zeroclaw"),
  host: words("tmux", "pty", "sdk"),
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
const OF_ARGUMENT: Readonly<Record<string, Wanted>> = {
  SESSION: { kind: "sessions" },
  TURN: { kind: "turns" },
  GROUP: { kind: "groups" },
  KEY: { kind: "settings" },
  PATH: { kind: "files" },
  COMMAND: { kind: "files" },
  VERB: { kind: "answers" },
  "DIR|URL": { kind: "directories" },
};

/** Exceptions to its name, and values that depend on the words before. */
const OF_PLACE: Readonly<Record<string, Wanted | ((positionals: readonly string[]) => Wanted)>> = {
  "adopt as": { kind: "sessions" },
  "adopt target": { kind: "discovered" },
  "agents agent": ([action]) => (action === undefined || action === "ls" ? NOTHING : { kind: "agents" }),
  "answer choice": { kind: "choices" },
  "answer id": { kind: "decisions" },
  "approve id": { kind: "decisions" },
  "deny id": { kind: "decisions" },
  "config key": ([action]) =>
    action === "unset" ? { kind: "set_settings" } : action === "get" || action === "set" ? { kind: "settings" } : NOTHING,
  "config value": ([action]) => (action === "set" ? { kind: "setting_values" } : NOTHING),
  "diff turn": { kind: "turns" },
  "fan agents": { kind: "agents" },
  "finish how": words("merge", "squash", "rebase", "pr", "keep"),
  "pr from": ANYTHING,
  "pick how": words("merge", "squash", "rebase", "pr", "keep"),
  "pick rest": words("remove", "stop", "keep"),
  "keys keys": words(...KEYS),
  "nodes node": ([action]) => (["rm", "show", "set", "doctor"].includes(action ?? "") ? { kind: "nodes" } : NOTHING),
  "projects target": ([action]) =>
    action === "add" ? { kind: "directories" } : action === "rm" || action === "set" ? { kind: "projects" } : NOTHING,
  "queue rest": ([, action]) => (action === "remove" || action === "move" ? { kind: "waiting_turns" } : ANYTHING),
  "queue after": { kind: "waiting_turns" },
  "queue before": { kind: "waiting_turns" },
  "send cancel": { kind: "sends" },
  "send receipt": { kind: "sends" },
  "token token": ([action]) => (action === "rotate" || action === "revoke" ? { kind: "tokens" } : NOTHING),
  "web device": ([action, part]) => (action === "devices" && part === "revoke" ? { kind: "devices" } : NOTHING),
  "uploads rm": { kind: "uploads" },
};

export function wantedByOption(place: Place): Wanted {
  const option = place.shape.options[place.key];
  if (option === undefined) return ANYTHING;
  return ofPlace(place) ?? (takesText(option) ? (OF_OPTION[place.key] ?? ANYTHING) : ANYTHING);
}

export function wantedByArgument(place: Place & { readonly argument: Argument }): Wanted {
  const { label, choices } = place.argument;
  return choices === undefined ? (ofPlace(place) ?? OF_ARGUMENT[label] ?? ANYTHING) : words(...choices);
}

/** `import --from` names a program, `turns --from` a number. */
function takesText({ takes }: Option): boolean {
  return takes === "text" || takes === "texts";
}

function ofPlace({ shape, key, positionals }: Place): Wanted | undefined {
  const wanted = OF_PLACE[`${shape.name} ${key}`];
  return typeof wanted === "function" ? wanted(positionals) : wanted;
}
