import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/index.js";
import { composerProgram } from "../fixtures/composer-program.js";
import { composer, type Fixture, fixture } from "../fixtures/fixture.js";

/** A fixture that counts the requested screens. */
function counted(options: Parameters<typeof fixture>[0] = {}): Fixture & { looks(): number } {
  let looks = 0;
  const each = fixture({
    ...options,
    lens: (driver) => ({
      ...driver,
      capture: (...args) => {
        looks += 1;
        return driver.capture(...args);
      },
    }),
  });
  return Object.assign(each, { looks: () => looks });
}

describe("wait", () => {
  test("for idle right after a send waits for that prompt's turn, however late it starts, and not indefinitely if none starts", async () => {
    // As OpenCode's first screen: the prompt leaves the input long before its turn is visible.
    const late = { ...composer, id: "late", limits: { ...composer.limits, beginMs: 20_000 }, submitted: () => "it left the input" };
    const program: FakeProgram = (terminal) => {
      const draw = (line: string) => terminal.write(`\n${line}`);
      let draft = "";
      draw("> ");
      return {
        input(text) {
          draft = text === "\r" ? "" : draft + text;
          draw(`> ${draft}`);
          if (text !== "\r" || printed === "nothing") return;
          terminal.after(8_000, () => draw("working"));
          terminal.after(12_000, () => draw("> "));
        },
      };
    };
    let printed = "something";
    const each = fixture({ adapters: [late], programs: { "composer-agent": program } });
    await each.sessions.create({ agent: "late", cwd: "/w", name: "demo" });
    for (const [words, leastMs] of [
      ["something", 12_000],
      ["nothing", 20_000],
    ] as const) {
      printed = words;
      const began = each.tmux.now();
      await each.sessions.send({ session: "demo", text: words });
      expect((await each.sessions.show({ session: "demo" })).activity.state).toBe("working");
      expect((await each.sessions.why({ session: "demo" })).would_change[0]).toMatch(/^the screen or a hook showing the turn/);
      await each.sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 });
      expect(each.tmux.now() - began).toBeGreaterThanOrEqual(leastMs);
      expect(each.tmux.now() - began).toBeLessThan(leastMs + 5_000);
    }
  });

  test("for idle right after an interrupting send also waits for that prompt's turn", async () => {
    const late = { ...composer, id: "late", interrupt: { keys: ["Escape"] } as const, submitted: () => "it left the input" };
    const program: FakeProgram = (terminal) => {
      let [draft, ends] = ["", false];
      const draw = (line: string) => terminal.write(`\n${line}`);
      draw("> ");
      return {
        input(text) {
          if (text === "\r") terminal.after(2_000, () => draw("working"));
          draft = text === "\r" ? "" : draft + text;
          ends ||= text.includes("\u001b") || text === "Escape";
          draw(`> ${ends ? "" : draft}`);
        },
      };
    };
    const each = fixture({ adapters: [late], programs: { "composer-agent": program } });
    await each.sessions.create({ agent: "late", cwd: "/w", name: "demo" });
    await each.sessions.send({ session: "demo", text: "hello" });
    expect(await each.sessions.interrupt({ session: "demo" })).toMatchObject({ outcome: "interrupted" });
  });

  test("for idle right after a prompt was queued waits for its turn", async () => {
    const each = fixture();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    await each.sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 });
    const { turn } = await each.sessions.submit({ session: "demo", prompt: "hello", queue: true });
    await each.sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 });
    expect((await each.sessions.turn({ session: "demo", turn: turn.id })).turn.state).toBe("ended");
  });

  test("for idle does not wait for a prompt that only the user can release", async () => {
    const each = fixture();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    await each.sessions.pause({ session: "demo" });
    await each.sessions.submit({ session: "demo", prompt: "hello", queue: true });
    const { activity } = await each.sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 });
    expect(activity.state).toBe("idle");
  });

  test("that is already satisfied returns at once, after one or two observations", async () => {
    const each = counted();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    each.tmux.advance(5_000);
    const [before, began] = [each.looks(), each.tmux.now()];
    const { activity } = await each.sessions.wait({ session: "demo", until: ["working", "idle"], timeout_ms: 60_000 });
    expect(activity.state).toBe("idle");
    expect(each.looks() - before).toBeLessThanOrEqual(2);
    expect(each.tmux.now() - began).toBeLessThan(1_000);
  });

  test.each(["blocked", "working", "idle"] as const)("ends when the session is %s", async (until) => {
    const each = fixture({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const waiting = each.sessions.wait({ session: "demo", until, timeout_ms: 60_000 });
    if (until !== "blocked") {
      await each.sessions.keys({ session: "demo", keys: ["Enter"] });
      if (until === "working") await each.sessions.send({ session: "demo", text: "hello" });
    }
    expect((await waiting).activity.state).toBe(until);
  });

  test("that times out reports the session's activity, since when, and its source", async () => {
    const each = fixture({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const failure = await each.sessions
      .wait({ session: "demo", until: ["idle", "errored"], timeout_ms: 5_000 })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "TIMEOUT",
      message: expect.stringMatching(/^not idle or errored in time: demo has been blocked for \d+ s \(a dialog\)$/),
      hint: "answer it",
      details: { wanted: ["idle", "errored"], sessions: [{ name: "demo", activity: "blocked", evidence: ["a dialog"] }] },
    });
  });

  test("for an impossible state is refused, and any end counts as an end", async () => {
    const each = fixture();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    await each.sessions.stop({ session: "demo" });
    await expect(each.sessions.wait({ session: "demo", until: "idle", timeout_ms: 1_000 })).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    expect((await each.sessions.wait({ session: "demo", until: "exited", timeout_ms: 1_000 })).record.state).toBe("stopped");
  });

  test("for several sessions ends with the first of them, or with the last", async () => {
    const each = fixture();
    for (const name of ["a", "b"]) await each.sessions.create({ agent: "composer", cwd: "/w", name });
    await each.sessions.stop({ session: "b" });
    const sessions = ["a", "b"];
    const any = await each.sessions.waitMany({ sessions, mode: "any", until: "exited", timeout_ms: 1_000 });
    expect(any.map(({ record }) => record.name)).toEqual(["b"]);
    await expect(each.sessions.waitMany({ sessions, mode: "all", until: "exited", timeout_ms: 1_000 })).rejects.toMatchObject({
      code: "TIMEOUT",
      details: { sessions: [{ name: "a" }] },
    });
    const all = await each.sessions.waitMany({ sessions, mode: "all", until: ["idle", "exited"], timeout_ms: 1_000 });
    expect(all.map(({ record }) => record.name)).toEqual(sessions);
  });

  test("ends early when its caller disconnects", async () => {
    const each = fixture();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const signal = AbortSignal.abort();
    await expect(each.sessions.wait({ session: "demo", until: "exited", timeout_ms: 1e9, signal })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
  });

  test("causes as many observations for a hundred callers as for one", async () => {
    const looks = await Promise.all([1, 100].map(looksOf));
    expect(looks[1]).toBeLessThanOrEqual((looks[0] ?? 0) + 5);
  });

  async function looksOf(waiters: number): Promise<number> {
    const each = counted({ ports: { clock: systemClock } });
    onTestFinished(() => each.sessions.close());
    each.sessions.start();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    const states = ["working", "exited"] as const;
    const waiting = Array.from({ length: waiters }, () => each.sessions.wait({ session: "demo", until: states, timeout_ms: 60_000 }));
    await each.sessions.wait({ session: "demo", until: "idle", timeout_ms: 60_000 });
    const before = each.looks();
    for (let n = 0; n < 5; n++) await each.sessions.keys({ session: "demo", keys: ["a"] });
    await each.sessions.keys({ session: "demo", keys: ["Enter"] });
    expect((await Promise.all(waiting)).map(({ record }) => record.name)).toEqual(Array.from({ length: waiters }, () => "demo"));
    return each.looks() - before;
  }

  test("counts a state that a session was in before the wait, also one that has ended since", async () => {
    const each = fixture();
    const { session } = await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "other" });
    const asked: unknown[] = [];
    const before = async (ids: readonly string[]) => {
      asked.push(ids);
      return [session.record.id];
    };
    const wait = { sessions: ["demo", "other"], mode: "any", until: "blocked", timeout_ms: 0, before } as const;
    expect((await each.sessions.waitMany(wait)).map(({ record }) => record.name)).toEqual(["demo"]);
    expect(asked).toEqual([[session.record.id, expect.any(String)]]);
    await each.sessions.stop({ session: "demo" });
    expect((await each.sessions.waitMany(wait)).map(({ record }) => record.name)).toEqual(["demo"]);
    await expect(each.sessions.waitMany({ ...wait, mode: "all" })).rejects.toMatchObject({ code: "TIMEOUT" });
  });
});
