import { type Budget, type BudgetScope, type BudgetUse, budgetUses, type EventBody, type Project, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { allRecords, ancestorsOf, withDescendants } from "../grants/family.js";
import { registeredProjects } from "../projects/registry.js";

/** The fields of an existing or new session that determine its budgets. */
export type BudgetSubject = Pick<SessionRecord, "id" | "name" | "project_id" | "spawned_by" | "lineage" | "budget" | "lineage_budget">;

export interface ApplicableBudget {
  readonly scope: BudgetScope;
  /** The session or the project that it was set for. */
  readonly id: string;
  readonly name: string;
  readonly uses: readonly BudgetUse[];
}

/** The budgets of sessions. Other sessions' usage is at most a second old. */
export interface Budgets {
  /** Its own budget first, then those of its ancestors, then that of its project. */
  of(session: BudgetSubject): Promise<readonly ApplicableBudget[]>;
  /** All budgets; with a project, those of its sessions and its own. */
  all(project: string | undefined): Promise<readonly ApplicableBudget[]>;
  hear(event: Pick<EventBody, "type">): void;
  /** Another budget was set for a project. */
  changed(): void;
}

interface Known {
  readonly atMs: number;
  readonly records: readonly SessionRecord[];
  /** Whether any of them has a lineage budget. */
  readonly lineages: boolean;
  readonly projects: readonly Project[];
}

const FRESH_MS = 1_000;
const CHANGING: readonly string[] = ["session_created", "session_edited", "session_removed", "session_deleted"];

export function budgets(context: () => Context): Budgets {
  let known: Known | null = null;

  async function look(): Promise<Known> {
    const ctx = context();
    const atMs = ctx.clock.now();
    if (known !== null && Math.abs(atMs - known.atMs) < FRESH_MS) return known;
    const records = await allRecords(ctx);
    const lineages = records.some(({ lineage_budget }) => lineage_budget !== null);
    const seen = { atMs, records, lineages, projects: await registeredProjects(ctx) };
    known = seen;
    return seen;
  }

  function uses(budget: Budget, members: Iterable<string>): readonly BudgetUse[] {
    const { usage } = context();
    return budgetUses(
      budget,
      [...members].flatMap((id) => usage.registry.get(id) ?? []),
    );
  }

  function ofSession({ id, name, budget }: BudgetSubject): readonly ApplicableBudget[] {
    return budget === null ? [] : [{ scope: "session", id, name, uses: uses(budget, [id]) }];
  }

  function ofLineage(
    { id, name, lineage_budget: budget }: Pick<BudgetSubject, "id" | "name" | "lineage_budget">,
    { records }: Known,
  ): readonly ApplicableBudget[] {
    return budget === null ? [] : [{ scope: "lineage", id, name, uses: uses(budget, withDescendants(records, id)) }];
  }

  function ofProject({ id, budget }: Project, { records }: Known): readonly ApplicableBudget[] {
    if (budget === null) return [];
    const members = records.flatMap((record) => (record.project_id === id ? [record.id] : []));
    return [{ scope: "project", id, name: id, uses: uses(budget, members) }];
  }

  return {
    async of(session) {
      await context().usage.loaded();
      const seen = await look();
      const lineage = [session, ...(seen.lineages ? ancestorsOf(seen.records, session) : [])];
      const projects = seen.projects.filter(({ id }) => id === session.project_id);
      return [
        ...ofSession(session),
        ...lineage.flatMap((each) => ofLineage(each, seen)),
        ...projects.flatMap((each) => ofProject(each, seen)),
      ];
    },
    async all(project) {
      await context().usage.loaded();
      const seen = await look();
      const records = seen.records.filter(({ project_id }) => project === undefined || project_id === project);
      const projects = seen.projects.filter(({ id }) => project === undefined || id === project);
      return [
        ...projects.flatMap((each) => ofProject(each, seen)),
        ...records.flatMap((each) => [...ofLineage(each, seen), ...ofSession(each)]),
      ];
    },
    hear({ type }) {
      if (CHANGING.includes(type)) known = null;
    },
    changed() {
      known = null;
    },
  };
}
