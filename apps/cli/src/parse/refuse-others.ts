import { flagOf } from "./flag.js";
import { usageError } from "./usage-error.js";

export interface Chosen {
  readonly command: string;
  readonly action: string;
  /** For each option by its key, the actions that take it. */
  readonly takenBy: Readonly<Record<string, readonly string[]>>;
}

type Values = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Refuses options that the action does not take: ignored, they would be lost silently. @throws INVALID_ARGUMENT */
export function refuseOthers(values: Values, { command, action, takenBy }: Chosen): void {
  for (const [key, actions] of Object.entries(takenBy)) {
    const value = values[key];
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
    if (isGiven && !actions.includes(action))
      throw usageError(`${flagOf(key)} applies to ${listed(actions)} only`, `See \`tmpm ${command} --help\`.`);
  }
}

function listed(actions: readonly string[]): string {
  return actions.length < 2 ? actions.join("") : `${actions.slice(0, -1).join(", ")} and ${actions.at(-1)}`;
}
