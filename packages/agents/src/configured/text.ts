import { type AgentText, agentText, type TextChange } from "../text/agent-text.js";
import { composed, spaceBehind, tabsToSpaces, trimmed, trimmedEnd } from "../text/text-changes.js";
import type { TextConfig } from "./text-config.js";

/** Changes to texts, from a description. */
export function configuredText(config: TextConfig, { title }: { readonly title: string }): AgentText {
  const commands = config.commands.map((pattern) => new RegExp(pattern, "u"));
  const isCommand = (text: string) => commands.some((pattern) => pattern.test(text.trim()));
  const { guard, list_end: listEnd } = config;
  return agentText({
    refuses: (typed) => (isCommand(typed) ? `${title} would read it as one of its own commands` : null),
    guards: [
      ...(guard === null ? [] : [guardBefore(guard, isCommand)]),
      ...(listEnd === null ? [] : [spaceBehind(new RegExp(listEnd, "u"))]),
    ],
    alters: [
      ...(config.removes === null ? [] : [removed(new RegExp(config.removes, "gu"))]),
      ...(config.expands_tabs ? [tabsToSpaces] : []),
      ...(config.composes ? [composed] : []),
      ...(config.trims === null ? [] : [config.trims === "end" ? trimmedEnd : trimmed]),
    ],
  });
}

function guardBefore(guard: string, isCommand: (text: string) => boolean): TextChange {
  return {
    says: `${JSON.stringify(guard)} is prepended, so that it is not taken for a command`,
    apply: (text) => (isCommand(text) ? text.replace(/^\s*/u, (blanks) => `${blanks}${guard}`) : text),
  };
}

function removed(pattern: RegExp): TextChange {
  return { says: "invisible characters are removed", apply: (text) => text.replace(pattern, "") };
}
