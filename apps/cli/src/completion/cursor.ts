import type { Shape } from "../command.js";
import { HERE, ON } from "../fleet/here.js";
import { flagOf } from "../parse/flag.js";
import type { Completions } from "./completions.js";
import { completionsByArgument, completionsByOption } from "./completions-of.js";

/** The kind of the last word of a command line. */
export type Cursor =
  | { readonly kind: "flag"; readonly flags: readonly { readonly flag: string; readonly does: string }[] }
  /** `given`: its text so far; `before`: what the shell counts as part of the word; `others`: the arguments before it. */
  | {
      readonly kind: "value";
      readonly wanted: Completions;
      readonly given: string;
      readonly before: string;
      readonly others: readonly string[];
      /** An argument; values already present are not offered again. */
      readonly once: boolean;
    };

/** Reads the words after the verb; the last one is being typed. */
export function cursorOf(command: Shape, words: readonly string[]): Cursor {
  const shape: Shape = HERE.has(command.name) ? command : { ...command, options: { ...command.options, on: ON } };
  const keys = new Map(Object.keys(shape.options).map((key) => [flagOf(key), key]));
  const last = words.at(-1) ?? "";
  const positionals: string[] = [];
  const flags = new Set<string>();
  let open: string | null = null;
  for (const [index, word] of words.slice(0, -1).entries()) {
    if (word === "--") return behindDashes(shape, { positionals: [...positionals, ...words.slice(index + 1, -1)], given: last });
    if (open !== null) open = null;
    else if (word.startsWith("--")) {
      const [flag = "", value] = word.split("=", 2);
      flags.add(flag);
      const takes = shape.options[keys.get(flag) ?? ""]?.takes ?? "flag";
      open = takes === "flag" || value !== undefined ? null : flag;
    } else positionals.push(word);
  }
  const option = (flag: string, typed: { readonly given: string; readonly before: string }): Cursor => {
    const wanted = completionsByOption({ shape, key: keys.get(flag) ?? "", positionals });
    return { kind: "value", wanted, ...typed, others: positionals, once: false };
  };
  if (open !== null) return option(open, { given: last, before: "" });
  const [, flag = "", value] = /^(--[^=]*)=(.*)$/s.exec(last) ?? [];
  if (value !== undefined) return option(flag, { given: value, before: `${flag}=` });
  if (last.startsWith("-")) return { kind: "flag", flags: flagsOf(shape, flags) };
  return argumentAt(shape, { positionals, given: last });
}

interface Typed {
  readonly positionals: readonly string[];
  readonly given: string;
}

function argumentAt(shape: Shape, { positionals, given }: Typed): Cursor {
  const args = Object.entries(shape.args).filter(([, { takes }]) => takes !== "rest");
  const [key, argument] = args[positionals.length] ?? args.findLast(([, { takes }]) => takes === "some" || takes === "any") ?? [];
  const wanted: Completions =
    key === undefined || argument === undefined
      ? { kind: "words", words: [] }
      : completionsByArgument({ shape, key, argument, positionals });
  return { kind: "value", wanted, given, before: "", others: positionals, once: shape.name !== "keys" };
}

/** A program of the user's own, or words that are not options. */
function behindDashes(shape: Shape, typed: Typed): Cursor {
  const [key, argument] = Object.entries(shape.args).find(([, { takes }]) => takes === "rest") ?? [];
  if (key === undefined || argument === undefined) return argumentAt(shape, typed);
  const wanted = completionsByArgument({ shape, key, argument, positionals: typed.positionals });
  return { kind: "value", wanted, given: typed.given, before: "", others: typed.positionals, once: false };
}

function flagsOf(shape: Shape, used: ReadonlySet<string>) {
  const own = Object.entries(shape.options).flatMap(([key, { takes, summary }]) => {
    const flag = flagOf(key);
    return used.has(flag) && takes !== "texts" ? [] : [{ flag, does: summary }];
  });
  const always = [
    { flag: "--json", does: "Print the daemon's response as JSON" },
    { flag: "--help", does: "Print the help of this command" },
  ];
  return [...own, ...always.filter(({ flag }) => !used.has(flag))];
}
