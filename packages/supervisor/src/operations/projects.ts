import {
  type BudgetWish,
  changedBudget,
  isTerminal,
  nameFromDir,
  nameFromTmuxName,
  type Project,
  parseSlug,
  TmpmError,
  timestampFromMs,
  uniqueName,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { requireDirectory } from "../launch/launch.js";
import { findProject, registeredProjects } from "../projects/registry.js";

export interface ProjectFacts {
  readonly project: Project;
  /** Its unfinished sessions. */
  readonly sessions: number;
  readonly active: number;
  /** Those that wait for a user. */
  readonly waiting: number;
}

/** The registered projects with their current sessions, by path. */
export async function projects(ctx: Context): Promise<readonly ProjectFacts[]> {
  const entries = await ctx.store.list();
  const sessions = entries.flatMap((entry) => (entry.kind === "session" && !isTerminal(entry.record) ? [factsOf(ctx, entry.record)] : []));
  return (await registeredProjects(ctx)).map((project) => factsOfProject(project, sessions));
}

export interface ProjectInput {
  /** An absolute directory. */
  readonly path: string;
  /** Used as given, or rejected; by default derived from the directory's name. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Registers a directory; a registered one keeps its id, and gets a new name and date. @throws DIRECTORY_NOT_FOUND, NAME_TAKEN,
 * INVALID_ARGUMENT
 */
export async function addProject(ctx: Context, input: ProjectInput): Promise<ProjectFacts> {
  const { realPath: path } = await requireDirectory(ctx, input.path);
  return ctx.queues.naming.run("projects", async () => {
    const known = await registeredProjects(ctx);
    const before = known.find((project) => project.path === path);
    const taken = new Map(known.filter((project) => project !== before).map((project) => [project.id, project]));
    const id = before !== undefined && input.id === undefined ? before.id : chooseId(input, { path, taken });
    const name = input.name ?? before?.name ?? (path.split("/").at(-1) || "project");
    const project: Project = { budget: null, told_budget: [], ...before, id, path, name, registered_at: timestampFromMs(ctx.clock.now()) };
    await ctx.projectStore.put(path, project);
    return (await projects(ctx)).find((facts) => facts.project.path === path) ?? factsOfProject(project, []);
  });
}

export interface SetProjectInput {
  /** Its id, or its exact path. */
  readonly project: string;
  /** Budget of all its sessions together. */
  readonly budget?: BudgetWish | undefined;
}

/** Changes a project's notes and settings. @throws PROJECT_NOT_FOUND, INVALID_ARGUMENT */
export async function setProject(ctx: Context, { project: named, budget }: SetProjectInput): Promise<ProjectFacts> {
  if (budget === undefined) throw new TmpmError("INVALID_ARGUMENT", "there is nothing to set");
  return ctx.queues.naming.run("projects", async () => {
    const before = await findProject(ctx, named);
    const project = { ...before, budget: changedBudget(before.budget, budget) };
    await ctx.projectStore.put(project.path, project);
    ctx.usage.budgets.changed();
    return (await projects(ctx)).find((facts) => facts.project.path === project.path) ?? factsOfProject(project, []);
  });
}

/** Unregisters a project; its directory and its sessions stay as they are. @throws PROJECT_NOT_FOUND */
export async function removeProject(ctx: Context, input: { readonly project: string }): Promise<ProjectFacts> {
  return ctx.queues.naming.run("projects", async () => {
    const project = await findProject(ctx, input.project);
    const facts = (await projects(ctx)).find((each) => each.project.path === project.path);
    await ctx.projectStore.delete(project.path);
    ctx.usage.budgets.changed();
    return facts ?? factsOfProject(project, []);
  });
}

function chooseId(input: ProjectInput, { path, taken }: { path: string; taken: ReadonlyMap<string, Project> }): string {
  if (input.id === undefined) return uniqueName(nameFromTmuxName(nameFromDir(path)), new Set(taken.keys()));
  const id = parseSlug(input.id);
  const owner = taken.get(id);
  if (owner === undefined) return id;
  throw new TmpmError("NAME_TAKEN", `project ${id} already exists, at ${owner.path}`, {
    hint: "Choose another id.",
    details: { id, path: owner.path },
  });
}

const WAITING = ["awaiting_approval", "awaiting_input", "blocked"];

function factsOfProject(project: Project, all: readonly SessionFacts[]): ProjectFacts {
  const own = all.filter(({ record }) => record.project_id === project.id);
  const active = own.filter(({ record }) => record.state === "active");
  return {
    project,
    sessions: own.length,
    active: active.length,
    waiting: active.filter(({ activity }) => WAITING.includes(activity.state)).length,
  };
}
