import type { AgentAdapter, Reading } from "@tmpm/agents";
import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";
import { turnAgent } from "../fixtures/turn-agent.js";

/** Its pause between two prompts. All times here are in the fixture's clock. */
const BREATH_MS = 4_500;

/** Works on `work MS`, keeps prompts that arrive meanwhile for later, and answers `join` together with its current work. */
const queuing: FakeProgram = (terminal) => {
  const later: number[] = [];
  let draft = "";
  let working = false;
  const draw = () => terminal.write(`\n${working ? "working" : ""}> ${draft}`);
  const begin = (ms: number) => {
    working = true;
    draw();
    terminal.after(ms, () => {
      working = false;
      draw();
      const next = later.shift();
      if (next !== undefined) terminal.after(BREATH_MS, () => begin(next));
    });
  };
  draw();
  return {
    input(text) {
      if (text !== "\r") {
        draft += text;
        return draw();
      }
      const ms = Number(/^work (\d+)/u.exec(draft)?.[1] ?? 0);
      draft = "";
      draw();
      if (ms > 0 && working) later.push(ms);
      else if (ms > 0) begin(ms);
    },
  };
};

const queuer: AgentAdapter = {
  ...turnAgent,
  id: "queuer",
  limits: { ...turnAgent.limits, queuesWhileWorking: true },
  launch: async ({ conversationId }) => ({ argv: ["queuing-agent"], env: {}, conversationId, carriesPrompt: false }),
  read: ({ lines }): Reading => {
    const last = lines.filter((line) => line.trim() !== "").at(-1) ?? "";
    const base = { source: "screen", confidence: 1, hint: null, decision: null, evidence: [last] } as const;
    const [, work, draft = ""] = /^(working)?> ?(.*)$/u.exec(last) ?? [];
    return { ...base, state: work === undefined ? "idle" : "working", draft };
  },
  submitted: ({ now, text }) =>
    now.lines
      .filter((line) => line.trim() !== "")
      .at(-1)
      ?.includes(text)
      ? null
      : "it left the input",
};

async function both(second: string) {
  const { sessions } = fixture({ adapters: [queuer], programs: { "queuing-agent": queuing } });
  await sessions.create({ agent: "queuer", cwd: "/w", name: "demo" });
  const send = async (text: string) => {
    const { receipt } = await sessions.send({ session: "demo", text });
    return receipt.id ?? "";
  };
  const ids = [await send("work 3000"), await send(second)];
  const ended = async (turn: string) => (await sessions.turn({ session: "demo", turn, wait_ms: 600_000 })).turn;
  const turns = [await ended(ids[0] ?? ""), await ended(ids[1] ?? "")] as const;
  const [before, after] = turns.map(({ ended_at }) => Date.parse(ended_at ?? ""));
  return { outcomes: turns.map(({ outcome, reason }) => [outcome, reason]), apartMs: (after ?? 0) - (before ?? 0) };
}

const COMPLETED = [
  ["completed", "ready"],
  ["completed", "ready"],
];

test("a turn submitted during another one does not end with it", async () => {
  const { outcomes, apartMs } = await both("work 20000");
  expect(outcomes).toEqual(COMPLETED);
  expect(apartMs).toBeGreaterThanOrEqual(20_000 + BREATH_MS / 2);
});

test("a turn answered together with another one ends shortly after it", async () => {
  const { outcomes, apartMs } = await both("join");
  expect(outcomes).toEqual(COMPLETED);
  expect(apartMs).toBeLessThan(20_000);
});
