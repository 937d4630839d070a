import { type Project, parseSlug, projectOf, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

/** The registered projects, by path. */
export async function registeredProjects(ctx: Pick<Context, "projectStore" | "report">): Promise<readonly Project[]> {
  const { documents, damaged } = await ctx.projectStore.all();
  for (const { path, reason } of damaged) ctx.report({ doing: `reading the project at ${path}`, error: new Error(reason) });
  return [...documents.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The id of the registered project around a directory; null without one. */
export async function projectIdAt(ctx: Pick<Context, "projectStore" | "report">, directory: string): Promise<string | null> {
  return projectOf(directory, await registeredProjects(ctx))?.id ?? null;
}

/** The registered project with an id or an exact path. @throws PROJECT_NOT_FOUND */
export async function findProject(ctx: Pick<Context, "projectStore" | "report">, text: string): Promise<Project> {
  const found = (await registeredProjects(ctx)).find(({ id, path }) => id === text || path === text);
  if (found !== undefined) return found;
  throw new TmpmError("PROJECT_NOT_FOUND", `no project ${JSON.stringify(text)} is registered`, {
    hint: "`tmpm projects` lists them; `tmpm projects add DIR` registers one.",
    details: { project: text },
  });
}

/**
 * The project id for a user's input: an id unchanged, registered or not, or the path of a registered project.
 * @throws PROJECT_NOT_FOUND, INVALID_ARGUMENT
 */
export async function projectIdOf(ctx: Pick<Context, "describeDirectory" | "projectStore" | "report">, text: string): Promise<string> {
  if (!text.startsWith("/")) return parseSlug(text, "project_id");
  const known = await registeredProjects(ctx);
  const path = text.replace(/(?<=.)\/+$/, "");
  const found = known.find((project) => project.path === path);
  if (found !== undefined) return found.id;
  const facts = await ctx.describeDirectory(path);
  return (await findProject(ctx, facts.kind === "directory" ? facts.realPath : path)).id;
}
