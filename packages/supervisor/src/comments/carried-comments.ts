import type { SendEntry } from "@tmpm/core";

/** The ids of the comments that a send carries; none once it is refused. */
export function carriedBy({ comments = [], receipt }: SendEntry): readonly string[] {
  return receipt?.outcome === "refused" ? [] : comments;
}
