import type { SessionList } from "@tmpm/api";
import { oneLine } from "./one-line.js";

/** Each change by tmpm that another program overwrote, in a line. */
export function overwrittenLines({ conflicts = [] }: SessionList["store"]): readonly string[] {
  return conflicts.map(({ id, path }) => `another program overwrote a change to ${oneLine(id)}; both are in ${oneLine(path)}`);
}
