import { resolve } from "node:path";
import type { CreateAnswer } from "@tmpm/api";
import { hasCode, type ProfileProgram, parseGrant, profileProgram, type Receipt, SLUG_PATTERN, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import type { Profile } from "../config-library.js";
import type { Context } from "../context.js";
import { baseDirectory } from "../fleet/base-directory.js";
import { callersEnvironment } from "../input/callers-environment.js";
import { hostArgument } from "../input/host-argument.js";
import { newDefaults } from "../input/new-defaults.js";
import { partly } from "../input/partly.js";
import { projectArgument } from "../input/project-argument.js";
import { promptText } from "../input/prompt-text.js";
import { repositoryAddress } from "../input/repository-address.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { receiptExit, receiptLine, receiptNotes } from "../render/receipt.js";
import { attachTo } from "../terminal/attach-to.js";
import { requireTerminal } from "../terminal/terminal.js";
import { typingMs } from "./send.js";

interface Created {
  readonly answer: CreateAnswer;
  /** The exit status of the attached terminal; null when none was attached. */
  readonly attached: number | null;
}

/** Time limit for confirming a first prompt: agents start slowly. */
const PROMPT_MS = 240_000;

/** A set-up may take half an hour. */
const SETUP_MS = 1_800_000;

/** The daemon's time limit for a clone, its files and its set-up, plus a margin. */
function workspaceMs(env: Context["env"]): number {
  return 2 * 1000 * (Number(env.TMPM_CLONE_SECONDS) || 120) + SETUP_MS + 30_000;
}

export const newSession = command({
  name: "new",
  group: "Start and end sessions",
  summary: "Start a session",
  more: `Prints the session's name. Without --agent a shell is started, or the COMMAND that follows --. A configuration profile supplies the options that you omit; see docs/config.md.

  tmpm new --agent claude --prompt "fix the failing test"
  tmpm new --profile careful --worktree --branch try
  tmpm new -- npm run dev`,
  args: {
    input: { takes: "optional", label: "-", summary: "Read the first prompt from standard input", choices: ["-"] },
    argv: { takes: "rest", label: "COMMAND", summary: "Program and its arguments" },
  },
  options: {
    agent: { takes: "text", label: "A", summary: "Agent to run: one that `tmpm agents` lists, shell or command" },
    profile: { takes: "text", label: "NAME", summary: "Configuration profile to start from (default: new.profile)" },
    host: {
      takes: "text",
      label: "H",
      summary: "Host: tmux, pty (no tmux needed), or sdk (Agent Client Protocol)",
    },
    cwd: { takes: "text", label: "DIR", summary: "Working directory (default: the current one)" },
    name: {
      takes: "text",
      label: "NAME",
      summary: "Session name (default: derived from the directory); an invalid name is used as a hint",
    },
    nameHint: { takes: "text", label: "TEXT", summary: "Text to derive the name from, such as a branch or issue title" },
    project: { takes: "text", label: "P", summary: "Project id or directory" },
    task: { takes: "text", label: "TEXT", summary: "Task description (default: the first prompt)" },
    issue: { takes: "text", label: "N", summary: "Issue it works on; refused if another session of the project does" },
    issueUrl: { takes: "text", label: "URL", summary: "URL of the issue" },
    duplicateIssue: { takes: "flag", summary: "Start even if another session works on the issue" },
    model: { takes: "text", label: "M", summary: "Model" },
    provider: { takes: "text", label: "P", summary: "Model provider" },
    effort: { takes: "text", label: "E", summary: "Reasoning effort" },
    permissions: { takes: "text", label: "MODE", summary: "Permission mode, in the agent's own terms, such as plan" },
    temperature: { takes: "number", label: "T", summary: "Sampling temperature, 0 to 2" },
    prompt: { takes: "text", mayBeEmpty: true, label: "TEXT", summary: "The first prompt" },
    promptFile: { takes: "text", label: "F", summary: "Read the first prompt from a file, byte for byte" },
    repo: { takes: "text", label: "URL|DIR", summary: "Work in a new clone of this repository" },
    worktree: { takes: "flag", summary: "Work in a new git worktree of DIR's repository" },
    branch: { takes: "text", label: "B", summary: "Branch of the workspace, created if missing (default: tmpm/NAME)" },
    base: { takes: "text", label: "REF", summary: "Branch, tag or commit that a new branch starts from (default: DIR's HEAD)" },
    fetch: { takes: "flag", summary: "Fetch from the remote of REF first, as in --base origin/main --fetch" },
    setup: { takes: "flag", summary: "Consent to the current set-up in the repository's .tmpm.yaml, and run it in the workspace" },
    trust: { takes: "flag", summary: "Mark the directory as trusted in the agent's own configuration, to avoid its question" },
    ephemeral: { takes: "flag", summary: "Remove the session when it ends" },
    owner: { takes: "text", label: "CLIENT", summary: "Client that owns the session" },
    mode: { takes: "text", label: "M", summary: "Mode of that client, such as chat" },
    evictSiblings: { takes: "flag", summary: "Once it runs, stop idle sessions of the same owner and mode" },
    grant: { takes: "text", label: "REACH", summary: "What it may do to others: none, tree, project or all, with limits; see docs/mcp.md" },
    noWait: { takes: "flag", summary: "Return once the session is recorded, without waiting for its agent" },
    attach: { takes: "flag", summary: "Attach this terminal" },
    label: { takes: "texts", label: "LABEL", summary: "With --on any: only nodes with this label; may be repeated" },
  },
  printed: answersOf("create"),
  modes: [
    { of: ({ issue }) => (issue === undefined ? "no issue" : "--issue"), takenBy: { duplicateIssue: ["--issue"] } },
    {
      of: ({ worktree, repo }) => (worktree || repo !== undefined ? "--worktree and --repo" : "a given directory"),
      takenBy: { setup: ["--worktree and --repo"] },
    },
  ],
  async run(input, context): Promise<Created> {
    if (input.attach && context.json)
      throw usageError("--attach and --json are mutually exclusive", "Attach with `tmpm attach` afterwards.");
    if (input.attach && input.noWait) throw usageError("--attach and --no-wait are mutually exclusive", "Give one of them.");
    if (input.label.length > 0) throw usageError("--label requires --on any", "Give --on any, or name the node with --on NODE.");
    if (input.attach) requireTerminal();
    const prompt = await firstPrompt(input);
    const { profile, env } = await newDefaults(context.env, input.profile);
    const { agent = "shell", ...program } = programOf(input, profile);
    const client = context.client();
    const answer = await client.create(
      {
        ...program,
        agent,
        cwd: resolve(await baseDirectory(context), input.cwd ?? "."),
        ...namesOf(input),
        project_id: await projectArgument(input.project, context),
        task: input.task,
        issue_id: input.issue,
        issue_url: input.issueUrl,
        duplicate_issue: input.duplicateIssue || undefined,
        model: input.model ?? program.model,
        model_provider: input.provider ?? program.model_provider,
        reasoning_effort: input.effort ?? program.reasoning_effort,
        permissions: input.permissions ?? program.permissions,
        temperature: input.temperature,
        owner: input.owner,
        mode: input.mode,
        evict_siblings: input.evictSiblings || undefined,
        control: hostArgument(input.host),
        prompt: prompt ?? undefined,
        trust: input.trust || undefined,
        ephemeral: input.ephemeral || undefined,
        repo: input.repo === undefined ? undefined : await repositoryAddress(input.repo, context),
        worktree: input.worktree || undefined,
        branch: input.branch,
        base: input.base,
        fetch: input.fetch || undefined,
        setup: input.setup || undefined,
        grant: input.grant === undefined ? undefined : parseGrant(input.grant),
        no_wait: input.noWait || undefined,
        // A child inherits its parent's.
        ...(context.env.TMPM_AS_SESSION === "1" ? {} : await callersEnvironment(context, { env })),
      },
      {
        timeoutMs:
          typingMs(prompt ?? "") +
          (prompt === null ? 60_000 : PROMPT_MS) +
          (input.repo === undefined && !input.worktree ? 0 : workspaceMs(env)),
      },
    );
    if (!input.attach) return { answer, attached: null };
    const done = `session ${answer.name} was created`;
    try {
      return { answer, attached: await partly(attachTo(client, { session: answer.id, context }), done) };
    } catch (error) {
      // The session runs without a terminal here.
      if (!hasCode(error, "HOST_CANNOT")) throw error;
      return { answer: { ...answer, notes: [...(answer.notes ?? []), error.message] }, attached: null };
    }
  },
  render: ({ answer, attached }) => (attached === null ? visibleText(answer.name) : ""),
  json: ({ answer }) => JSON.stringify(answer),
  notes: ({ answer: { name, receipt, setup, workspace, evicted = [], notes = [] } }) => [
    ...branchNotes(workspace),
    ...notes.map(visibleText),
    ...evicted.map((session) => `stopped ${visibleText(session.name)}, which was idle; \`tmpm resume\` starts it again`),
    ...setupNotes(setup, workspace?.source ?? ""),
    ...(receipt === null || receipt.outcome === "submitted" ? [] : promptNotes(name, receipt)),
  ],
  exit: ({ answer: { receipt }, attached }) => attached || (receipt === null ? 0 : receiptExit(receipt)),
});

/** Text that is not a valid name serves as a hint. */
function namesOf({ name, nameHint }: { readonly name: string | undefined; readonly nameHint: string | undefined }) {
  if (name === undefined) return { name_hint: nameHint };
  if (nameHint !== undefined) throw usageError("--name and --name-hint are mutually exclusive", "Give one of them.");
  return SLUG_PATTERN.test(name) || !/[A-Za-z0-9]/.test(name) ? { name } : { name_hint: name };
}

function branchNotes(workspace: CreateAnswer["workspace"]): readonly string[] {
  if (!workspace?.base) return [];
  const { branch, branch_made, base, base_ref } = workspace;
  const named = base_ref?.replace(/^refs\/(?:heads|tags|remotes)\//, "") ?? null;
  const start = `${named === null ? "" : `${visibleText(named)} at `}${base.slice(0, 12)}`;
  return [branch_made ? `new branch ${visibleText(branch)} from ${start}` : `on branch ${visibleText(branch)} at ${base.slice(0, 12)}`];
}

function setupNotes(setup: CreateAnswer["setup"], source: string): readonly string[] {
  switch (setup?.state) {
    case "not_trusted":
      return [
        "its .tmpm.yaml has a set-up without your consent, so none of it was run; consent with " +
          (source.startsWith("/") ? `\`tmpm trust ${visibleText(source)}\`, or in one step ` : "") +
          "with `tmpm new --setup`",
      ];
    case "unreadable":
      return ["its .tmpm.yaml is not usable, so none of it was run"];
    case "done":
      return setup.doing === null ? [] : [`set up ${visibleText(setup.doing)}, missing in the repository's directory`];
    default:
      return [];
  }
}

function promptNotes(name: string, receipt: Receipt): readonly string[] {
  const trouble = receipt.outcome === "held" ? "its first prompt waits" : "its first prompt was not delivered";
  return [`the session runs, but ${trouble}: ${receiptLine(name, receipt)}`, ...receiptNotes(name, receipt)];
}

interface PromptInput {
  readonly input: "-" | undefined;
  readonly prompt: string | undefined;
  readonly promptFile: string | undefined;
}

async function firstPrompt({ input, prompt, promptFile }: PromptInput): Promise<string | null> {
  if ([input, prompt, promptFile].filter((source) => source !== undefined).length > 1) {
    throw usageError("the first prompt is given twice", "Give one of --prompt, --prompt-file and -.");
  }
  return promptText({ words: prompt === undefined ? [] : [prompt], file: input ?? promptFile });
}

/** @throws USAGE for a command that is given to another agent */
function programOf(named: { readonly agent: string | undefined; readonly argv: readonly string[] }, profile: Profile): ProfileProgram {
  const { agent = "shell", argv } = named;
  if (argv.length > 0 && agent !== "shell" && agent !== "command") {
    throw usageError(`agent ${agent} does not accept a COMMAND`, "Omit --agent to run your own program.");
  }
  return profileProgram(named, profile);
}
