import type { LaunchPlan } from "@tmpm/agents";
import {
  agentEnv,
  agentIdFrom,
  type ControlModel,
  type GrantWish,
  hasCode,
  isTmpmError,
  type PaneInfo,
  parseOverridesPatch,
  type Receipt,
  type SessionGroup,
  type SessionRecord,
  TmpmError,
  tmuxNameFromName,
  uniqueName,
} from "@tmpm/core";
import type { DirectoryFacts, WorkspaceRequest } from "@tmpm/workspace";
import { requireAgentOn } from "../agent-of.js";
import type { Context } from "../context.js";
import { type FirstPrompt, firstPrompt, type Prompting } from "../delivery/first-prompt.js";
import { firstText, withoutBlanks } from "../delivery/first-text.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { narrowed, type Spawned } from "../grants/narrow.js";
import { chooseHost } from "../launch/choose-host.js";
import { confirmLaunch } from "../launch/confirm-launch.js";
import { createdBefore } from "../launch/created-before.js";
import { openTerminal, requireDirectory, workingDirectory } from "../launch/launch.js";
import type { Environment } from "../launch/launch-env.js";
import { type NewSession, reserveHere, reserveInWorkspace, withoutPrompt } from "../launch/reserve-session.js";
import { seedAgent } from "../launch/seed-agent.js";
import { choosingNames, nameTakenInTmux, takenNames } from "../launch/session-names.js";
import { notesFrom } from "../notes-from.js";
import { mergedFor } from "../overrides/session-overrides.js";
import { evictSiblings, type SiblingEviction } from "../owners/evict-siblings.js";
import { reported } from "../reported.js";
import { forgetUnlaunched } from "../workspace/provision-workspace.js";
import { workspaceSource } from "../workspace/workspace-wish.js";

export interface CreateInput {
  /** The new session's id, a fresh version 4 UUID. A repeated request returns the same session; by default one is made. */
  readonly id?: string | undefined;
  /** The agent's id, alias or display name. */
  readonly agent: string;
  /** An absolute directory. */
  readonly cwd: string;
  /** Used as given, or rejected; by default a free name is chosen. */
  readonly name?: string | undefined;
  /** Words for a derived name, such as a branch or the title of an issue. */
  readonly name_hint?: string | undefined;
  readonly project_id?: string | undefined;
  readonly model?: string | undefined;
  readonly model_provider?: string | undefined;
  readonly temperature?: number | undefined;
  readonly reasoning_effort?: string | undefined;
  /** The agent's permission mode, in its own words. */
  readonly permissions?: string | undefined;
  /** The client that it is created for, and the client's mode. */
  readonly owner?: string | undefined;
  readonly mode?: string | undefined;
  /** Stop the idle sessions of the same owner and mode once it runs. */
  readonly evict_siblings?: boolean | undefined;
  readonly argv?: readonly string[] | undefined;
  /** Its host; by default the first available one with terminals. */
  readonly control?: ControlModel | undefined;
  readonly prompt?: string | undefined;
  /** Its purpose, if that is not its first prompt. */
  readonly task?: string | undefined;
  readonly issue_id?: string | undefined;
  readonly issue_url?: string | undefined;
  /** Another unfinished session of the project may work on the same issue. */
  readonly duplicate_issue?: boolean | undefined;
  readonly ephemeral?: boolean | undefined;
  /**
   * A workspace of its own: a clone of this URL or absolute directory, or with `worktree` a work tree of the repository at that directory
   * or at `cwd`.
   */
  readonly repo?: string | undefined;
  readonly worktree?: boolean | undefined;
  /** The workspace's branch: used if it exists, else created. By default one is made for the session. */
  readonly branch?: string | undefined;
  /** The revision that a new branch of the workspace starts from; by default, the directory's HEAD. */
  readonly base?: string | undefined;
  /** Fetch the remote of `base` or `branch` first. */
  readonly fetch?: boolean | undefined;
  /**
   * Consents to the current setup in the repository's project file (true), or skips it (false); by default it runs if the user consented to
   * it before.
   */
  readonly setup?: boolean | undefined;
  /**
   * Trusts the directory: the agent's own questions about that, and those of its first start, are answered beforehand in its user's
   * configuration.
   */
  readonly trust?: boolean | undefined;
  /** The session that requests it with its own token; null or undefined for a user. */
  readonly actor?: string | null | undefined;
  /** The group that it is started in. */
  readonly group?: SessionGroup | undefined;
  /** Its rights over other sessions; by default those of the settings, and for a session's request none. */
  readonly grant?: GrantWish | undefined;
  /**
   * Resolve once the session is recorded and its prompt accepted. The rest continues, and a failure leaves an `errored` session.
   */
  readonly no_wait?: boolean | undefined;
  /** Set only by `narrowed`. */
  readonly spawned?: Spawned | undefined;
  readonly search_path?: string | undefined;
  /** The caller's environment variables for the session (chosen by core's `agentEnv`). */
  readonly env?: Environment | undefined;
}

