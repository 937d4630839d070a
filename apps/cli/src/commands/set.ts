import { resolve } from "node:path";
import type { OverridesAnswer, OverridesBody, SessionAnswer, SetBody } from "@tmpm/api";
import { type Applied, parseGrant, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { baseDirectory } from "../fleet/base-directory.js";
import { type BudgetValues, budgetOf } from "../input/budget-options.js";
import { partly } from "../input/partly.js";
import { projectArgument } from "../input/project-argument.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

interface Done {
  readonly session: SessionAnswer;
  /** When the change takes effect for the agent; null when only notes were set. */
  readonly outcome: Pick<OverridesAnswer, "applied" | "notes"> | null;
}

export const set = command({
  name: "set",
  group: "Start and end sessions",
  summary: "Change a session's notes, model and other settings",
  more: [
    "An empty value clears the setting. Model, provider, effort, temperature and permissions apply at once where the agent can change them while it runs and is idle,",
    "otherwise from its next launch; the answer shows which. A provider without a model uses the provider's default.",
    "",
    "Examples:",
    "  tmpm set web --issue 17 --pr 40",
    "  tmpm set web --model opus --effort high",
    "  tmpm set web --no-model",
    "  tmpm set web --notify off",
    "  tmpm set planner --grant tree,children=8",
    "  tmpm set web --cwd ~/src/app2",
    "  tmpm set web --budget-tokens 2M --budget-turns 50",
    "  tmpm set planner --lineage-tokens 20M",
  ].join("\n"),
  args: { session: SESSION },
  options: {
    task: { takes: "text", mayBeEmpty: true, label: "TEXT", summary: "Task description" },
    issue: { takes: "text", mayBeEmpty: true, label: "N", summary: "Issue it works on" },
    duplicateIssue: { takes: "flag", summary: "Allow the issue even if another session works on it" },
    issueUrl: { takes: "text", mayBeEmpty: true, label: "URL", summary: "URL of the issue" },
    pr: { takes: "text", mayBeEmpty: true, label: "N", summary: "Pull request number" },
    prUrl: { takes: "text", mayBeEmpty: true, label: "URL", summary: "URL of the pull request" },
    deliverable: { takes: "text", mayBeEmpty: true, label: "ID", summary: "Id of its deliverable in an external plan" },
    cwd: {
      takes: "text",
      label: "DIR",
      summary: "Working directory of the next launch; for a worktree, also its repository's new location",
    },
    project: { takes: "text", label: "P", summary: "Move it to a project, by id or directory" },
    model: { takes: "text", mayBeEmpty: true, label: "M", summary: "Model" },
    provider: { takes: "text", mayBeEmpty: true, label: "P", summary: "Model provider" },
    effort: { takes: "text", mayBeEmpty: true, label: "E", summary: "Reasoning effort" },
    temperature: { takes: "number", label: "T", summary: "Sampling temperature, 0 to 2" },
    permissions: {
      takes: "text",
      mayBeEmpty: true,
      label: "MODE",
      summary: "Permission mode, in the agent's own terms, such as plan",
    },
    grant: { takes: "text", label: "REACH", summary: "What it may do to others: none, tree, project or all, with limits; see docs/mcp.md" },
    notify: { takes: "text", mayBeEmpty: true, label: "on|off|usual", summary: "Notifications for this session; see `tmpm notify`" },
    budgetTokens: { takes: "text", mayBeEmpty: true, label: "N", summary: "Tokens it may use, such as 2M, before its queue is held" },
    budgetTurns: { takes: "text", mayBeEmpty: true, label: "N", summary: "Turns it may run before its queue is held" },
    budgetMinutes: { takes: "text", mayBeEmpty: true, label: "N", summary: "Minutes that its turns may run before its queue is held" },
    lineageTokens: { takes: "text", mayBeEmpty: true, label: "N", summary: "Tokens it may use together with its descendants" },
    lineageTurns: { takes: "text", mayBeEmpty: true, label: "N", summary: "Turns it may run together with its descendants" },
    lineageMinutes: { takes: "text", mayBeEmpty: true, label: "N", summary: "Minutes that all these turns may run" },
    noModel: { takes: "flag", summary: "Use the agent's default model" },
    noProvider: { takes: "flag", summary: "Use the agent's default provider" },
    noEffort: { takes: "flag", summary: "Use the agent's default effort" },
    noTemperature: { takes: "flag", summary: "Use the agent's default temperature" },
    noPermissions: { takes: "flag", summary: "Use the agent's default permissions" },
    errored: { takes: "text", label: "MESSAGE", summary: "Mark the last run as failed, with this reason; only while not running" },
  },
  printed: answersOf("set", "override", "markErrored"),
  modes: [
    {
      of: ({ issue, project }) => (issue === undefined && project === undefined ? "other settings" : "--issue and --project"),
      takenBy: { duplicateIssue: ["--issue and --project"] },
    },
  ],
  async run({ session, errored, ...values }, context): Promise<Done> {
    const overrides = overridesOf(values);
    const body = bodyOf({ ...values, ...(await placesOf(values, context)) });
    const client = context.client();
    let done: Done | null = null;
    if (!isEmpty(overrides)) {
      const answer = await client.override({ session, ...overrides });
      done = { session: answer, outcome: { applied: answer.applied, notes: answer.notes } };
    }
    const target = done?.session.id ?? session;
    const before = () => (done === null ? null : "the settings before it were changed");
    if (!isEmpty(body)) done = { outcome: null, ...done, session: await partly(client.set({ session: target, ...body }), before()) };
    if (errored !== undefined)
      done = { outcome: null, ...done, session: await partly(client.markErrored({ session: target, message: errored }), before()) };
    if (done !== null) return done;
    throw usageError("the setting is missing", "Name at least one of the options; `tmpm set --help` lists them.");
  },
  render: ({ session }) => renderLine(session),
  json: ({ session, outcome }) => JSON.stringify({ ...session, ...outcome }),
  notes: ({ session, outcome }) =>
    outcome === null
      ? []
      : [...Object.entries(outcome.applied).map(([field, when]) => `${field} ${whenOf(when, session)}`), ...outcome.notes.map(visibleText)],
});

function whenOf(when: Applied | undefined, { name, state }: Pick<SessionAnswer, "name" | "state">): string {
  const verb = state === "active" ? "restart" : "resume";
  return when === "live" ? "takes effect at once" : `takes effect at the next launch; \`tmpm ${verb} ${visibleText(name)}\` applies it now`;
}

type Texts = Readonly<
  Record<
    | "task"
    | "issue"
    | "issueUrl"
    | "pr"
    | "prUrl"
    | "deliverable"
    | "cwd"
    | "project"
    | "model"
    | "provider"
    | "effort"
    | "permissions"
    | "grant"
    | "notify",
    string | undefined
  >
>;
type Values = Texts &
  BudgetValues<"budget"> &
  BudgetValues<"lineage"> & { readonly temperature: number | undefined } & Readonly<
    Record<"duplicateIssue" | "noModel" | "noProvider" | "noEffort" | "noTemperature" | "noPermissions", boolean>
  >;

/** Absolute paths, on the session's machine. */
async function placesOf({ cwd, project }: Pick<Texts, "cwd" | "project">, context: Context): Promise<Pick<Texts, "cwd" | "project">> {
  return {
    cwd: cwd === undefined ? undefined : resolve(await baseDirectory(context), cwd),
    project: await projectArgument(project, context),
  };
}

function overridesOf(values: Values): OverridesBody {
  const { model, provider, effort, temperature, permissions } = values;
  const { noModel, noProvider, noEffort, noTemperature, noPermissions } = values;
  return {
    model: wished(model, noModel),
    model_provider: wished(provider, noProvider),
    reasoning_effort: wished(effort, noEffort),
    temperature: wished(temperature, noTemperature),
    permissions: wished(permissions, noPermissions),
  };
}

/** Null removes the override. */
function wished<T extends string | number>(value: T | undefined, none: boolean): T | null | undefined {
  return none || value === "" ? null : value;
}

function isEmpty(body: object): boolean {
  return Object.values(body).every((value) => value === undefined);
}

function bodyOf({
  task,
  issue,
  duplicateIssue,
  issueUrl,
  pr,
  prUrl,
  deliverable,
  cwd,
  project,
  grant,
  notify,
  ...bounds
}: Values): SetBody {
  return {
    task,
    issue_id: issue,
    duplicate_issue: duplicateIssue && (issue !== undefined || project !== undefined) ? true : undefined,
    issue_url: issueUrl,
    claimed_pr_number: numberOf(pr),
    claimed_pr_url: prUrl,
    deliverable_id: deliverable,
    cwd,
    project_id: project,
    grant: grant === undefined ? undefined : parseGrant(grant),
    notify: notifyOf(notify),
    budget: budgetOf("budget", bounds),
    lineage_budget: budgetOf("lineage", bounds),
  };
}

function notifyOf(text: string | undefined): "on" | "off" | null | undefined {
  if (text === undefined || text === "on" || text === "off") return text;
  if (text === "usual" || text === "") return null;
  throw usageError(`--notify takes on, off or usual, not ${JSON.stringify(text)}`, "See `tmpm set --help`.");
}

function numberOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "") return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError(`--pr takes a number, not ${JSON.stringify(text)}`, "Leave it empty to remove the number.");
}
