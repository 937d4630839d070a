import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configPath } from "@tmpm/api/local";
import { hasErrno, PriceTable } from "@tmpm/core";
import shipped from "./prices.json" with { type: "json" };

/** The price table in use, with its source. */
export interface Prices {
  readonly table: PriceTable;
  /** The user's own file; null for the bundled table. */
  readonly path: string | null;
  /** Why the user's own file is not used; null if it is used or does not exist. */
  readonly fault: string | null;
}

/** Read on each use: `prices.json` next to the configuration file replaces the whole bundled table. */
export function pricesOf(env: NodeJS.ProcessEnv): () => Prices {
  const own = join(dirname(configPath(env)), "prices.json");
  const table = PriceTable.parse(shipped);
  return () => {
    try {
      return { table: PriceTable.parse(JSON.parse(readFileSync(own, "utf8"))), path: own, fault: null };
    } catch (error) {
      const isMissing = hasErrno(error, "ENOENT");
      const why = error instanceof Error ? error.message : String(error);
      return { table, path: null, fault: isMissing ? null : `${own} is not a price table: ${why}` };
    }
  };
}
