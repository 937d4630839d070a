import { flagOf } from "./flag.js";
import { usageError } from "./usage-error.js";

/** Options and arguments that only some modes of a command take. In any other they would be ignored silently, so they are refused. */
export interface Modes<I> {
  /** The mode of an input, as it reads after "applies to"; null when the command refuses the input itself. */
  of(input: I): string | null;
  /** The modes that take an option or argument, by its key. */
  readonly takenBy: { readonly [K in keyof I]?: readonly string[] };
}

interface Named {
  readonly name: string;
  readonly args: Readonly<Record<string, { readonly label: string }>>;
}

/** @throws INVALID_ARGUMENT */
export function refuseOthers<I extends Readonly<Record<string, unknown>>>(
  { name, args }: Named,
  { input, modes }: { readonly input: I; readonly modes: Modes<I> },
): void {
  const mode = modes.of(input);
  if (mode === null) return;
  const takenBy: Readonly<Record<string, readonly string[] | undefined>> = modes.takenBy;
  for (const [key, taking] of Object.entries(takenBy)) {
    if (taking === undefined || taking.includes(mode) || !isGiven(input[key])) continue;
    throw usageError(`${args[key]?.label ?? flagOf(key)} applies to ${listed(taking)} only`, `See \`tmpm ${name} --help\`.`);
  }
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

function listed(modes: readonly string[]): string {
  return modes.length < 2 ? modes.join("") : `${modes.slice(0, -1).join(", ")} and ${modes.at(-1)}`;
}
