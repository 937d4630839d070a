import type { TurnAnswer } from "@tmpm/api";
import { afterAll, beforeAll, describe, test } from "vitest";
import { eventually } from "../fixture.js";
import { prompt } from "../mock-model/script.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";
import { check, type Desk, deskOf } from "./judge/desk.js";
import { goesOn } from "./judge/going-on.js";
import { limited } from "./judge/limited.js";

const { TMPM_AGENTS } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const LONG = 300_000;
/** Time for a refused agent to stop retrying, in ms. */
const TRIES_MS = 15_000;

/** An overloaded model is not a usage limit, whether the agent gives up or retries. */
async function overloaded(desk: Desk): Promise<void> {
  const { api } = desk.agentFixture.fixture;
  const { id } = await desk.send(prompt({ status: 529 }));
  const ended = await eventually(async () => {
    const { activity } = await api.show({ session: desk.session });
    check(activity.limit === null, `an overload was taken for a limit: ${JSON.stringify(activity.limit)}`);
    return (await desk.turn(id)).state === "ended" ? true : null;
  }, TRIES_MS).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith("waited")) return false;
    throw error;
  });
  if (!ended) await desk.run(["cancel", desk.session]);
  const { outcome, code } = await desk.ended(await desk.turn(id));
  check(outcome === (ended ? "failed" : "cancelled"), `the turn ended ${outcome}`);
  check(code !== "USAGE_LIMIT", "the turn failed for a usage limit");
  await goesOn(desk);
}

describe.each(chosen)("a limit of the real $id", (agent) => {
  let place: AgentFixture;
  const desk = () => deskOf({ agentFixture: place, agent, host: "tmux" }, { session: "demo", round: 1 });

  beforeAll(async () => {
    place = await agentFixture(agent);
    await place.fixture.json(["new", "--agent", agent.id, "--name", "demo", "--cwd", place.dir, ...(agent.askingFlags ?? [])]);
    await place.fixture.json(["wait", "demo", "--timeout", "120"]);
    // Some are still starting when they accept text.
    const { id } = await place.fixture.json<TurnAnswer>(["queue", "demo", "add", prompt({ say: "ready" })]);
    await place.fixture.tmpm(["turns", "demo", id, "--wait"]);
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 60_000);

  test("is not an overloaded model (529)", { timeout: LONG }, () => overloaded(desk()));

  test("is a state with its source and its reset (429), and the next prompt is answered", { timeout: LONG }, () => limited(desk()));
});
