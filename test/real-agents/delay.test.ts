import { observationOf, readScreen } from "@tmpm/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prompt } from "../mock-model/script.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";
import { type Seen, watchScreen } from "./watch-screen.js";

const { TMPM_AGENTS, TMPM_TEST_SCALE = "1" } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const TURNS = 5 * Number(TMPM_TEST_SCALE);
const WORK_MS = 3_000;

/** Half of the time that the peers need to detect a change (they poll every 500 to 2,000 ms), on a machine that is busy with the agent. */
const MEDIAN_MS = 500;

describe.each(chosen)("state of the real $id", (agent) => {
  let place: AgentFixture;

  beforeAll(async () => {
    place = await agentFixture(agent);
    await place.fixture.json(["new", "--agent", agent.id, "--name", "delay", "--cwd", place.dir, "--prompt", "begin"]);
    await place.fixture.tmpm(["wait", "delay", "--timeout", "120"]);
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 60_000);

  test("is reported soon after it is visible", { timeout: TURNS * 60_000 }, async () => {
    const pane = await place.fixture.json<{ pane: { pane_id: string } }>(["show", "delay"]);
    const watching = watchScreen({
      socket: place.fixture.tmuxSocket,
      paneId: pane.pane.pane_id,
      read: (recording) => readScreen(agent.id, observationOf(recording)).state,
    });
    for (let turn = 0; turn < TURNS; turn++) {
      await place.fixture.tmpm(["send", "delay", prompt({ waitMs: WORK_MS, say: `turn ${turn}` })]);
      await place.fixture.tmpm(["wait", "delay", "--for", "working", "--timeout", "30"]);
      await place.fixture.tmpm(["wait", "delay", "--timeout", "120"]);
    }
    const shown = await watching.stop();
    const printed = await place.fixture.tmpm(["events", "delay", "--type", "session_activity_changed", "--json"]);
    const events = printed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
    const reported = events.map((event) => ({ state: event.activity.state, at: Date.parse(event.at) }));
    const delays = delaysOf(shown, reported);
    const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN;
    console.info(
      `${agent.id}: ${delays.length} changes, reported after ${at(0.5)} ms (median), ${at(0.95)} ms (95 %); below 0 a hook was faster`,
    );
    expect(delays.length).toBeGreaterThanOrEqual(TURNS);
    expect(at(0.5)).toBeLessThan(MEDIAN_MS);
  });
});

interface Event {
  readonly at: string;
  readonly activity: { readonly state: string };
}

const NEAR_MS = 5_000;

/** Delay from each change on the screen to its report, in ms, sorted. */
function delaysOf(shown: readonly Seen[], reported: readonly Seen[]): readonly number[] {
  return shown
    .flatMap((change) => {
      const near = reported
        .filter(({ state, at }) => state === change.state && Math.abs(at - change.at) < NEAR_MS)
        .map(({ at }) => at - change.at);
      return near.sort((a, b) => Math.abs(a) - Math.abs(b)).slice(0, 1);
    })
    .sort((a, b) => a - b);
}
