import type { Shape } from "../command.js";
import { flagOf } from "../flag.js";
import { type Wanted, wantedByArgument, wantedByOption } from "./wanted.js";

/** What the last word of a command line is about to be. */
export type Cursor =
  | { readonly kind: "flag"; readonly flags: readonly { readonly flag: string; readonly does: string }[] }
  /** `given`: what was typed of it; `before`: what the shell takes for a part of the word. */
  | {
      readonly kind: "value";
      readonly wanted: Wanted;
      readonly given: string;
      readonly before: string;
      readonly others: readonly string[];
    };

/** Reads the words behind the verb; the last one is being typed. */
export function cursorOf(shape: Shape, words: readonly string[]): Cursor {
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
  if (open !== null) return { kind: "value", wanted: wantedByOption(shape, keys.get(open) ?? ""), given: last, before: "", others: [] };
  const [, flag = "", value] = /^(--[^=]*)=(.*)$/s.exec(last) ?? [];
  if (value !== undefined)
    return { kind: "value", wanted: wantedByOption(shape, keys.get(flag) ?? ""), given: value, before: `${flag}=`, others: [] };
  if (last.startsWith("-")) return { kind: "flag", flags: flagsOf(shape, flags) };
  return argumentAt(shape, { positionals, given: last });
}

interface Typed {
  readonly positionals: readonly string[];
  readonly given: string;
}

function argumentAt(shape: Shape, { positionals, given }: Typed): Cursor {
  const args = Object.values(shape.args).filter(({ takes }) => takes !== "rest");
  const at = args[positionals.length] ?? args.findLast(({ takes }) => takes === "some" || takes === "any");
  const wanted: Wanted = at === undefined ? { kind: "words", words: [] } : wantedByArgument(at);
  return { kind: "value", wanted, given, before: "", others: positionals };
}

/** A program of the user's own, or words that are no options. */
function behindDashes(shape: Shape, typed: Typed): Cursor {
  const rest = Object.values(shape.args).find(({ takes }) => takes === "rest");
  return rest === undefined
    ? argumentAt(shape, typed)
    : { kind: "value", wanted: wantedByArgument(rest), given: typed.given, before: "", others: [] };
}

function flagsOf(shape: Shape, used: ReadonlySet<string>) {
  const own = Object.entries(shape.options).flatMap(([key, { takes, summary }]) => {
    const flag = flagOf(key);
    return used.has(flag) && takes !== "texts" ? [] : [{ flag, does: summary }];
  });
  const always = [
    { flag: "--json", does: "Print the daemon's answer as JSON" },
    { flag: "--help", does: "Print the help of this command" },
  ];
  return [...own, ...always.filter(({ flag }) => !used.has(flag))];
}
