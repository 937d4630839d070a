import type { AgentAdapter, LaunchRequest } from "@tmpm/agents";
import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { composer } from "./fixture.js";

/**
 * A program that switches its model by its own command: `good*` at once, `slow*` after a question, anything else not at all. Enter does not
 * submit a command with `stuck*`. `busy` makes it work.
 */
export const switchingProgram: FakeProgram = (terminal) => {
  let draft = "";
  let asks: string | null = null;
  const draw = (...lines: readonly string[]) => terminal.write(`\n${lines.join("\n")}`);
  const say = (words: string) => draw(words, "> ");
  draw("> ");
  return {
    input(text) {
      if (asks !== null) {
        if (text === "\r") say(`model is ${asks}`);
        if (text === "\r") asks = null;
        return;
      }
      if (text === "\u0003") {
        draft = "";
        return draw("> ");
      }
      if (text === "\r" && draft.includes(" stuck")) return;
      if (text !== "\r") {
        draft += text;
        return draw(`> ${draft}`);
      }
      const [word, value = ""] = draft.split(" ");
      draft = "";
      if (word === "/model" && /^(?:slow|odd)/.test(value)) {
        asks = value;
        return draw(value.startsWith("odd") ? "an odd question" : "dialog", "dialog");
      }
      if (word === "/model" || word === "/effort") return say(value.startsWith("good") ? `model is ${value}` : `unknown ${value}`);
      draw("working");
      terminal.after(word === "busy" ? 600_000 : 500, () => draw("> "));
    },
  };
};

/** The adapter of that program, with the configurations of its launches. */
export function switching(): AgentAdapter & { readonly launches: LaunchRequest["config"][] } {
  const launches: LaunchRequest["config"][] = [];
  return {
    ...composer,
    id: "switching",
    title: "Switching",
    launches,
    clears: true,
    limits: { promptInArgv: 0, queuesWhileWorking: false, alters: null },
    launch: async ({ config, conversationId, newId }) => {
      launches.push(config);
      return { argv: ["switching-agent"], env: {}, conversationId: conversationId ?? newId(), carriesPrompt: false };
    },
    overrides: {
      fields: ["model", "model_provider", "reasoning_effort"],
      efforts: ["good", "bad"],
      live: ({ field, value }) => {
        if (field === "model_provider") return null;
        return {
          command: `${field === "model" ? "/model" : "/effort"} ${value ?? "good-default"}`,
          outcome: ({ lines }) => {
            const shown = lines.filter((line) => line.trim() !== "");
            if (shown.at(-2) === "an odd question") return null;
            if (shown.at(-1) === "dialog") return { kind: "asks", keys: ["Enter"] };
            const said = shown.at(-1)?.startsWith(">") ? (shown.at(-2) ?? "") : "";
            if (said === `model is ${value ?? "good-default"}`) return { kind: "applied", evidence: said };
            return said === `unknown ${value}` ? { kind: "refused", message: said } : null;
          },
          spill: { path: "/home/me/settings", undone: (before, now) => (before === now ? null : before) },
        };
      },
    },
  };
}
