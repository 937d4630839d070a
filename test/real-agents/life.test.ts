import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { prompt } from "../mock-model/script.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";

const { TMPM_AGENTS } = process.env;
const chosen = REAL_AGENTS.filter(({ id }) => TMPM_AGENTS === undefined || TMPM_AGENTS.split(",").includes(id));
const LONG = 240_000;

/** The steps of one life, in order: each starts in the final state of the previous one. */
describe.each(chosen)("the real $id", (agent) => {
  let place: AgentFixture;
  const session = "demo";
  const run = async (argv: readonly string[], input?: string) => {
    const result = await place.fixture.tmpm(argv, input === undefined ? {} : { input });
    if (result.code !== 0) throw new Error(`tmpm ${argv.join(" ")}: ${result.code} ${result.stdout}${result.stderr}\n${await screen()}`);
    return result.stdout;
  };
  const screen = async () => (await place.fixture.tmpm(["capture", session])).stdout;
  const until = (states: string) => run(["wait", session, "--for", states, "--timeout", "120"]);

  beforeAll(async () => {
    place = await agentFixture(agent);
  }, 900_000);

  afterAll(() => place[Symbol.asyncDispose](), 60_000);

  test("takes its first prompt and is idle after its answer", { timeout: LONG }, async () => {
    const first = prompt({ say: "first answer" });
    const created = await place.fixture.json<{ receipt: { outcome: string } }>([
      "new",
      "--agent",
      agent.id,
      "--name",
      session,
      "--cwd",
      place.dir,
      ...(agent.askingFlags ?? []),
      "--prompt",
      first,
    ]);
    expect(created.receipt.outcome).toBe("submitted");
    await place.arrived([first]);
    await until("idle");
    expect(await screen()).toContain("first answer");
  });

  test("works while its model thinks, and is idle again", { timeout: LONG }, async () => {
    const text = prompt({ waitMs: 6_000, say: "after a while" });
    expect(await run(["send", session, text])).toMatch(/submitted/);
    await until("working");
    await until("idle");
    await place.arrived([text]);
    expect(await screen()).toContain("after a while");
  });

  test("asks for permission, is allowed, and continues", { timeout: LONG }, async () => {
    const file = join(place.dir, "allowed.txt");
    await run(["send", session, prompt({ run: `touch ${file}`, say: "was allowed" })]);
    await until("awaiting_approval");
    expect(await run(["next"])).toContain(`touch ${file}`);
    expect(existsSync(file)).toBe(false);
    await run(["approve", session]);
    await until("idle");
    await eventually(async () => (existsSync(file) ? true : null));
    expect(await screen()).toContain("was allowed");
  });

  test("asks for permission, is denied, and does not run it", { timeout: LONG }, async () => {
    const file = join(place.dir, "refused.txt");
    await run(["send", session, prompt({ run: `touch ${file}`, say: "was refused" })]);
    await until("awaiting_approval");
    await run(["deny", session]);
    await until("idle");
    expect(existsSync(file)).toBe(false);
  });

  test("is interrupted before its first word", { timeout: LONG }, async () => {
    await run(["send", session, prompt({ waitMs: 60_000, say: "never said" })]);
    await until("working");
    await run(["interrupt", session]);
    await until("idle");
    expect(await screen()).not.toMatch(/^\W*never said/m);
  });

  test("is interrupted while it answers", { timeout: LONG }, async () => {
    await run(["send", session, prompt({ dripMs: 60_000, say: "one two three four five six seven eight nine ten ".repeat(8) })]);
    await until("working");
    await run(["interrupt", session]);
    await until("idle");
  });

  test("takes a prompt while it works, and answers both", { timeout: LONG }, async () => {
    const next = prompt({ say: "and the second" });
    await run(["send", session, prompt({ waitMs: 8_000, say: "the first" })]);
    await until("working");
    await run(["send", session, "--queue", next]);
    await place.arrived([next]);
    await until("idle");
    expect(await screen()).toContain("and the second");
  });

  test("reports that its model failed, and takes the next prompt", { timeout: LONG }, async () => {
    await run(["send", session, prompt({ status: 400 })]);
    await until("errored,idle");
    await run(["send", session, prompt({ say: "works again" })]);
    await until("idle");
    expect(await screen()).toContain("works again");
  });

  test("is stopped, and resumed in the same conversation", { timeout: LONG }, async () => {
    await run(["stop", session]);
    await run(["resume", session]);
    await until("idle");
    const after = prompt({ say: "still here" });
    await run(["send", session, after]);
    await place.arrived([after]);
    const asked = place.model.exchanges.findLast(({ conversation }) => conversation.userTexts.some((text) => text === after));
    expect(asked?.conversation.userTexts.join("\n")).toContain("works again");
    await until("idle");
    expect(place.model.faults).toEqual([]);
  });
});
