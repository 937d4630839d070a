import { COMMANDS } from "../commands.js";
import { oneLine } from "../render/one-line.js";
import type { Completions } from "./completions.js";
import { cursorOf } from "./cursor.js";
import { type Candidate, liveValues } from "./live-values.js";

export interface CompleteOptions {
  readonly shell: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Characters with no special meaning in any shell. */
const BARE = /^[\w@%+:,./=-]+$/;

/**
 * Candidates for the last word after `tmpm`: one per line with a tab and its description, or `:files` or `:directories` for the shell's own completion.
 * Does not start anything, and prints nothing without candidates.
 */
export async function complete(typed: readonly string[], { shell, env }: CompleteOptions): Promise<readonly string[]> {
  const words = shell === "bash" ? joined(typed) : typed;
  const [verb = "", ...rest] = words;
  if (words.length <= 1) return lines(await verbs(shell), { given: verb, before: "" });
  if (verb === "help") return lines(rest.length === 1 ? await verbs(shell) : [], { given: rest[0] ?? "", before: "" });
  const load = COMMANDS.get(verb);
  if (load === undefined) return [];
  const cursor = cursorOf(await load(), rest);
  if (cursor.kind === "flag")
    return lines(
      cursor.flags.map(({ flag, does }) => ({ value: flag, does })),
      { given: rest.at(-1) ?? "", before: "" },
    );
  const { wanted, others, once } = cursor;
  if (wanted.kind === "files" || wanted.kind === "directories") return [`:${wanted.kind}`];
  const values = await valuesOf(wanted, { verb, others, shell, env });
  const left = values.filter(({ value }) => !(once && others.includes(value)));
  const { given, earlier } = lastOf(cursor.given, wanted);
  const found = lines(left, { given, before: (shell === "bash" ? "" : cursor.before) + earlier });
  // To bash, the text before the colon is a separate word, which is kept.
  const kept = shell === "bash" ? given.lastIndexOf(":") + 1 : 0;
  return found.map((line) => line.slice(kept));
}

/** In a comma-separated list the last item is being typed. */
function lastOf(given: string, wanted: Completions): { readonly given: string; readonly earlier: string } {
  const from = wanted.kind === "words" && wanted.several === true ? given.lastIndexOf(",") + 1 : 0;
  return { given: given.slice(from), earlier: given.slice(0, from) };
}

/** bash splits `--project=api` into three words, and `build1:api`, too. */
function joined(words: readonly string[]): readonly string[] {
  const all: string[] = [];
  for (const word of words) {
    const before = all.at(-1) ?? "";
    const goesOn =
      word === "=" ? /^--[\w-]+$/.test(before) : word === ":" ? /^[a-z0-9-]+$/.test(before) : /^(?:--[\w-]+=|[a-z0-9-]+:)$/.test(before);
    if (goesOn) all[all.length - 1] = before + word;
    else all.push(word);
  }
  return all;
}

interface Asked extends CompleteOptions {
  readonly verb: string;
  /** The arguments before it. */
  readonly others: readonly string[];
}

async function valuesOf(wanted: Completions, { verb, others, shell, env }: Asked): Promise<readonly Candidate[]> {
  switch (wanted.kind) {
    case "words":
      return wanted.words.map((value) => ({ value, does: "" }));
    case "verbs":
      return verbs(shell);
    case "answers":
      return [{ value: "overview", does: "Output of plain `tmpm`" }, ...(await verbs(shell))];
    case "files":
    case "directories":
    case "anything":
      return [];
    default:
      return liveValues(wanted.kind, { verb, others, env });
  }
}

/** bash does not show summaries, and loading them would take longer than everything else. */
async function verbs(shell: string): Promise<readonly Candidate[]> {
  if (shell === "bash") return Array.from(COMMANDS.keys(), (value) => ({ value, does: "" }));
  const commands = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));
  return commands.map(({ name, summary }) => ({ value: name, does: summary }));
}

function lines(
  candidates: readonly Candidate[],
  { given, before }: { readonly given: string; readonly before: string },
): readonly string[] {
  return candidates
    .filter(({ value }) => value.startsWith(given) && BARE.test(value))
    .map(({ value, does }) => `${before}${value}\t${oneLine(does)}`);
}
