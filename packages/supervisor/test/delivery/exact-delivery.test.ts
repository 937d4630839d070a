import { createHash } from "node:crypto";
import { hasCode, parseText } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { chanceOf, forbiddenPrompt, randomPrompt, SCALE, SEED } from "../fixtures/random-prompt.js";
import { launchedLongAgo, type RealFixture, realFixture } from "../fixtures/real-fixture.js";
import { ALL_HOSTS, oneIn } from "../fixtures/sampled-hosts.js";
import { type ScriptedBehaviour, scriptedAgent } from "../fixtures/scripted-agent.js";

/** The behaviour of each agent, and the maximum number of its prompts; 100 together, times the scale. */
const AGENTS: readonly (readonly [string, ScriptedBehaviour, number])[] = [
  ["takes everything at once", {}, 28],
  ["asks for no frames", { framed: false }, 20],
  ["draws late", { echoMs: 120 }, 12],
  ["drops an Enter that comes with the paste", { dropEnterMs: 80 }, 16],
  ["works on every prompt, and takes the next one meanwhile", { workMs: 400 }, 20],
  ["loses the first Enter for every prompt", { swallowEach: 1 }, 2],
  ["mounts late", { mountMs: 1_500, paintFirst: true }, 2],
];

/** Agents that get a megabyte at once. */
const BIG = SCALE >= 10 ? [0, 1] : [SEED % 2];

const ALL = AGENTS.map((_, index) => index);
/** The agents on each host, and the share of their prompts. By default few of those that cost a process for every session. */
const HOSTS = [
  { host: "tmux", on: "a real tmux", agents: ALL, share: SCALE >= 10 ? 1 : 0.3, every: 1 },
  { host: "pty", on: "PTYs of ours", agents: ALL_HOSTS ? ALL : [SEED % 5], share: ALL_HOSTS ? 1 : 0.3, every: ALL_HOSTS ? 1 : 3 },
] as const;

test.each(HOSTS)(
  `prompts to agents with different behaviours on $on arrive once, in order and byte for byte, or are refused (seed ${SEED})`,
  {
    timeout: 90_000 + 60_000 * SCALE,
  },
  async ({ host, agents, share }) => {
    await using fixture = await realFixture({ host, settings: { confirmMs: 8_000 } });
    const results = await Promise.all(agents.map((index) => deliverAll(fixture, { index, share })));
    for (const { habit, expected, taken, outcomes } of results) {
      expect([...new Set(outcomes)], habit).toEqual(["submitted screen"]);
      expect(taken, habit).toEqual(expected);
    }
    const sent = results.reduce((sum, { taken }) => sum + taken.length, 0);
    const refused = results.reduce((sum, each) => sum + each.refused, 0);
    console.log(`${host}: ${sent} prompts arrived exactly, ${refused} were refused`);
    expect(refused).toBeGreaterThan(0);
  },
);

async function deliverAll(fixture: RealFixture, { index, share }: { readonly index: number; readonly share: number }) {
  const [habit, behaviour, most] = AGENTS[index] ?? ["", {}, 0];
  const count = Math.ceil(most * share) * SCALE;
  const chance = chanceOf(index);
  const agent = await scriptedAgent(await fixture.newFolder(), behaviour);
  const { session } = await fixture.sessions.create({ agent: "scripted", argv: [agent.path], cwd: fixture.folder, name: `a${index}` });
  // An Enter that a young agent seems to have lost is awaited for a long time.
  if (behaviour.swallowEach !== undefined) await grownUp(fixture, session.record.id);
  const expected: string[] = [];
  const outcomes: string[] = [];
  let refused = await refuses(fixture, { id: session.record.id, text: forbiddenPrompt(chance) });
  for (let n = 0; n < count; n++) {
    if (n % 10 === 9) refused += await refuses(fixture, { id: session.record.id, text: forbiddenPrompt(chance) });
    const text = randomPrompt(chance, { big: n === 5 && BIG.includes(index) });
    const { receipt } = await fixture.sessions.send({ session: session.record.id, text, timeout_ms: 60_000 });
    outcomes.push(`${receipt.outcome} ${receipt.reason}`);
    expected.push(digest(parseText(text)));
    if (receipt.outcome !== "submitted") {
      console.log(
        habit,
        n,
        JSON.stringify(text.slice(0, 200)),
        receipt,
        (await fixture.sessions.capture({ session: session.record.id })).lines.join("\n"),
      );
      break;
    }
  }
  return { habit, expected, outcomes, refused, taken: (await agent.taken()).map(({ sha256 }) => sha256) };
}

