import { type Budget, type BudgetScope, type BudgetUse, budgetUses, type EventBody, type Project, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { allRecords, ancestorsOf, withDescendants } from "../grants/family.js";
import { registeredProjects } from "../projects/registry.js";

/** A session, or one that is about to be made, as far as budgets bound it. */
export type Bounded = Pick<SessionRecord, "id" | "name" | "project_id" | "spawned_by" | "lineage" | "budget" | "lineage_budget">;

/** A budget that bounds a session. */
export interface Bounding {
  readonly scope: BudgetScope;
  /** The session or the project that it was set for. */
  readonly id: string;
  readonly name: string;
  readonly uses: readonly BudgetUse[];
}

/** What bounds sessions. What it knows of others is at most a second old. */
export interface Budgets {
  /** Its own budget first, then those of the sessions that it descends from, then that of its project. */
  of(session: Bounded): Promise<readonly Bounding[]>;
  hear(event: Pick<EventBody, "type">): void;
  /** Another budget was set for a project. */
  changed(): void;
}

interface Known {
  readonly atMs: number;
  readonly records: readonly SessionRecord[];
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
    const seen = { atMs, records: await allRecords(ctx), projects: await registeredProjects(ctx) };
    known = seen;
    return seen;
  }

  return {
    async of(session) {
      const ctx = context();
      await ctx.usageLoaded();
      const { records, projects } = await look();
      const uses = (budget: Budget, members: Iterable<string>) =>
        budgetUses(
          budget,
          [...members].flatMap((id) => ctx.usage.get(id) ?? []),
        );
      const own = session.budget === null ? [] : [bounding("session", { ...session, uses: uses(session.budget, [session.id]) })];
      const lineages = [session, ...ancestorsOf(records, session)].flatMap(({ id, name, lineage_budget: budget }) =>
        budget === null ? [] : [bounding("lineage", { id, name, uses: uses(budget, withDescendants(records, id)) })],
      );
      const ofProject = projects.flatMap(({ id, budget }) => {
        if (id !== session.project_id || budget === null) return [];
        const members = records.flatMap((record) => (record.project_id === id ? [record.id] : []));
        return [bounding("project", { id, name: id, uses: uses(budget, members) })];
      });
      return [...own, ...lineages, ...ofProject];
    },
    hear({ type }) {
      if (CHANGING.includes(type)) known = null;
    },
    changed() {
      known = null;
    },
  };
}

function bounding(scope: BudgetScope, { id, name, uses }: Omit<Bounding, "scope">): Bounding {
  return { scope, id, name, uses };
}
