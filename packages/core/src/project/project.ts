import * as z from "zod";
import { Slug } from "../id/ids.js";
import { Timestamp } from "../time/timestamp.js";
import { Budget } from "../usage/budget.js";
import { BudgetReported } from "../usage/usage-record.js";
import { isWithin } from "./scope.js";

/** A directory whose sessions belong together. Sessions created in it or below it carry its id. */
export const Project = z.looseObject({
  id: Slug,
  /** Absolute, without symbolic links. */
  path: z.string(),
  /** Display name; initially the directory's name. */
  name: z.string(),
  registered_at: Timestamp,
  /** Budget of all its sessions together. */
  budget: Budget.nullable().default(null),
  /** Reported percentage of each bound. */
  told_budget: z.array(BudgetReported).default([]),
});
export type Project = z.infer<typeof Project>;

/** The project of a directory: the innermost one around it; null when there is none. */
export function projectOf(directory: string, projects: readonly Project[]): Project | null {
  const around = projects.filter(({ path }) => isWithin(directory, path));
  return around.reduce<Project | null>((inner, project) => (inner === null || isWithin(project.path, inner.path) ? project : inner), null);
}