async function grownUp(fixture: RealFixture, id: string): Promise<void> {
  await fixture.sessions.wait({ session: id, until: "idle", timeout_ms: 60_000 });
  await launchedLongAgo(fixture, id);
}

async function refuses(fixture: RealFixture, { id, text }: { readonly id: string; readonly text: string }): Promise<number> {
  try {
    await fixture.sessions.send({ session: id, text });
    return 0;
  } catch (error) {
    return hasCode(error, "INVALID_TEXT") ? 1 : 0;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

describe.each(HOSTS)("on $on, an agent that is not ready", ({ host, every }) => {
  const declare = oneIn(every);

  declare("with a dialog, a draft, scrolled or never mounted gets no text, and the receipt says why", async () => {
    await using fixture = await realFixture({ host });
    const cases: readonly (readonly [string, ScriptedBehaviour, "blocked" | "idle" | null])[] = [
      ["dialog", { dialog: true }, "blocked"],
      ["draft", { draft: "mine" }, "idle"],
      ["starting", { never: true }, null],
      ...(host === "tmux" ? [["copy_mode", {}, "idle"] as const] : []),
    ];
    const outcomes = await Promise.all(
      cases.map(async ([reason, behaviour, shown]) => {
        const agent = await scriptedAgent(await fixture.newFolder(), behaviour);
        const name = reason.replace("_", "-");
        await fixture.sessions.create({ agent: "scripted", argv: [agent.path], cwd: fixture.folder, name });
        if (shown !== null) await fixture.sessions.wait({ session: name, until: shown, timeout_ms: 60_000 });
        if (reason === "copy_mode") await fixture.scroll(name);
        const { receipt } = await fixture.sessions.send({ session: name, text: "hello", timeout_ms: 1_000 });
        return [reason, receipt.outcome, receipt.reason, (await agent.taken()).length];
      }),
    );
    expect(outcomes).toEqual(cases.map(([reason]) => [reason, "refused", reason, 0]));
  });

  declare("gets queued texts in order once its dialog is answered", async () => {
    await using fixture = await realFixture({ host });
    const agent = await scriptedAgent(await fixture.newFolder(), { dialog: true, mountMs: 300 });
    await fixture.sessions.create({ agent: "scripted", argv: [agent.path], cwd: fixture.folder, name: "demo" });
    await fixture.sessions.wait({ session: "demo", until: "blocked", timeout_ms: 60_000 });
    const first = await fixture.sessions.send({ session: "demo", text: "one", queue: true });
    const second = await fixture.sessions.send({ session: "demo", text: "two", no_wait: true });
    expect([first, second].map(({ receipt }) => `${receipt.outcome} ${receipt.reason}`)).toEqual(["held dialog", "held accepted"]);
    expect(second.receipt.evidence).toEqual(["it waits until the session is ready or ends, or it is cancelled"]);
    await fixture.sessions.keys({ session: "demo", keys: ["Enter"] });
    const last = async () => (await fixture.sessions.receipt({ session: "demo", send: second.receipt.id ?? "" })).receipt.outcome;
    await expect.poll(last).toBe("submitted");
    expect((await agent.taken()).map(({ sha256 }) => sha256)).toEqual(["one", "two"].map(digest));
  });

  declare("concurrent senders never interleave, and a resize between them loses nothing", async () => {
    await using fixture = await realFixture({ host });
    const agent = await scriptedAgent(await fixture.newFolder(), { dropEnterMs: 50 });
    await fixture.sessions.create({ agent: "scripted", argv: [agent.path], cwd: fixture.folder, name: "demo" });
    const texts = Array.from({ length: 8 }, (_, n) => `${n} ${"prompt ".repeat(n * n * 10)}\nend ${n}`);
    const sending = texts.map((text) => fixture.sessions.send({ session: "demo", text, timeout_ms: 60_000 }));
    await (await fixture.sessions.terminal({ session: "demo" })).resize({ columns: 70, rows: 20 });
    const receipts = await Promise.all(sending);
    expect(receipts.map(({ receipt }) => receipt.outcome)).toEqual(texts.map(() => "submitted"));
    expect((await agent.taken()).map(({ sha256 }) => sha256)).toEqual(texts.map(digest));
  });
});
