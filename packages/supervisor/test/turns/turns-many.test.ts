import { createHash } from "node:crypto";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import type { Supervisor } from "../../src/index.js";
import { SCALE, SEED } from "../fixtures/random-prompt.js";
import { realFixture } from "../fixtures/real-fixture.js";
import { ALL_HOSTS } from "../fixtures/sampled-hosts.js";
import { scriptedAgent } from "../fixtures/scripted-agent.js";
import { sharedClock, turnFixture } from "../fixtures/turn-agent.js";
import { turnProgram } from "../fixtures/turn-program.js";

async function ended(sessions: Supervisor, session: string): Promise<readonly (string | null)[]> {
  for (;;) {
    const { running, waiting } = await sessions.queue({ session });
    const last = waiting.at(-1) ?? running.at(-1);
    if (last === undefined) break;
    await sessions.turn({ session, turn: last.turn.id, wait_ms: 60_000 });
  }
  return (await sessions.turns({ session })).map(({ turn }) => turn.outcome);
}

describe("many sessions with queued prompts", () => {
  const many = SCALE >= 10 ? 100 : 10;

  test(`${many} sessions take 10 prompts each, in order and exactly once, while one agent is stuck`, { timeout: 300_000 }, async () => {
    const taken = new Map<string, string[]>();
    const tmux = fakeTmux({
      home: "fixture",
      programs: {
        "turn-agent": (terminal) => {
          const name = terminal.env.TMPM_SESSION_NAME ?? "";
          return turnProgram((prompt) => taken.set(name, [...(taken.get(name) ?? []), prompt]))(terminal);
        },
      },
    });
    const each = turnFixture({ tmux, ports: { clock: sharedClock(tmux) } });
    const names = Array.from({ length: many }, (_, index) => `s${index}`);
    for (const name of ["stuck", ...names]) await each.open(name);
    await each.sessions.submit({ session: "stuck", prompt: "deaf", queue: true });
    await each.sessions.submit({ session: "stuck", prompt: "work 1", queue: true });
    const prompts = Array.from({ length: 10 }, (_, index) => `work ${200 + (index % 4) * 100} #${index}`);
    for (const prompt of prompts) for (const session of names) await each.sessions.submit({ session, prompt, queue: true });
    const outcomes = await Promise.all(names.map((name) => ended(each.sessions, name)));
    expect(new Set(outcomes.flat())).toEqual(new Set(["completed"]));
    for (const name of names) expect(taken.get(name), name).toEqual(prompts);
    expect(taken.get("stuck")).toEqual(["deaf"]);
    expect(await each.sessions.queue({ session: "stuck" })).toMatchObject({ depth: 2 });
    expect(each.events.filter(({ type }) => type === "turn_ended")).toHaveLength(10 * many);
    await each.sessions.close();
  });

  const [real, deep] = SCALE >= 10 ? [10, 5] : [2, 3];
  /** By default on one of them. */
  const hosts = (["tmux", "pty"] as const).filter((_, index) => ALL_HOSTS || index === SEED % 2);

  test.each(hosts)(`${real} sessions on %s take ${deep} prompts each, in order and exactly once`, { timeout: 300_000 }, async (host) => {
    await using fixture = await realFixture({ host });
    fixture.sessions.start();
    const prompts = Array.from({ length: deep }, (_, index) => `prompt ${index};\nwith a second line`);
    const agents = await Promise.all(
      Array.from({ length: real }, async (_, index) => {
        const agent = await scriptedAgent(await fixture.newFolder(), { workMs: 300 });
        await fixture.sessions.create({ agent: "scripted", argv: [agent.path], cwd: fixture.folder, name: `a${index}` });
        return { name: `a${index}`, agent };
      }),
    );
    await Promise.all(
      agents.map(async ({ name }) => {
        for (const prompt of prompts) await fixture.sessions.submit({ session: name, prompt, queue: true });
      }),
    );
    const outcomes = await Promise.all(agents.map(({ name }) => ended(fixture.sessions, name)));
    expect(new Set(outcomes.flat())).toEqual(new Set(["completed"]));
    const digests = prompts.map((prompt) => createHash("sha256").update(prompt).digest("hex"));
    for (const { name, agent } of agents)
      expect(
        (await agent.taken()).map(({ sha256 }) => sha256),
        name,
      ).toEqual(digests);
    const turns = await fixture.sessions.turns({ session: "a0" });
    for (const [index, { turn }] of turns.entries()) {
      const before = turns[index - 1]?.turn.ended_at ?? turn.accepted_at;
      expect(Date.parse(turn.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(before) - 1);
    }
  });
});
