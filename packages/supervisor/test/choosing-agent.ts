import type { AgentAdapter, Reading } from "@tmpm/agents";
import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { asking } from "./asking-agent.js";
import { composer } from "./fixture.js";

export interface Choosing {
  /** Keys that come earlier than this after the dialog was drawn are lost, in ms. */
  readonly deafMs?: number;
  /** Delay until it shows that it accepted Enter and reads later keys, in ms. */
  readonly slowMs?: number;
  /** Number of times that it asks the same again right after an answer. */
  readonly again?: number;
  readonly chosen: (choice: string) => void;
}

const CHOICES = ["Yes", "Yes, always", "No"];

/**
 * An agent that asks with a list whose mark `>` the arrows move: `ask COMMAND` typed into it shows the list. It reads its keys in order, as
 * a terminal delivers them.
 */
export function choosingProgram({ deafMs = 0, slowMs = 0, again = 0, chosen }: Choosing): FakeProgram {
  return (terminal) => {
    let draft = "";
    let asked: string | null = null;
    let mark = 0;
    let isDeaf = false;
    let busy = false;
    let left = again;
    const waiting: string[] = [];
    const draw = (...lines: string[]) => terminal.write(`\n${lines.join("\n")}`);
    const show = () => {
      if (asked === null) return draw(`> ${draft}`);
      draw(`allow ${asked}?`, ...CHOICES.map((label, index) => `${index === mark ? ">>" : "  "}${index + 1}. ${label}`), "end of list");
    };
    const hear = () => {
      isDeaf = false;
    };
    const ask = () => {
      mark = 0;
      isDeaf = deafMs > 0;
      terminal.after(deafMs, hear);
      show();
    };
    function settle(): void {
      if (left > 0) {
        left -= 1;
        ask();
      } else {
        asked = null;
        draw("working");
        terminal.after(1_000, show);
      }
    }
    function type(key: string): void {
      if (key.startsWith("\u001b")) return;
      if (key !== "\r") draft += key;
      else [asked, draft] = [draft.startsWith("ask ") ? draft.slice(4) : null, ""];
      if (asked === null) show();
      else ask();
    }
    function choose(key: string): void {
      if (isDeaf) return;
      if (key === "\r") {
        chosen(CHOICES[mark] ?? "");
        busy = true;
        terminal.after(slowMs, () => {
          busy = false;
          settle();
          for (const next of waiting.splice(0)) read(next);
        });
      } else if (key === "\u001b[A" || key === "\u001bOA") mark = Math.max(0, mark - 1);
      else if (key === "\u001b[B" || key === "\u001bOB") mark = Math.min(CHOICES.length - 1, mark + 1);
      if (!busy) show();
    }
    function read(key: string): void {
      if (busy) waiting.push(key);
      else if (asked === null) type(key);
      else choose(key);
    }
    show();
    return { input: read };
  };
}

/** Its adapter: the keys of a choice move the mark there. */
export const choosing: AgentAdapter = {
  ...composer,
  id: "choosing",
  launch: async ({ conversationId }) => ({ argv: ["choosing-agent"], env: {}, conversationId, carriesPrompt: false }),
  read: ({ lines, dead }) =>
    readChoosing(
      lines.filter((line) => line.trim() !== ""),
      dead,
    ),
  submitted: () => "it took the line",
  hooks: asking.hooks,
  approve: ({ decision }) => decision?.choices[0]?.keys ?? null,
  deny: ({ decision }) => decision?.choices[2]?.keys ?? null,
};

function readChoosing(rows: readonly string[], dead: boolean): Reading {
  const last = rows.at(-1) ?? "";
  const base = { source: "screen", confidence: 1, hint: null, draft: null, decision: null, evidence: [last] } as const;
  if (dead) return { ...base, state: "exited" };
  if (last.startsWith("> ") || last === ">") return { ...base, state: "idle", draft: last.slice(2) };
  if (last === "working") return { ...base, state: "working" };
  if (last !== "end of list") return { ...base, state: "starting" };
  const list = rows.slice(-1 - CHOICES.length, -1);
  const mark = list.findIndex((row) => row.startsWith(">>"));
  const subject = /^allow (.*)\?$/.exec(rows.at(-2 - CHOICES.length) ?? "")?.[1] ?? "";
  const choices = CHOICES.map((label, index) => {
    const steps = Array.from({ length: Math.abs(index - mark) }, () => (index > mark ? "Down" : "Up"));
    const [first = "Enter", ...rest] = [...steps, "Enter"];
    return { label, keys: [first, ...rest] as const, takesText: false };
  });
  return { ...base, state: "awaiting_approval", decision: { kind: "approval", tool: "shell", subject, choices } };
}
