import {
  type BudgetWish,
  changedBudget,
  correlated,
  type GrantWish,
  grantOf,
  invalidState,
  isTerminal,
  type SessionRecord,
  TmpmError,
  timestampFromMs,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { requireWithinAncestors } from "../grants/held-grant.js";
import { newPlace } from "../launch/new-place.js";
import { requireFreeIssue } from "../launch/require-free-issue.js";
import { choosingNames } from "../launch/session-names.js";
import { type NotesInput, notesFrom } from "../notes-from.js";
import { projectIdOf } from "../projects/registry.js";
import { type AsSeen, requireRev } from "../require-rev.js";

export interface SetInput extends NotesInput, AsSeen {
  readonly session: string;
  /** Another unfinished session of the project may work on the same issue. */
  readonly duplicate_issue?: boolean | undefined;
  /** Its budget; omitted bounds stay. */
  readonly budget?: BudgetWish | undefined;
  /** The budget of it and its descendants; likewise. */
  readonly lineage_budget?: BudgetWish | undefined;
  /** Its rights over other sessions. */
  readonly grant?: GrantWish | undefined;
  /** The absolute directory to work in from its next launch on; for a worktree, its repository's new place. */
  readonly cwd?: string | undefined;
  /** Its new project: an id, or the path of a registered one. */
  readonly project_id?: string | undefined;
}

/**
 * Sets notes and metadata of an unfinished session. @throws INVALID_ARGUMENT, INVALID_TEXT, INVALID_STATE, ISSUE_TAKEN, PROJECT_NOT_FOUND, RIGHTS_EXCEEDED,
 * DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND, GIT_FAILED, and errors of the store
 */
export async function set(ctx: Context, input: SetInput): Promise<SessionFacts> {
  const changes = { ...notesFrom(input), ...(input.grant === undefined ? {} : { grant: grantOf(input.grant) }) };
  const project = input.project_id === undefined ? null : await projectIdOf(ctx, input.project_id);
  const { cwd } = input;
  const fields = [
    ...Object.keys(changes),
    ...(cwd === undefined ? [] : ["cwd"]),
    ...(project === null ? [] : ["project_id"]),
    ...(["budget", "lineage_budget"] as const).filter((field) => input[field] !== undefined),
  ];
  if (fields.length === 0) throw new TmpmError("INVALID_ARGUMENT", "there is nothing to set");
  const found = await findSession(ctx, input.session);
  const { id } = found;
  if (changes.grant !== undefined && !isTerminal(found)) await requireWithinAncestors(ctx, { record: found, grant: changes.grant });
  const place = cwd === undefined || isTerminal(found) ? {} : await newPlace(ctx, { record: found, cwd });
  const now = timestampFromMs(ctx.clock.now());
  const write = async () => {
    const written = await ctx.store.update(id, (current) => {
      if (isTerminal(current)) throw invalidState(current, { verb: "change", allowed: ["provisioning", "active", "stopped", "errored"] });
      requireRev(current, input);
      return applied(current, { changes: { ...changes, ...place, ...budgetsOf(current, input) }, now });
    });
    return project === null ? written : ctx.store.move(id, project);
  };
  const issue = changes.issue_id === undefined && project !== null ? found.issue_id : changes.issue_id;
  const record = await (isTerminal(found) || issue === undefined || issue === null
    ? write()
    : choosingNames(ctx, async () => {
        const shared = input.duplicate_issue ?? false;
        await requireFreeIssue(ctx, { project: project ?? found.project_id, issue, shared, session: found });
        return write();
      }));
  ctx.emit({ type: "session_edited", at: now, session_id: id, fields, reason: "asked" });
  return factsOf(ctx, record);
}

function budgetsOf(current: SessionRecord, { budget, lineage_budget }: SetInput): Partial<SessionRecord> {
  return {
    ...(budget === undefined ? {} : { budget: changedBudget(current.budget, budget) }),
    ...(lineage_budget === undefined ? {} : { lineage_budget: changedBudget(current.lineage_budget, lineage_budget) }),
  };
}

function applied(current: SessionRecord, { changes, now }: { changes: Partial<SessionRecord>; now: string }): SessionRecord {
  return { ...current, ...changes, correlation: correlated(current.correlation, changes), updated_at: now };
}
