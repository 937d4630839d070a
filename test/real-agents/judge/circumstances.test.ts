import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentFixture, agentFixture } from "../agent-fixture.js";
import { REAL_AGENTS } from "../agent-homes.js";
import { CIRCUMSTANCES, type Circumstance } from "./circumstances.js";
import { deskOf, Wrong } from "./desk.js";
import type { Host } from "./judge-fixture.js";

const { TMPM_AGENTS, TMPM_TEST_AGENT_HOSTS = "tmux", TMPM_TEST_SCALE = "1" } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
/** Rows at the end of a failed session's screen. */
const SHOWN_ROWS = 16;
const ROUNDS = Math.ceil(5 * Number(TMPM_TEST_SCALE));
const places = chosen.flatMap((agent) =>
  (TMPM_TEST_AGENT_HOSTS.split(",") as readonly Host[]).map((host) => ({ agent, host, id: agent.id })),
);

describe.each(places)("$id on $host", ({ agent, host }) => {
  let place: AgentFixture;
  let sessions = 0;
  /** Reused as long as nothing fails in it. */
  let session: string | null = null;

  beforeAll(async () => {
    place = await agentFixture(agent);
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 120_000);

  const seated = async () => {
    const name = `case-${sessions++}`;
    const asking = agent.askingFlags ?? [];
    await place.fixture.json(["new", "--agent", agent.id, "--host", host, "--name", name, "--cwd", place.dir, ...asking]);
    await place.fixture.json(["wait", name, "--timeout", "300"]);
    return name;
  };

  /** The failures of each round; each is followed by a new session. */
  async function rounds({ act }: Circumstance): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      session ??= await seated();
      try {
        await act(deskOf({ agentFixture: place, agent, host }, { session, round }));
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        const { stdout } = await place.fixture.tmpm(["capture", session]);
        wrong.push(`${round}: ${error.message}\n${stdout.trimEnd().split("\n").slice(-SHOWN_ROWS).join("\n")}`);
        await place.fixture.tmpm(["stop", session]);
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
