import { resolve } from "node:path";
import type { FanAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { baseDirectory } from "../fleet/base-directory.js";
import { callersEnvironment } from "../input/callers-environment.js";
import { newDefaults } from "../input/new-defaults.js";
import { projectArgument } from "../input/project-argument.js";
import { promptText } from "../input/prompt-text.js";
import { usageError } from "../parse/usage-error.js";
import { oneLine } from "../render/one-line.js";
import { table } from "../render/table.js";

/** Covers work trees, their set-up, and agents that start slowly. */
const FAN_MS = 2_400_000;

export const fan = command({
  name: "fan",
  group: "Start and end sessions",
  summary: "Give one prompt to several agents, each in its own git worktree",
  more: `Starts a session for each agent, from the same commit and with the same prompt. \`tmpm group G\` compares them, \`tmpm pick SESSION\` finishes one and removes the others. An agent may name a model after a colon. A session that cannot be started is reported, and the others continue.

  tmpm fan --agents claude,codex --prompt "fix the failing test"
  tmpm fan --agents claude:opus,claude:sonnet --group login --prompt-file task.md
  tmpm fan --agents claude --each 3 --check "npm test" --prompt "make it faster"`,
  args: { input: { takes: "optional", label: "-", summary: "Read the prompt from standard input", choices: ["-"] } },
  options: {
    agents: {
      takes: "text",
      label: "A[:M],…",
      summary: "Agents, each optionally with a model after a colon",
      completes: { kind: "agents" },
    },
    each: { takes: "count", label: "N", summary: "Number of sessions per agent (default: 1)" },
    prompt: { takes: "text", label: "TEXT", summary: "The prompt" },
    promptFile: { takes: "text", label: "F", summary: "Read the prompt from a file, byte for byte" },
    group: { takes: "text", label: "G", summary: "Name of the group (default: derived from the directory)" },
    check: { takes: "text", label: "LINE", summary: "Shell command that checks the work, for `tmpm group G --run-check`" },
    cwd: { takes: "text", label: "DIR", summary: "Directory in the repository (default: the current one)" },
    base: { takes: "text", label: "REF", summary: "Branch, tag or commit to start from (default: DIR's HEAD)" },
    fetch: { takes: "flag", summary: "Fetch from the remote of REF first" },
    project: { takes: "text", label: "P", summary: "Project id or directory" },
    permissions: { takes: "text", label: "MODE", summary: "Permission mode, in the agents' own terms" },
    effort: { takes: "text", label: "E", summary: "Reasoning effort" },
    setup: { takes: "flag", summary: "Consent to the current set-up in the repository's .tmpm.yaml, and run it in each" },
    trust: { takes: "flag", summary: "Mark the directories as trusted in the agents' own configuration" },
  },
  async run(input, context): Promise<FanAnswer> {
    const members = membersOf(input.agents, input.each ?? 1);
    if ([input.input, input.prompt, input.promptFile].filter((source) => source !== undefined).length > 1)
      throw usageError("the prompt is given twice", "Give one of --prompt, --prompt-file and -.");
    const prompt = await promptText({ words: input.prompt === undefined ? [] : [input.prompt], file: input.input ?? input.promptFile });
    if (prompt === null || prompt.trim() === "") throw usageError("the prompt is missing", "Give --prompt TEXT, --prompt-file F or -.");
    const defaults = await newDefaults(context.env, undefined);
    return context.client().fan(
      {
        members,
        prompt,
        group: input.group,
        check: input.check,
        cwd: resolve(await baseDirectory(context), input.cwd ?? "."),
        base: input.base,
        fetch: input.fetch || undefined,
        project_id: await projectArgument(input.project, context),
        permissions: input.permissions,
        reasoning_effort: input.effort,
        setup: input.setup || undefined,
        trust: input.trust || undefined,
        ...(await callersEnvironment(context, defaults)),
      },
      { timeoutMs: FAN_MS },
    );
  },
  render: ({ sessions }, view) => {
    const rows = sessions.map(({ name, agent, agent_config, receipt }) => [
      name,
      agent,
      agent_config.model ?? "-",
      receipt === null ? "started" : oneLine(receipt.outcome.replaceAll("_", " ")),
    ]);
    return table({ head: ["NAME", "AGENT", "MODEL", "PROMPT"], rows, spare: [2], room: 20 }, view);
  },
  notes: ({ group, failed, notes }) => [
    ...failed.map(({ agent, model, error }) =>
      visibleText(`${agent}${model === null ? "" : `:${model}`} was not started: ${error.message}`),
    ),
    ...notes.map((note) => visibleText(note)),
    visibleText(`group ${group}; \`tmpm group ${group}\` compares its sessions`),
  ],
  exit: ({ failed }) => (failed.length > 0 ? 1 : 0),
});

function membersOf(agents: string | undefined, each: number): { agent: string; model: string | undefined }[] {
  const named = (agents ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (named.length === 0) throw usageError("--agents is missing", "For example --agents claude,codex.");
  const members = named.map((part) => {
    const [, agent = part, model] = /^([^:]+):(.+)$/s.exec(part) ?? [];
    return { agent, model };
  });
  const all = members.flatMap((member) => Array.from({ length: each }, () => member));
  if (each < 1 || all.length > 16)
    throw usageError(`${all.length} sessions at once are too ${all.length < 1 ? "few" : "many"}`, "Start 1 to 16.");
  return all;
}
