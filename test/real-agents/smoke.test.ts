import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { figuresOf, isFaulty } from "../judge/figures.js";
import type { HostileText } from "../judge/hostile-texts.js";
import { prose } from "../judge/text-kinds.js";
import { prompt } from "../mock-model/script.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";
import { tryTexts } from "./judge/try-texts.js";
import { agentPrograms } from "./programs.js";

const { TMPM_AGENTS } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const LONG_MS = 900_000;

const PICTURE = readdirSync(join(import.meta.dirname, "../../docs/pictures")).find((name) => name.endsWith(".png")) ?? "";

/** One for each way in which a text can be misinterpreted. */
const TEXTS: readonly HostileText[] = [
  "Rename the function and run its tests.",
  "Three lines:\n  indented, 漢字 and ünïcode\nand the last.",
  "/clear the cache in redis",
  "thumbs 👍🏽 and a family 👨‍👩‍👧‍👦",
  'it\'s "both" `and` $HOME \\n @nobody # !',
  prose(3_000),
  "/usr/bin/env",
  // An existing image.
  join(import.meta.dirname, "../../docs/pictures", PICTURE),
].map((text, number) => ({ number, kind: "smoke", moment: number === 0 ? "first" : "idle", text }));

const missing = await agentPrograms().then(
  () => null,
  (error: unknown) => `the agents could not be had from npm: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`,
);

/** A few minutes with each real agent, as the minimum for every change. `npm run test:agents` runs the whole suite. */
describe.each(chosen)("the real $id", (agent) => {
  let place: AgentFixture;

  beforeAll(async () => {
    if (missing === null) place = await agentFixture(agent);
  }, LONG_MS);

  afterAll(() => place?.[Symbol.asyncDispose](), LONG_MS);

  test("receives each text exactly, as declared, or not at all, as the receipt states", {
    timeout: LONG_MS,
    retry: 1,
  }, async (context) => {
    if (missing !== null) return context.skip(missing);
    const cases = await tryTexts(
      { agentFixture: place, agent, host: "tmux" },
      { texts: TEXTS, until: Number.POSITIVE_INFINITY, done: () => undefined },
    );
    const figures = figuresOf({ who: agent.id, seed: 0, cases });
    console.info(figures);
    expect(cases.filter(isFaulty), figures).toEqual([]);
  });

  test("asks, is allowed, and ends its turn", { timeout: LONG_MS, retry: 1 }, async (context) => {
    if (missing !== null) return context.skip(missing);
    const { fixture, dir } = place;
    await fixture.tmpm(["rm", "asks"]);
    await fixture.json(["new", "--agent", agent.id, "--name", "asks", "--cwd", dir, ...(agent.askingFlags ?? [])]);
    await fixture.json(["wait", "asks", "--timeout", "300"]);
    await fixture.json(["send", "asks", prompt({ run: `touch ${dir}/allowed`, say: "was allowed" })]);
    await fixture.json(["wait", "asks", "--for", "awaiting_approval", "--timeout", "300"]);
    await fixture.json(["approve", "asks"]);
    await fixture.json(["wait", "asks", "--timeout", "300"]);
    const { stdout } = await fixture.tmpm(["capture", "asks"]);
    expect(stdout).toContain("was allowed");
  });
});
