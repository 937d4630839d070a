import { resolve } from "node:path";
import type { DirectoryList, ProjectAnswer, ProjectList } from "@tmpm/api";
import { command } from "../command.js";
import { type Completions, NO_VALUES } from "../completion/completions.js";
import type { View } from "../context.js";
import { baseDirectory } from "../fleet/base-directory.js";
import { budgetOf } from "../input/budget-options.js";
import { projectArgument } from "../input/project-argument.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { fromNow } from "../render/age.js";
import type { Cell } from "../render/cell.js";
import { pathCell } from "../render/path.js";
import { table } from "../render/table.js";

const ACTIONS = ["list", "add", "set", "rm", "recent"] as const;

type Result =
  | { readonly kind: "list"; readonly list: ProjectList }
  | { readonly kind: "recent"; readonly recent: DirectoryList }
  | { readonly kind: "added" | "changed" | "removed"; readonly project: ProjectAnswer };

export const projects = command({
  name: "projects",
  group: "Set up tmpm",
  summary: "List, register, change or unregister projects",
  more: `Sessions created in a project's directory, or below it, carry its id; \`tmpm ls --project ID\` lists them. Unregistering a project affects neither its directory nor its sessions.

  tmpm projects                          projects and their sessions
  tmpm projects add                      register this directory
  tmpm projects add ~/src/api --id api   another one, with an id of your choice
  tmpm projects set api --budget-tokens 50M   what all its sessions may use together; see docs/usage.md
  tmpm projects rm api
  tmpm projects recent                   directories that sessions were created in, the latest first`,
  args: {
    action: { takes: "optional", label: "ACTION", summary: "list (default), add, set, rm or recent", choices: ACTIONS },
    target: {
      takes: "optional",
      label: "DIR|ID",
      summary: "add: directory (default: the current one); set, rm: id or path",
      completes: ([action]) => targetsOf(action),
    },
  },
  options: {
    id: { takes: "text", label: "ID", summary: "add: id (default: derived from the directory's name)" },
    name: { takes: "text", label: "NAME", summary: "add: display name" },
    budgetTokens: {
      takes: "text",
      mayBeEmpty: true,
      label: "N",
      summary: "set: tokens its sessions may use, such as 50M, before their queues are held",
    },
    budgetTurns: { takes: "text", mayBeEmpty: true, label: "N", summary: "set: turns its sessions may run before their queues are held" },
    budgetMinutes: {
      takes: "text",
      mayBeEmpty: true,
      label: "N",
      summary: "set: minutes that their turns may run before their queues are held",
    },
  },
  printed: answersOf("projects", "addProject", "setProject", "directories"),
  async run({ action = "list", target, id, name, ...bounds }, context): Promise<Result> {
    const budget = budgetOf("budget", bounds);
    if (action !== "set" && budget !== undefined)
      throw usageError("a budget applies to set only", "For example `tmpm projects set ID --budget-tokens 50M`.");
    if (action !== "add" && (id !== undefined || name !== undefined))
      throw usageError("--id and --name apply to add only", "See `tmpm projects --help`.");
    switch (action) {
      case "list":
        if (target !== undefined) throw usageError("list does not accept a name", "`tmpm ls --project ID` lists the sessions of one.");
        return { kind: "list", list: await context.client().projects() };
      case "recent":
        if (target !== undefined) throw usageError("recent does not accept a name", "See `tmpm projects --help`.");
        return { kind: "recent", recent: await context.client().directories() };
      case "add":
        return {
          kind: "added",
          project: await context.client().addProject({ path: resolve(await baseDirectory(context), target ?? "."), id, name }),
        };
      case "set":
        if (target === undefined || budget === undefined)
          throw usageError("the project or the change is missing", "For example `tmpm projects set ID --budget-tokens 50M`.");
        return { kind: "changed", project: await context.client().setProject({ project: await projectArgument(target, context), budget }) };
      case "rm":
        if (target === undefined) throw usageError("the project is missing", "Give its id: tmpm projects rm ID");
        return { kind: "removed", project: await context.client().removeProject({ project: await projectArgument(target, context) }) };
    }
  },
  render(result, view) {
    if (result.kind === "recent") return renderRecent(result.recent, view);
    if (result.kind !== "list") return `${DONE[result.kind]} ${result.project.id} (${result.project.path})`;
    if (result.list.projects.length === 0) return "";
    return table({ head: HEAD, rows: result.list.projects.map((project) => row(project, view.userHome)), spare: [5, 4] }, view);
  },
  json: (result) => JSON.stringify(result.kind === "list" ? result.list : result.kind === "recent" ? result.recent : result.project),
  notes: (result) =>
    result.kind === "list" && result.list.projects.length === 0 ? ["no projects; register a directory with `tmpm projects add DIR`"] : [],
});

const DONE = { added: "registered", changed: "changed", removed: "removed" } as const;

function renderRecent({ directories }: DirectoryList, view: View): string {
  if (directories.length === 0) return "";
  const rows = directories.map(({ path, last_used_at, sessions }): readonly Cell[] => [
    ...[fromNow(last_used_at, view.now), String(sessions)],
    pathCell(path, view.userHome),
  ]);
  return table({ head: ["LAST USED", "SESSIONS", "DIRECTORY"], rows, spare: [1] }, view);
}

const HEAD = ["PROJECT", "SESSIONS", "RUNNING", "WAITING", "DIRECTORY", "NAME"];

function row({ id, path, name, sessions }: ProjectAnswer, userHome: string | null): readonly Cell[] {
  return [id, String(sessions.total), String(sessions.active), String(sessions.waiting), pathCell(path, userHome), name];
}

function targetsOf(action: string | undefined): Completions {
  if (action === "add") return { kind: "directories" };
  return action === "rm" || action === "set" ? { kind: "projects" } : NO_VALUES;
}