export interface Created {
  readonly session: SessionFacts;
  /** The outcome of the first prompt; null without one, and with `no_wait`. */
  readonly receipt: Receipt | null;
  /** The id of the first prompt's turn; null without one. */
  readonly turn_id: string | null;
  /** Sessions that were stopped for it. */
  readonly evicted: readonly SessionRecord[];
  /** Notes on the result for the caller. */
  readonly notes: readonly string[];
}

/**
 * Creates a session and launches its agent. On failure nothing is left, or an `errored` record with the reason and the last screen lines.
 * @throws INVALID_ARGUMENT, INVALID_TEXT, AGENT_UNKNOWN, AGENT_NOT_INSTALLED, DIRECTORY_NOT_FOUND, NAME_TAKEN, ISSUE_TAKEN, LAUNCH_FAILED;
 * for a workspace REPOSITORY_NOT_FOUND, BRANCH_IN_USE, TARGET_EXISTS, GIT_FAILED, SETUP_FAILED; HOST_UNAVAILABLE; and errors of host and
 * store
 */
export async function create(ctx: Context, asked: CreateInput): Promise<Created> {
  const { prompt, trimmed } = firstText(asked.prompt);
  const before = asked.id === undefined ? null : await createdBefore(ctx, { id: asked.id, prompted: prompt !== null });
  if (before !== null) return before;
  const { actor = null } = asked;
  const input =
    actor === null
      ? { ...asked, grant: asked.grant ?? ctx.settings.grant ?? undefined, spawned: undefined }
      : await narrowed(ctx, { actor, input: asked, agent: agentIdFrom(asked.agent) });
  const agent = agentIdFrom(input.agent);
  ctx.agent(agent);
  const source = workspaceSource(input);
  const directory = await describe(ctx, source?.kind === "worktree" ? source.directory : input.cwd);
  const { control, note } = await chooseHost(ctx, input.control);
  const adapter = requireAgentOn(ctx, { agent, control });
  const id = input.id ?? ctx.newId();
  const overrides = mergedFor(ctx, { adapter, before: {}, patch: parseOverridesPatch(input) });
  const noted = notesFrom({ task: input.task, issue_id: input.issue_id, issue_url: input.issue_url });
  const turnId = prompt === null ? null : ctx.newId();
  const all: Creation = { input, id, noted, adapter, prompt, directory, overrides, control, source, turnId, trimmed, note };
  return input.no_wait === true ? answeredEarly(ctx, all) : carriedOut(ctx, all);
}

interface Creation extends NewSession {
  /** Called once the session is recorded and its prompt accepted. */
  readonly recorded?: (record: SessionRecord) => void;
  readonly source: WorkspaceRequest["source"] | null;
  /** Blanks around the prompt were removed. */
  readonly trimmed: boolean;
  /** On the choice of the host. */
  readonly note: string | null;
}

/** Resolves with the session once it is recorded; from then on its failure is kept in its record. */
function answeredEarly(ctx: Context, creation: Creation): Promise<Created> {
  const { id, turnId, note } = creation;
  return new Promise((resolve, reject) => {
    const recorded = (record: SessionRecord) => {
      ctx.creating.answered.add(id);
      resolve({ session: factsOf(ctx, record), receipt: null, turn_id: turnId, evicted: [], notes: note === null ? [] : [note] });
    };
    carriedOut(ctx, { ...creation, recorded })
      .then(resolve)
      .catch(async (error: unknown) => {
        if (ctx.creating.answered.has(id) && !(isTmpmError(error) && (await showsFailure(ctx, id))))
          ctx.report({ doing: `creating session ${id}`, error });
        reject(error);
      })
      .finally(() => ctx.creating.answered.delete(id));
  });
}

/** Whether its record shows the failure; false also if it cannot be read. */
async function showsFailure(ctx: Pick<Context, "report" | "store">, id: string): Promise<boolean> {
  const entry = await reported(ctx, { doing: `reading session ${id}`, task: () => ctx.store.get(id) });
  return entry?.kind === "session" && entry.record.state === "errored";
}

