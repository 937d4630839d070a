import type { AgentAdapter, HookReading, Reading } from "@tmpm/agents";
import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import type { HookPort } from "../src/hooks/hook-port.js";
import { composer } from "./fixture.js";

/**
 * An agent that asks: `ask COMMAND` typed into it shows a dialog, which `y` or `n` answers; `trust` shows one that only the user may
 * answer. With `deaf` it ignores the keys; with `slowMs` it shows after that delay that it accepted one.
 */
export function askingProgram(behaviour: { readonly deaf?: boolean; readonly slowMs?: number } = {}): FakeProgram {
  return (terminal) => {
    let draft = "";
    let asked: string | null = null;
    const draw = (line: string) => terminal.write(`\n${line}`);
    const show = () => draw(asked === null ? `> ${draft}` : `allow ${asked}?`);
    show();
    return {
      input(text) {
        if (asked !== null) {
          if (behaviour.deaf || !["y", "n"].includes(text)) return;
          const taken = () => {
            asked = null;
            draw(text === "y" ? "working" : "> ");
            if (text === "y") terminal.after(1_000, show);
          };
          if (behaviour.slowMs === undefined) taken();
          else terminal.after(behaviour.slowMs, taken);
        } else if (text === "\r") {
          const words = draft;
          draft = "";
          if (words === "trust") draw("trust this folder?");
          else if (words.startsWith("ask ")) asked = words.slice(4);
          if (words !== "trust") show();
        } else {
          draft += text;
          show();
        }
      },
    };
  };
}

const HOOK: HookReading = {
  event: "test",
  conversationId: null,
  binds: false,
  prompted: false,
  state: null,
  evidence: "a hook",
  tool: null,
  decision: null,
  subagent: null,
  tokens: null,
};

/** Its adapter. A hook's payload is its part of a reading. */
export const asking: AgentAdapter = {
  ...composer,
  id: "asking",
  launch: async ({ conversationId }) => ({ argv: ["asking-agent"], env: {}, conversationId, carriesPrompt: false }),
  read: ({ lines, dead }) => readAsking(lines.filter((line) => line.trim() !== "").at(-1) ?? "", dead),
  submitted: () => "it took the line",
  approve: ({ decision }) => (decision === null ? null : ["y"]),
  deny: ({ decision }) => (decision === null ? null : ["n"]),
  hooks: {
    plan: async ({ folder }) => ({ files: [{ path: `${folder}/hooks`, text: "on" }], argv: [], env: {} }),
    read: (payload) => (typeof payload === "object" && payload !== null ? { ...HOOK, ...payload } : null),
  },
};

function readAsking(last: string, dead: boolean): Reading {
  const base = { source: "screen", confidence: 1, hint: null, draft: null, decision: null, evidence: [last] } as const;
  if (dead) return { ...base, state: "exited" };
  if (last.startsWith(">")) return { ...base, state: "idle", draft: last.slice(2) };
  if (last.startsWith("trust")) return { ...base, state: "blocked", hint: "attach and decide" };
  if (last === "working") return { ...base, state: "working" };
  const subject = /^allow (.*)\?$/.exec(last)?.[1];
  if (subject === undefined) return { ...base, state: "starting" };
  const choices = [
    { label: "yes", keys: ["y"], takesText: false },
    { label: "no", keys: ["n"], takesText: false },
  ] as const;
  return { ...base, state: "awaiting_approval", decision: { kind: "approval", tool: "shell", subject, choices } };
}

/** Keeps the files of hooks in memory. */
export function memoryHooks(): HookPort & { readonly written: ReadonlyMap<string, readonly string[]>; tokens(): readonly string[] } {
  const digests = new Map<string, string>();
  const written = new Map<string, readonly string[]>();
  const tokens: string[] = [];
  return {
    written,
    tokens: () => tokens,
    command: ["/bin/sh", "/report"],
    newToken: () => `token-${tokens.push(`token-${tokens.length + 1}`)}`,
    folder: (id) => `/hooks/${id}`,
    async write(id, { files, token_sha256 }) {
      digests.set(id, token_sha256);
      written.set(
        id,
        files.map(({ path }) => path),
      );
    },
    tokenDigest: async (id) => digests.get(id) ?? null,
    async remove(id) {
      digests.delete(id);
      written.delete(id);
    },
  };
}
