import { join } from "node:path";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import type { HookRequest } from "../hooks/hook-plan.js";
import type { HookReading } from "../hooks/hook-reading.js";
import { shellLine } from "../hooks/shell-word.js";
import type { Decision } from "../screen/decision.js";
import type { HooksConfig } from "./hooks-config.js";
import { wordsAt } from "./json-field.js";

/** Hooks from a description. */
export function configuredHooks(config: HooksConfig, { title }: { readonly title: string }): AgentHooks {
  return {
    async plan(request) {
      const fill = filling(request);
      return {
        files: Object.entries(config.files).map(([name, content]) => ({ path: join(request.folder, name), text: fileText(content, fill) })),
        argv: config.argv.map(fill),
        env: Object.fromEntries(Object.entries(config.env).map(([name, value]) => [name, fill(value)])),
      };
    },
    read: (payload) => readingOf(config, { payload, title }),
  };
}

type Fill = (text: string) => string;

function filling({ command, folder }: HookRequest): Fill {
  const words: Readonly<Record<string, string>> = { command: shellLine(command), command_json: JSON.stringify(command), folder };
  return (text) => text.replace(/\{(command|command_json|folder)\}/gu, (_, word: string) => words[word] ?? "");
}

function fileText(content: HooksConfig["files"][string], fill: Fill): string {
  if (typeof content === "string") return fill(content);
  return `${JSON.stringify(content, (_, value: unknown) => (typeof value === "string" ? fill(value) : value), 2)}\n`;
}

function readingOf(config: HooksConfig, { payload, title }: { readonly payload: unknown; readonly title: string }): HookReading | null {
  const event = wordsAt(payload, config.event);
  const says = event !== null && Object.hasOwn(config.events, event) ? config.events[event] : undefined;
  if (event === null || says === undefined) return null;
  const tool = config.tool === null ? null : wordsAt(payload, config.tool);
  const { state, prompted, binds } = says;
  return {
    event,
    conversationId: config.conversation === null ? null : wordsAt(payload, config.conversation),
    binds,
    prompted,
    state,
    evidence: `${title} reported ${event}`,
    tool,
    decision: state === "awaiting_approval" ? approvalOf(config, { payload, tool }) : null,
    subagent: null,
    tokens: null,
  };
}

function approvalOf(
  { subject }: HooksConfig,
  { payload, tool }: { readonly payload: unknown; readonly tool: string | null },
): Decision | null {
  const words = subject === null ? null : wordsAt(payload, subject);
  return words === null ? null : { kind: "approval", tool, subject: words, choices: [] };
}