async function carriedOut(ctx: Context, creation: Creation): Promise<Created> {
  const { input, id, source, turnId, trimmed, note } = creation;
  const first: { prompting: Prompting | null } = { prompting: null };
  const accept = async (record: SessionRecord, carried: boolean) => {
    first.prompting = await promptFirst(ctx, { creation, record, carried });
    creation.recorded?.(record);
  };
  const launched = await ctx.queue.run(id, async () => {
    try {
      const wanted = { ...creation, accept };
      const reserved = source === null ? await reserveHere(ctx, wanted) : await reserveInWorkspace(ctx, wanted, source);
      const passes = (await first.prompting?.launching(reserved.record)) ?? true;
      return await launch(ctx, { wanted, ...(passes ? reserved : await withoutPrompt(ctx, { wanted, reserved })) });
    } catch (error) {
      if (isTmpmError(error)) first.prompting?.abandon(error);
      throw error;
    }
  });
  const { prompting } = first;
  const isUp = launched.state === "active";
  // Nothing else delays the prompt: a failure from here on leaves a running session.
  if (!isUp) prompting?.ended();
  const prompted = prompting === null || !isUp ? null : await prompting.follow(launched);
  const evicting = input.evict_siblings === true && isUp ? await evictSiblings(ctx, launched) : NONE_EVICTED;
  const receipt = prompted !== null && trimmed ? withoutBlanks(prompted) : prompted;
  const notes = [...hintNotes(input, launched), ...(note === null ? [] : [note]), ...(launched.workspace?.notes ?? []), ...evicting.notes];
  return { session: factsOf(ctx, launched), receipt, turn_id: turnId, evicted: evicting.evicted, notes };
}

interface Prompted extends Pick<FirstPrompt, "record" | "carried"> {
  readonly creation: Creation;
}

/** Null without one. One that cannot be accepted, as with a full disk, ends the create before anything is created. */
async function promptFirst(ctx: Context, { creation, record, carried }: Prompted): Promise<Prompting | null> {
  const { adapter, prompt, turnId } = creation;
  if (prompt === null || turnId === null) return null;
  try {
    return await firstPrompt(ctx, { record, adapter, text: prompt, turnId, carried });
  } catch (error) {
    if (isTmpmError(error)) await forgetUnlaunched(ctx, { record, error });
    throw error;
  }
}

const NONE_EVICTED: SiblingEviction = { evicted: [], notes: [] };

function hintNotes({ name, name_hint }: CreateInput, { name: chosen }: SessionRecord): readonly string[] {
  if (name !== undefined || name_hint === undefined || name_hint === chosen) return [];
  return [`named ${chosen}, after ${JSON.stringify(name_hint)}`];
}

async function launch(ctx: Context, of: { readonly wanted: NewSession; readonly record: SessionRecord; readonly plan: LaunchPlan }) {
  const { wanted, record: reserved, plan } = of;
  const { input, adapter } = wanted;
  const env = agentEnv(adapter.id, input.env ?? {});
  await ctx.launchEnvs.keep(reserved.id, env);
  if (input.trust ?? false) await seedAgent(ctx, { adapter, cwd: workingDirectory(reserved), env });
  await ctx.reached("create.intended");
  const { record, pane } = await open(ctx, { record: reserved, plan, chosen: input.name !== undefined });
  await ctx.reached("create.opened");
  const confirmed = await confirmLaunch(ctx, { record, pane });
  await ctx.reached("create.recorded");
  return confirmed;
}

async function describe(ctx: Pick<Context, "describeDirectory" | "directories">, cwd: string): Promise<DirectoryFacts> {
  if (!cwd.startsWith("/") || cwd.includes("\0"))
    throw new TmpmError("INVALID_ARGUMENT", "the directory must be an absolute path", { details: { field: "cwd" } });
  return requireDirectory(ctx, cwd);
}

const NAME_ATTEMPTS = 5;

/** Opens the terminal. A foreign tmux session may have the name: a chosen name is then rejected, a derived one takes the next suffix. */
async function open(
  ctx: Context,
  launch: { record: SessionRecord; plan: LaunchPlan; chosen: boolean },
): Promise<{ record: SessionRecord; pane: PaneInfo }> {
  let { record } = launch;
  for (let attempt = 1; ; attempt++) {
    try {
      return { record, pane: await openTerminal(ctx, { record, plan: launch.plan }) };
    } catch (error) {
      const again = hasCode(error, "NAME_TAKEN") && !launch.chosen && attempt < NAME_ATTEMPTS;
      if (!again) throw await giveUp(ctx, { record, error });
      record = await rename(ctx, record);
    }
  }
}

function rename(ctx: Pick<Context, "queues" | "store">, record: SessionRecord): Promise<SessionRecord> {
  return choosingNames(ctx, async () => {
    const name = uniqueName(record.name, (await takenNames(ctx)).add(record.name));
    return ctx.store.update(record.id, (current) => ({ ...current, name, tmux_name: tmuxNameFromName(name) }));
  });
}

/** A launch that certainly did not happen leaves nothing; one that may still happen stays `provisioning`, for reconcile to decide. */
async function giveUp(ctx: Context, failed: { record: SessionRecord; error: unknown }): Promise<unknown> {
  const { record, error } = failed;
  if (error instanceof TmpmError && error.effect === "none") {
    await forgetUnlaunched(ctx, { record, error });
    return hasCode(error, "NAME_TAKEN") ? nameTakenInTmux(record) : error;
  }
  return error;
}
