import type { QueueAnswer, TurnAnswer } from "@tmpm/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { prompt } from "../mock-model/script.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";

const { TMPM_AGENTS } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const LONG = 240_000;

/** Agents whose transcript has their messages. */
const REPORTING: readonly string[] = ["claude", "codex", "gemini"];

describe.each(chosen)("turns of the real $id", (agent) => {
  let place: AgentFixture;
  const json = <T>(argv: readonly string[]) => place.fixture.json<T>(argv);
  const add = (text: string) => json<TurnAnswer>(["queue", "demo", "add", text]);
  const ended = async ({ id }: TurnAnswer): Promise<TurnAnswer> =>
    JSON.parse((await place.fixture.tmpm(["turns", "demo", id, "--wait", "--json"])).stdout);
  const until = (turn: TurnAnswer, state: TurnAnswer["state"]) =>
    eventually(async () => {
      const now = await json<TurnAnswer>(["turns", "demo", turn.id]);
      return now.state === state ? now : null;
    }, 60_000);

  beforeAll(async () => {
    place = await agentFixture(agent);
    await json(["new", "--agent", agent.id, "--name", "demo", "--cwd", place.dir, ...(agent.askingFlags ?? [])]);
    await json(["wait", "demo", "--timeout", "120"]);
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 60_000);

  test("end with its last message", { timeout: LONG }, async () => {
    const { code, stdout } = await place.fixture.tmpm(["send", "demo", "--follow", prompt({ waitMs: 2_000, say: "the first answer" })]);
    expect(code).toBe(0);
    if (REPORTING.includes(agent.id)) expect(stdout).toBe("the first answer\n");
  });

  test("run one after the other, and are reordered while it works", { timeout: LONG }, async () => {
    const busy = await add(prompt({ waitMs: 40_000, say: "busy" }));
    await until(busy, "running");
    const [one, two] = [await add(prompt({ say: "one" })), await add(prompt({ say: "two" }))];
    const { waiting } = await json<QueueAnswer>(["queue", "demo", "move", two.id, "--front"]);
    expect(waiting.map(({ id }) => id)).toEqual([two.id, one.id]);
    const turns = [await ended(busy), await ended(two), await ended(one)];
    expect(turns.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "completed"]);
    if (REPORTING.includes(agent.id)) expect(turns.map(({ final_message }) => final_message)).toEqual(["busy", "two", "one"]);
    for (const [index, turn] of turns.entries()) {
      const before = turns[index - 1]?.ended_at ?? turn.accepted_at;
      expect(Date.parse(turn.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(before));
    }
  });

  test("are cancelled while it works, and the next one runs", { timeout: LONG }, async () => {
    const hangs = await add(prompt({ hang: true }));
    await until(hangs, "running");
    const next = await add(prompt({ say: "after the cancel" }));
    const cancelled = await json<TurnAnswer>(["cancel", "demo"]);
    expect(cancelled).toMatchObject({ id: hangs.id, outcome: "cancelled", cause: "client_rpc", confirmed: true });
    expect((await ended(next)).outcome).toBe("completed");
  });

  test("wait for an approval, and continue after it; a cancel refuses the request", { timeout: LONG }, async () => {
    const asks = await add(prompt({ run: `touch ${place.dir}/allowed.txt`, say: "was allowed" }));
    const waiting = await until(asks, "waiting_approval");
    expect(waiting.decision_id).not.toBeNull();
    await json(["approve", "demo"]);
    expect((await ended(asks)).outcome).toBe("completed");
    const refused = await add(prompt({ run: `touch ${place.dir}/refused.txt`, say: "was refused" }));
    await until(refused, "waiting_approval");
    expect(await json<TurnAnswer>(["cancel", "demo"])).toMatchObject({ outcome: "cancelled", confirmed: true });
  });
});
