import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REAL_AGENTS } from "../agent-homes.js";
import { type Bed, bed } from "../bed.js";
import type { Host } from "./bench.js";
import { CIRCUMSTANCES, type Circumstance } from "./circumstances.js";
import { deskOf, Wrong } from "./desk.js";

const { TMPM_AGENTS, TMPM_TEST_AGENT_HOSTS = "tmux", TMPM_TEST_SCALE = "1" } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
/** Rows at the end of the screen of a session in which something went wrong. */
const SHOWN_ROWS = 16;
const ROUNDS = Math.ceil(5 * Number(TMPM_TEST_SCALE));
const places = chosen.flatMap((agent) =>
  (TMPM_TEST_AGENT_HOSTS.split(",") as readonly Host[]).map((host) => ({ agent, host, id: agent.id })),
);

describe.each(places)("$id on $host", ({ agent, host }) => {
  let place: Bed;
  let sessions = 0;
  /** Kept as long as nothing goes wrong in it. */
  let session: string | null = null;

  beforeAll(async () => {
    place = await bed(agent);
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 120_000);

  const seated = async () => {
    const name = `case-${sessions++}`;
    const asking = agent.askingFlags ?? [];
    await place.world.json(["new", "--agent", agent.id, "--host", host, "--name", name, "--cwd", place.dir, ...asking]);
    await place.world.json(["wait", name, "--timeout", "300"]);
    return name;
  };

  /** What went wrong in each round; a fresh session follows each. */
  async function rounds({ act }: Circumstance): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      session ??= await seated();
      try {
        await act(deskOf({ bed: place, agent, host }, { session, round }));
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        const { stdout } = await place.world.tmpm(["capture", session]);
        wrong.push(`${round}: ${error.message}\n${stdout.trimEnd().split("\n").slice(-SHOWN_ROWS).join("\n")}`);
        await place.world.tmpm(["stop", session]);
        session = null;
      }
    }
    return wrong;
  }

  test.each(CIRCUMSTANCES.filter(({ agents, hosts }) => (agents?.includes(agent.id) ?? true) && (hosts?.includes(host) ?? true)))(
    "$name",
    {
      timeout: ROUNDS * 300_000 + 300_000,
    },
    async (circumstance) => {
      const wrong = await rounds(circumstance);
      console.info(
        `${agent.id} on ${host}: ${circumstance.name}: ${ROUNDS - wrong.length} of ${ROUNDS}${wrong.map((why) => `\n  ${why}`).join("")}`,
      );
      expect(wrong).toEqual([]);
    },
  );
});
