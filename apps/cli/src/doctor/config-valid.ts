import { isTmpmError } from "@tmpm/core";
import { openConfig } from "../config/open-config.js";
import { fail, type LocalFinding, ok, type Place } from "./local-finding.js";

const NAME = "config";

/** Whether the configuration file is readable and every line is valid. */
export async function configValid({ env }: Pick<Place, "env">): Promise<readonly LocalFinding[]> {
  try {
    const { path, text, mistakes } = await openConfig(env);
    const { mistakeLine } = await import("../config-library.js");
    const [first, ...more] = mistakes.map((mistake) => mistakeLine(path, mistake));
    if (first === undefined) return [ok(NAME, text === null ? `${path} (does not exist; defaults apply)` : path)];
    return [fail(NAME, { message: first, hint: [...more, "Fix it with `tmpm config edit`."].join(" ") })];
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return [fail(NAME, { message: error.message, hint: error.hint })];
  }
}
