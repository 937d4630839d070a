import {
  nameFromDir,
  nameFromTmuxName,
  type PaneIdentity,
  type PaneInfo,
  type ReasonCode,
  SCHEMA_VERSION,
  SessionRecord,
  sourceIdOf,
  TmpmError,
  timestampFromMs,
  uniqueName,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { derivedId } from "../import/derived-id.js";
import { requireDirectory } from "../launch/launch.js";
import { choosingNames, requireFreeName, takenNames } from "../launch/session-names.js";
import { agentOfPane, knownAgent } from "./agent-of-pane.js";
import { terminalKey } from "./terminals.js";

export interface Adoption {
  readonly pane: PaneInfo;
  readonly id: string;
  /** An adapter's id; by default, the program that runs there decides. */
  readonly agent?: string | undefined;
  /** Used as given, or rejected. */
  readonly name?: string | undefined;
  readonly reason: ReasonCode;
}

/** The id of a session in a terminal that tmpm did not open: deterministic for this home, and different for another home. */
export function idOfPane(ctx: Pick<Context, "settings">, identity: PaneIdentity): string {
  return derivedId("tmux")(`${ctx.settings.homeTag ?? ""}:${terminalKey(identity)}`);
}

/**
 * Adopts a terminal without a record: tags it first, so that a crash leaves a tag from which the record is made, and changes nothing else.
 * @throws DIRECTORY_NOT_FOUND, NAME_TAKEN, AGENT_UNKNOWN with nothing done; the errors of `SessionHost.adopt` and the store
 */
export async function adoptPane(ctx: Context, adoption: Adoption): Promise<SessionRecord> {
  const { pane, id, name, reason } = adoption;
  const agent =
    adoption.agent === undefined ? knownAgent(ctx, agentOfPane(pane, await ctx.agentProcesses())) : ctx.agent(adoption.agent).id;
  const cwd = await directoryOf(ctx, pane);
  const directory = await requireDirectory(ctx, cwd);
  if (name !== undefined) await requireFreeName(ctx, name);
  await tag(ctx, { pane, id });
  await ctx.reached("adopt.tagged");
  const record = await choosingNames(ctx, async () => {
    const free = name ?? uniqueName(nameOf(pane, cwd), await takenNames(ctx));
    if (name !== undefined) await requireFreeName(ctx, name);
    return ctx.store.create(newRecord(ctx, { ...adoption, agent, cwd, name: free, git: directory.git }));
  }).catch(async (error: unknown) => {
    await release(ctx, pane);
    throw error;
  });
  await ctx.reached("adopt.recorded");
  const at = record.created_at;
  ctx.emit({ type: "session_created", at, session_id: id, reason, name: record.name, agent: record.agent });
  ctx.emit({ type: "session_adopted", at, session_id: id, reason, name: record.name, tmux_name: record.tmux_name });
  ctx.requests.sweep.notify();
  return record;
}

async function directoryOf(ctx: Pick<Context, "host">, { identity, tmuxName }: PaneInfo): Promise<string> {
  const [path = null] = await ctx.host.directories([identity]);
  if (path !== null) return path;
  throw new TmpmError("DIRECTORY_NOT_FOUND", `the directory of tmux session ${tmuxName} cannot be determined`, {
    details: { tmux_name: tmuxName, pane_id: identity.pane_id },
  });
}

/** A host without adoption only has terminals of ours under our tag. */
async function tag(ctx: Pick<Context, "host">, { pane, id }: Pick<Adoption, "pane" | "id">): Promise<void> {
  if (pane.sessionId === id && ctx.host.at(pane.identity).adopt === undefined) return;
  await ctx.host.adopt(pane.identity, id);
}

/** A tag without a record would look like a lost record. */
async function release(ctx: Pick<Context, "host" | "report">, { identity, tmuxName }: PaneInfo): Promise<void> {
  if (ctx.host.at(identity).release === undefined) return;
  await ctx.host.release(identity).catch((error: unknown) => ctx.report({ doing: `releasing tmux session ${tmuxName}`, error }));
}

const NOT_IN_A_NAME = /[^A-Za-z0-9_-]+/gu;

function nameOf({ tmuxName }: PaneInfo, cwd: string): string {
  const slug = nameFromTmuxName(tmuxName)
    .replace(NOT_IN_A_NAME, "-")
    .replace(/^[-_]+|-+$/g, "")
    .slice(0, 63);
  return slug === "" ? nameFromTmuxName(nameFromDir(cwd)) : slug;
}

interface Adoptee extends Adoption {
  readonly agent: string;
  readonly cwd: string;
  readonly name: string;
  readonly git: { readonly root: string; readonly remote: string | null; readonly branch: string | null } | null;
}

function newRecord(ctx: Pick<Context, "clock" | "host">, { pane, id, agent, name, cwd, git, reason }: Adoptee): SessionRecord {
  const now = timestampFromMs(ctx.clock.now());
  return SessionRecord.parse({
    schema_version: SCHEMA_VERSION,
    id,
    name,
    tmux_name: pane.tmuxName,
    project_path: git?.root ?? null,
    cwd,
    state: "active",
    created_at: now,
    updated_at: now,
    last_seen_at: now,
    agent,
    control: ctx.host.at(pane.identity).control,
    pane: pane.identity,
    pid: pane.pid,
    // A session whose record was lost was ours before.
    adopted: reason === RECORD_LOST ? null : { socket: pane.identity.socket, tmux_name: pane.tmuxName, at: now },
    repo_url: git?.remote ?? null,
    source_id: sourceIdOf(git?.remote ?? null),
    branch: git?.branch ?? null,
  });
}

export const RECORD_LOST = "record_lost";
