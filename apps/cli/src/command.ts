import type { Completes } from "./completion/completions.js";
import type { Context, View } from "./context.js";
import { bind } from "./parse/bind.js";
import { type Modes, refuseOthers } from "./parse/refuse-others.js";
import type { PrintedBy } from "./printed.js";

/** A positional. `rest` takes everything after `--`, untouched. */
export interface Argument {
  readonly takes: "one" | "optional" | "some" | "any" | "rest";
  readonly label: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** Whether an empty word is valid. If not, it is an error, such as from an unset script variable. */
  readonly mayBeEmpty?: true;
  /** Its values for the shell, unless its name determines them (`completion/completions-of.ts`). */
  readonly completes?: Completes;
}

/** `texts` may be given several times. `count` is a whole number; `seconds` and `number` may have decimals. */
export interface Option {
  readonly takes: "flag" | "text" | "texts" | "count" | "seconds" | "number";
  /** The name of its value in the help; flags have none. */
  readonly label?: string;
  readonly summary: string;
  /** Likewise for an option. */
  readonly mayBeEmpty?: true;
  readonly completes?: Completes;
}

/** Keys are the names in code; `promptFile` is typed as `--prompt-file`. Arguments come in the order of their keys. */
export interface Shape<
  A extends Readonly<Record<string, Argument>> = Readonly<Record<string, Argument>>,
  O extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>,
> {
  readonly name: string;
  readonly summary: string;
  /** Text below the options in the help: prose, and examples, which are lines that begin with two spaces (`helpParts`). */
  readonly more?: string;
  readonly args: A;
  readonly options: O;
}

/** The headings of the help, in order. */
export const GROUPS = [
  "Start and end sessions",
  "Observe",
  "Send prompts and answers",
  "Take over existing sessions",
  "Set up tmpm",
] as const;

/** How a command is listed and documented. */
export interface Listing {
  /** Its heading in the help; null for plain `tmpm`. */
  readonly group: (typeof GROUPS)[number] | null;
  readonly printed?: PrintedBy["printed"];
}

/** A parser's result, before it is validated against the shape. */
export interface RawInput {
  readonly positionals: readonly string[];
  readonly rest: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

type ArgumentValue<A extends Argument> = A extends { takes: "some" | "any" | "rest" }
  ? readonly string[]
  : (A extends { choices: readonly (infer C)[] } ? C : string) | (A extends { takes: "optional" } ? undefined : never);

type OptionValue<O extends Option> = O extends { takes: "flag" }
  ? boolean
  : O extends { takes: "texts" }
    ? readonly string[]
    : (O extends { takes: "text" } ? string : number) | undefined;

export type InputOf<A extends Readonly<Record<string, Argument>>, O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof A]: ArgumentValue<A[K]>;
} & { readonly [K in keyof O]: OptionValue<O[K]> };

interface Behaviour<I, R> {
  /** What only some forms of the command take. Checked before it runs. */
  readonly modes?: readonly Modes<I>[];
  run(input: I, context: Context): Promise<R>;
  /** For people, on standard output; without a final newline, empty to print nothing. */
  render(result: R, view: View): string;
  /** Printed verbatim, without wrapping to the terminal: a screen, a script, a file. */
  verbatim?(result: R): boolean;
  /** The value for `--json`; the result itself by default. */
  json?(result: R): string;
  /** For people, one line each on standard error. */
  notes?(result: R): readonly string[];
  exit?(result: R): number;
}

/** The output of one run; the caller chooses the form. */
export interface Report {
  readonly json: string;
  text(view: View): string;
  readonly verbatim: boolean;
  readonly notes: readonly string[];
  readonly exit: number;
}

/** A command as seen by the parsers and the dispatcher. */
export interface Command extends Shape, Listing {
  execute(raw: RawInput, context: Context): Promise<Report>;
}

/** A command module: data first, then its action and the rendering of its result. */
export function command<const A extends Readonly<Record<string, Argument>>, const O extends Readonly<Record<string, Option>>, R>(
  spec: Shape<A, O> & Listing & Behaviour<InputOf<A, O>, R>,
): typeof spec & Command {
  return {
    ...spec,
    async execute(raw, context) {
      const input = bind(spec, raw);
      for (const modes of spec.modes ?? []) refuseOthers(spec, { input, modes });
      const result = await spec.run(input, context);
      return {
        get json() {
          return spec.json?.(result) ?? JSON.stringify(result);
        },
        text: (view) => spec.render(result, view),
        verbatim: spec.verbatim?.(result) ?? false,
        notes: spec.notes?.(result) ?? [],
        exit: spec.exit?.(result) ?? 0,
      };
    },
  };
}
