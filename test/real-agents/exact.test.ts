import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../world.js";
import { REAL_AGENTS } from "./agent-homes.js";
import { type Bed, bed } from "./bed.js";
import { randomPrompts } from "./random-prompts.js";

const { TMPM_AGENTS, TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "1" } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const ARRIVES_MS = 30_000;
const COUNT = 10 * Number(TMPM_TEST_SCALE);

describe.each(chosen)("prompts to $id, the real program,", (agent) => {
  let place: Bed;

  beforeAll(async () => {
    place = await bed(agent);
    await place.world.json(["new", "--agent", agent.id, "--name", "exact", "--cwd", place.dir, "--prompt", "begin"]);
    await place.world.tmpm(["wait", "exact", "--timeout", "120"]);
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 60_000);

  test(`reach the model exactly and once: ${COUNT} of them`, { timeout: COUNT * 60_000 }, async () => {
    const wrong: unknown[] = [];
    for (const text of randomPrompts({ count: COUNT, seed: Number(TMPM_TEST_SEED) })) {
      const sent = await place.world.tmpm(["send", "exact", "--json", "-"], { input: text });
      await place.world.tmpm(["wait", "exact", "--timeout", "120"]);
      const expected = agent.arrives(text);
      const count = () => newest(place).filter((words) => expected.includes(words)).length;
      // The first turn of some begins long after the prompt has left their input.
      await eventually(async () => (count() > 0 ? true : null), ARRIVES_MS).catch(() => undefined);
      const times = count();
      if (sent.code !== 0 || times !== 1) wrong.push({ text: text.slice(0, 200), times, code: sent.code, said: sent.stdout.slice(0, 500) });
    }
    expect(wrong).toEqual([]);
  });
});

/** Each request repeats the conversation: the last one that was made for its user has all of it. */
function newest({ model }: Bed): readonly string[] {
  return model.exchanges.findLast(({ conversation }) => conversation.tools.length > 0)?.conversation.userTexts ?? [];
}
