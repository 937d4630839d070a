import { NODE_LABEL_PATTERN, TmpmError } from "@tmpm/core";
import type { RawInput, Shape } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { HERE } from "./here.js";

/** A command line with its target machine; null for this one. */
export interface Placed {
  readonly node: string | null;
  readonly raw: RawInput;
}

/** Whether it can target another machine; all others are returned unchanged. */
export function namesNode(shape: Shape, { positionals, values }: RawInput): boolean {
  if (HERE.has(shape.name)) {
    if (values.on !== undefined)
      throw usageError(
        `${shape.name} does not accept --on`,
        shape.options.node === undefined ? "It concerns this machine only." : "Give --node NODE.",
      );
    return false;
  }
  return values.on !== undefined || positionals.some((word) => word.includes(":"));
}

/** One command line per machine of its sessions, in the order of their first mention. @throws INVALID_ARGUMENT */
export function placesOf(shape: Shape, raw: RawInput): readonly Placed[] {
  const on = typeof raw.values.on === "string" ? raw.values.on : null;
  const { on: _, ...values } = raw.values;
  const named = addresses(shape, raw.positionals);
  if (on !== null && named.some(({ node }) => node !== null && node !== on))
    throw usageError("--on and the session's address name different nodes", "Give one of them.");
  const found = named.map((word) => ({ ...word, node: placeNamed(word.node ?? on) }));
  const nodes = [...new Set(found.flatMap(({ node, session }) => (session ? [node] : [])))];
  const [only = placeNamed(on)] = nodes;
  if (nodes.length <= 1) return [{ node: only, raw: { ...raw, values, positionals: found.map(({ word }) => word) } }];
  return nodes.map((node) => ({
    node,
    raw: { ...raw, values, positionals: found.filter((each) => !each.session || each.node === node).map(({ word }) => word) },
  }));
}

function placeNamed(node: string | null): string | null {
  return node === "local" ? null : node;
}

interface Word {
  readonly word: string;
  readonly session: boolean;
  /** As it is written in front of the session; null without one. */
  readonly node: string | null;
}

/** Each positional without its node, and whether it is a session. */
function addresses({ args, name }: Shape, positionals: readonly string[]): readonly Word[] {
  const labels = Object.values(args);
  return positionals.map((word, index) => {
    const argument = labels[Math.min(index, labels.length - 1)];
    const many = argument?.takes === "some";
    const isSession = argument?.label === "SESSION" && (index < labels.length || many);
    // `wait api idle`: the last word may be a state, and applies to every machine.
    const state = name === "wait" && index > 0 && index === positionals.length - 1 && (word === "idle" || word === "exited");
    return { session: isSession && !state, ...(isSession && !state ? addressed(word) : { word, node: null }) };
  });
}

function addressed(word: string): Pick<Word, "word" | "node"> {
  const end = word.indexOf(":");
  const node = word.slice(0, Math.max(end, 0));
  return NODE_LABEL_PATTERN.test(node) && end < word.length - 1 ? { word: word.slice(end + 1), node } : { word, node: null };
}

export function refuseActing(env: Readonly<Record<string, string | undefined>>): void {
  if (env.TMPM_AS_SESSION === "1")
    throw new TmpmError("GRANT_REFUSED", "a session cannot reach other nodes with its own rights", {
      hint: "Unset TMPM_AS_SESSION to act as the user.",
    });
  if (env.TMPM_URL)
    throw new TmpmError("INVALID_ARGUMENT", "other nodes are reached through this machine's daemon, but TMPM_URL names another one", {
      hint: "Unset TMPM_URL.",
    });
}
