import { TmpmError } from "@tmpm/core";

/** @throws INVALID_ARGUMENT unless it is a number of rows */
export function requireHistory(rows: number): void {
  if (Number.isInteger(rows) && rows >= 0) return;
  throw new TmpmError("INVALID_ARGUMENT", `${rows} is not a number of rows`, { details: { field: "history" } });
}
