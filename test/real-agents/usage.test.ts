import type { TurnAnswer, UsageAnswer } from "@tmpm/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { prompt, type Script } from "../mock-model/script.js";
import type { Answered } from "../mock-model/server.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";

const { TMPM_AGENTS } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const LONG = 300_000;
const BELOW = prompt({ say: "from below" });

interface Ways {
  /** The tool by which it starts a sub-agent. */
  readonly delegates: NonNullable<Script["calls"]>[number];
  readonly compacts: string;
  /** Its command that forks the conversation, the dialog of that command, and the keys that answer it; null without such a command. */
  readonly forks: { readonly command: string; readonly dialog: string; readonly keys: readonly string[] } | null;
  /** Whether it records the cost of an answer. */
  readonly keeps: (answered: Answered) => boolean;
}

const WAYS: Readonly<Record<string, Ways>> = {
  claude: {
    delegates: { tool: "Agent", args: { description: "A sub-agent", prompt: BELOW, subagent_type: "general-purpose" } },
    compacts: "/compact",
    forks: { command: "/branch", dialog: "", keys: [] },
    keeps: ({ conversation }) => !lastOf(conversation.userTexts).includes("summary of the conversation"),
  },
  codex: {
    delegates: { tool: "spawn_agent", args: { task_name: "below", message: BELOW } },
    compacts: "/compact",
    forks: { command: "/fork", dialog: "", keys: [] },
    keeps: ({ conversation }) => conversation.answerSchema === null,
  },
  gemini: {
    delegates: { tool: "invoke_agent", args: { agent_name: "generalist", prompt: BELOW } },
    compacts: "/compress",
    forks: null,
    keeps: ({ conversation }) => !conversation.model.includes("lite") && !lastOf(conversation.userTexts).includes("<state_snapshot>"),
  },
  opencode: {
    delegates: { tool: "task", args: { description: "A sub-agent", prompt: BELOW, subagent_type: "general" } },
    compacts: "/compact",
    forks: { command: "/fork", dialog: "Full session", keys: ["Enter"] },
    keeps: ({ conversation }) => !isTitle(conversation.userTexts),
  },
};

function lastOf(texts: readonly string[]): string {
  return texts.at(-1) ?? "";
}

function isTitle(texts: readonly string[]): boolean {
  return texts.some((text) => text.startsWith("Generate a title"));
}

interface Sum {
  readonly requests: number;
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  readonly reasoning: number;
}

const NOTHING: Sum = { requests: 0, input: 0, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 };

function plus(sum: Sum, more: Sum): Sum {
  return {
    requests: sum.requests + more.requests,
    input: sum.input + more.input,
    cache_read: sum.cache_read + more.cache_read,
    cache_write: sum.cache_write + more.cache_write,
    output: sum.output + more.output,
    reasoning: sum.reasoning + more.reasoning,
  };
}

/** The steps of one life, in order: after each, the counts equal those of the mock model exactly. */
describe.each(chosen)("usage of the real $id", (agent) => {
  const ways = WAYS[agent.id];
  let place: AgentFixture;
  /** The session of the answers from this one on. */
  const parts: { readonly session: string; readonly from: number }[] = [];
  const json = <T>(argv: readonly string[]) => place.fixture.json<T>(argv);

  function begin(session: string): void {
    parts.push({ session, from: place.model.answered.length });
  }

  function answersOf(session: string): readonly Answered[] {
    const own = parts.flatMap(({ session: of, from }, index) =>
      of === session ? place.model.answered.slice(from, parts[index + 1]?.from) : [],
    );
    return own.filter((answered) => ways?.keeps(answered) ?? true);
  }

  async function counted(session: string): Promise<Sum> {
    const { groups }: UsageAnswer = await place.fixture.api.usage({ session });
    return groups.flatMap(({ models }) => models).reduce((sum, { requests, tokens }) => plus(sum, { requests, ...tokens }), NOTHING);
  }

  /** Waits only for the last line of a file, so that wrong counts are not corrected by further waiting. */
  async function expectCounted(session: string): Promise<void> {
    const expected = () => answersOf(session).reduce((sum, { counts }) => plus(sum, { requests: 1, ...counts }), NOTHING);
    const same = async () => JSON.stringify(await counted(session)) === JSON.stringify(expected());
    await eventually(async () => ((await same()) ? true : null), 20_000).catch(() => undefined);
    const asked = place.model.answered.map(
      ({ conversation, counts }) =>
        `${counts.input} ${conversation.model} ${conversation.tools.length} ${lastOf(conversation.userTexts).slice(0, 60)}`,
    );
    expect(await counted(session), asked.join("\n")).toEqual(expected());
    expect(place.model.faults).toEqual([]);
  }

  async function turn(session: string, script: Script): Promise<void> {
    begin(session);
    const { id } = await json<TurnAnswer>(["queue", session, "add", prompt(script)]);
    const { stdout } = await place.fixture.tmpm(["turns", session, id, "--wait", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "completed" });
  }

  async function commanded(session: string, command: string): Promise<void> {
    begin(session);
    await json(["send", session, "--as-command", command]);
    await json(["wait", session, "--timeout", "120"]);
  }

  const started = async (name: string) => {
    await json(["new", "--agent", agent.id, "--name", name, "--cwd", place.dir, ...(agent.askingFlags ?? [])]);
    await json(["wait", name, "--timeout", "120"]);
  };

  beforeAll(async () => {
    place = await agentFixture(agent);
    await started("demo");
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 60_000);

  test("a turn, and a request that failed and was repeated", { timeout: LONG }, async () => {
    await turn("demo", { say: "first" });
    await expectCounted("demo");
    await turn("demo", { status: 503, times: 1, say: "again" });
    await expectCounted("demo");
  });

  test("a sub-agent", { timeout: LONG }, async () => {
    if (ways === undefined) return;
    await turn("demo", { calls: [ways.delegates], say: "it was done below" });
    await expectCounted("demo");
  });

  test("another session in the same directory", { timeout: LONG }, async () => {
    await started("beside");
    await turn("beside", { say: "beside" });
    await expectCounted("beside");
    await expectCounted("demo");
  });

  test("a fork, and its following turn", { timeout: LONG }, async (context) => {
    if (ways?.forks === null || ways === undefined) return context.skip(`${agent.id} does not support forks`);
    const { command, dialog, keys } = ways.forks;
    await commanded("demo", command);
    const shows = async (text: string) => (await place.fixture.tmpm(["capture", "demo"])).stdout.includes(text);
    await eventually(async () => ((await shows(dialog)) ? true : null), 30_000);
    if (keys.length > 0) await json(["keys", "demo", ...keys]);
    if (dialog !== "") await eventually(async () => ((await shows(dialog)) ? null : true), 30_000);
    await turn("demo", { say: "in the fork" });
    await expectCounted("demo");
  });

  test("a compaction, and its following turn", { timeout: LONG }, async () => {
    await commanded("demo", ways?.compacts ?? "");
    await turn("demo", { say: "after the compaction" });
    await expectCounted("demo");
  });

  test("a resumed conversation", { timeout: LONG }, async () => {
    await json(["stop", "demo"]);
    await json(["resume", "demo"]);
    await json(["wait", "demo", "--timeout", "120"]);
    await turn("demo", { say: "after the resume" });
    await expectCounted("demo");
    await expectCounted("beside");
  });
});
