import { invalidState, isTerminal, parseText, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { newPlace } from "../launch/new-place.js";
import { projectIdOf } from "../projects/registry.js";
import { type AsSeen, requireRev } from "../require-rev.js";

/** What is set; null or empty takes a value away, and what is not named stays. */
export interface SetInput extends AsSeen {
  readonly session: string;
  readonly task?: string | undefined;
  readonly issue_id?: string | null | undefined;
  readonly issue_url?: string | null | undefined;
  readonly claimed_pr_number?: number | null | undefined;
  readonly claimed_pr_url?: string | null | undefined;
  readonly notify?: "on" | "off" | null | undefined;
  /** The absolute directory that it works in from its next launch on; of a worktree, where its repository is now. */
  readonly cwd?: string | undefined;
  /** Where it moves to: a project's id, or the path of a registered one. */
  readonly project_id?: string | undefined;
}

/** Sets what people and programs note of a session that is not finished. @throws INVALID_ARGUMENT, INVALID_TEXT, INVALID_STATE, PROJECT_NOT_FOUND, DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND, GIT_FAILED, and what the store throws */
export async function set(ctx: Context, input: SetInput): Promise<SessionFacts> {
  const changes = changesOf(input);
  const project = input.project_id === undefined ? null : await projectIdOf(ctx, input.project_id);
  const { cwd } = input;
  const fields = [...Object.keys(changes), ...(cwd === undefined ? [] : ["cwd"]), ...(project === null ? [] : ["project_id"])];
  if (fields.length === 0) throw new TmpmError("INVALID_ARGUMENT", "there is nothing to set");
  const found = await findSession(ctx, input.session);
  const { id } = found;
  const place = cwd === undefined || isTerminal(found) ? {} : await newPlace(ctx, { record: found, cwd });
  const now = timestampFromMs(ctx.clock.now());
  const written = await ctx.store.update(id, (current) => {
    if (isTerminal(current))
      throw invalidState(current, { verb: "set anything of", allowed: ["provisioning", "active", "stopped", "errored"] });
    requireRev(current, input);
    return applied(current, { changes: { ...changes, ...place }, now });
  });
  const record = project === null ? written : await ctx.store.move(id, project);
  ctx.emit({ type: "session_edited", at: now, session_id: id, fields, reason: "asked" });
  return factsOf(ctx, record);
}

type Changes = Partial<Pick<SessionRecord, "task" | "issue_id" | "issue_url" | "claimed_pr_number" | "claimed_pr_url" | "notify">>;

function changesOf({ task, issue_id, issue_url, claimed_pr_number, claimed_pr_url, notify }: SetInput): Changes {
  return {
    ...(task === undefined ? {} : { task: wordsOf(task, { field: "task", most: 65_536 }) ?? "" }),
    ...(issue_id === undefined ? {} : { issue_id: wordsOf(issue_id, { field: "issue_id", most: 200 }) }),
    ...(issue_url === undefined ? {} : { issue_url: urlOf(issue_url, "issue_url") }),
    ...(claimed_pr_number === undefined ? {} : { claimed_pr_number }),
    ...(notify === undefined ? {} : { notify }),
    ...(claimed_pr_url === undefined ? {} : { claimed_pr_url: urlOf(claimed_pr_url, "claimed_pr_url") }),
  };
}

function applied(current: SessionRecord, { changes, now }: { changes: Partial<SessionRecord>; now: string }): SessionRecord {
  return { ...current, ...changes, updated_at: now };
}

function wordsOf(text: string | null, { field, most }: { field: string; most: number }): string | null {
  const words = text === null || text.trim() === "" ? "" : parseText(text).trim();
  if (words.length > most) throw new TmpmError("INVALID_ARGUMENT", `${field} has at most ${most} characters`, { details: { field } });
  return words === "" ? null : words;
}

/** Links are shown to be followed, so they lead nowhere but to the web. */
function urlOf(text: string | null, field: string): string | null {
  const words = wordsOf(text, { field, most: 2_048 });
  if (words === null || (URL.canParse(words) && /^https?:$/.test(new URL(words).protocol))) return words;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(words)} is not a web address`, { details: { field } });
}
