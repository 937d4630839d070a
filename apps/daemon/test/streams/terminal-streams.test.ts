import { localTransport } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import type { Terminal } from "@tmpm/supervisor";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { collect, eventually, SESSION, streamFixture, terminalOf } from "./stream-fixture.js";

async function fixture(options: Partial<Parameters<typeof streamFixture>[0]> = {}) {
  const tmux = fakeTmux();
  const pane = await tmux.driver.create({
    sessionId: SESSION,
    tmuxName: "tmpm-demo",
    cwd: "/w",
    argv: ["cat"],
    env: {},
    columns: 80,
    rows: 24,
  });
  const terminal: { -readonly [K in keyof Terminal]: Terminal[K] } = terminalOf(tmux.driver, pane.identity);
  const l = await streamFixture({ terminal: async () => terminal, ...options });
  return { ...l, tmux, terminal };
}

describe("a viewer of a terminal", () => {
  test("a viewer that requests more frequent messages gets them", async () => {
    const { socket } = await fixture();
    const received: { readonly type: string; readonly alive_ms?: number }[] = [];
    const opened = await localTransport({ socket }).connect(
      { path: "/v1/sessions/demo/stream?alive_ms=1000", headers: {}, timeoutMs: 10_000 },
      { message: (data) => typeof data === "string" && received.push(JSON.parse(data)), closed: () => undefined },
    );
    await eventually(() => received.find(({ type }) => type === "alive"));
    expect(received[0]).toMatchObject({ type: "hello", alive_ms: 1000 });
    opened.close();
  });

  test("a viewer gets the screen, then every byte at its offset, and the end", async () => {
    const { tmux, follow, latestSeqs } = await fixture();
    expect(latestSeqs()).toEqual(new Map());
    tmux.write("tmpm-demo", "before\n");
    const seen = collect(follow());
    await eventually(() => seen.events[0]);
    tmux.write("tmpm-demo", "after ");
    tmux.write("tmpm-demo", "this");
    await eventually(() => seen.text() === "after this");
    expect(latestSeqs()).toEqual(new Map([[SESSION, 10]]));
    expect(seen.events[0]).toMatchObject({
      kind: "screen",
      reason: null,
      screen: { seq: 0, columns: 80, rows: 24, cursor: { row: 1, column: 0 } },
    });
    expect(seen.events[0]).toMatchObject({ screen: { lines: expect.arrayContaining(["before"]) } });
    tmux.exit("tmpm-demo", 0);
    await seen.done;
    expect(seen.events.at(-1)).toMatchObject({
      kind: "end",
      reason: "exited",
      screen: { seq: 10, lines: expect.arrayContaining(["after this"]) },
    });
  });

  test("a viewer that connects after the program ended gets the last screen, and the end", async () => {
    const { tmux, follow, faults } = await fixture();
    tmux.write("tmpm-demo", "last words");
    tmux.exit("tmpm-demo", 1);
    const seen = collect(follow());
    await seen.done;
    expect(seen.events.at(-1)).toMatchObject({ kind: "end", reason: "exited", screen: { lines: expect.arrayContaining(["last words"]) } });
    expect(faults).toEqual([]);
  });

  test("a viewer resumes at the byte where its connection broke", async () => {
    const { tmux, follow, cut, counts } = await fixture();
    const seen = collect(follow());
    await eventually(() => seen.events[0]);
    for (let round = 0; round < 20; round++) {
      tmux.write("tmpm-demo", `<${round}>`);
      if (round % 4 === 0) cut();
    }
    await eventually(() => seen.text().endsWith("<19>"));
    expect(seen.text()).toBe(Array.from({ length: 20 }, (_, round) => `<${round}>`).join(""));
    expect(seen.kinds().filter((kind) => kind !== "output")).toEqual(["screen first"]);
    expect(counts()).toEqual({ streams: 1, watchers: 1 });
  });

  test.each([
    {
      why: "the missed output is not kept",
      reason: "not_kept",
      ringBytes: 64,
      act: (write: (text: string) => void) => write("x".repeat(200)),
    },
    { why: "tmux did not pass it on", reason: "lost", ringBytes: 4096, act: null },
  ])("gets a new screen when $why", async ({ reason, ringBytes, act }) => {
    const { tmux, follow, cut } = await fixture({ ringBytes });
    const seen = collect(follow());
    await eventually(() => seen.events[0]);
    tmux.write("tmpm-demo", "one ");
    await eventually(() => seen.text() === "one ");
    if (act === null) tmux.loseOutput("tmpm-demo");
    else {
      cut();
      act((text) => tmux.write("tmpm-demo", text));
    }
    await eventually(() => seen.kinds().includes(`screen ${reason}`));
    tmux.write("tmpm-demo", " two");
    await eventually(() => seen.text().endsWith(" two"));
  });

  test("a viewer gets a new screen from another daemon, and its text is still typed once", async () => {
    const { tmux, follow, restart } = await fixture();
    const followed = follow();
    const seen = collect(followed);
    await eventually(() => seen.events[0]);
    await followed.type("a");
    await restart();
    await eventually(() => seen.kinds().includes("screen unknown_stream"));
    await followed.type("b");
    expect(tmux.received("tmpm-demo")).toMatchObject([{ text: "a" }, { text: "b" }]);
  });

  test("a viewer gets the reason why there is no screen", async () => {
    const failing = await fixture({
      terminal: async () => {
        throw new TmpmError("INVALID_STATE", "it does not run");
      },
    });
    await expect(collect(failing.follow()).done).rejects.toMatchObject({ code: "INVALID_STATE", message: "it does not run" });
    const { follow } = await fixture({ most: { watchers: 3, watchersOfOne: 2 } });
    const two = [collect(follow()), collect(follow())];
    for (const { events } of two) await eventually(() => events[0]);
    await expect(collect(follow()).done).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  });

  test("a stream stops when its reader leaves or its signal aborts", async () => {
    const { follow, counts } = await fixture();
    for await (const event of follow()) if (event.kind === "screen") break;
    const abort = new AbortController();
    const seen = collect(follow({ signal: abort.signal }));
    await eventually(() => seen.events[0]);
    abort.abort(new RangeError("enough"));
    await expect(seen.done).rejects.toThrow(RangeError);
    await eventually(() => counts().watchers === 0);
  });
});

describe("input of a viewer", () => {
  test("input is typed once, in order and acknowledged, despite broken connections", async () => {
    const { tmux, follow, cut, terminal } = await fixture();
    const followed = follow();
    collect(followed);
    let done = 0;
    terminal.type = async (input) => {
      if ("text" in input) await tmux.driver.paste(terminal.pane, input.text);
      // It is executed, and its acknowledgement is lost.
      if (++done % 7 === 0) cut();
    };
    await Promise.all(Array.from({ length: 100 }, (_, index) => followed.type(`${index},`)));
    expect(tmux.received("tmpm-demo").map((input) => (input.type === "paste" ? input.text : ""))).toEqual(
      Array.from({ length: 100 }, (_, index) => `${index},`),
    );
  });

  test("input of a watching viewer is refused, and a refused text has its reason", async () => {
    const { tmux, follow, allow } = await fixture();
    const followed = follow();
    collect(followed);
    await expect(followed.keys(["no such key"])).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
    allow(false);
    await expect(followed.type("x")).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
    await expect(followed.resize({ columns: 10, rows: 5 })).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
    expect(tmux.received("tmpm-demo")).toEqual([]);
  });

  test("input whose outcome is lost is unknown", async () => {
    const { terminal, follow, restart } = await fixture();
    const followed = follow({ attempts: 200 });
    const seen = collect(followed);
    await eventually(() => seen.events[0]);
    let begun = false;
    terminal.type = async () => {
      begun = true;
      await new Promise(() => undefined);
    };
    const unsure = expect(followed.paste("x")).rejects.toMatchObject({ code: "UNCONFIRMED", effect: "unknown" });
    await eventually(() => begun);
    await restart();
    await unsure;
  });
});

describe("the size of a terminal", () => {
  test("the size belongs to one viewer until it is released, and every viewer is notified and gets a new screen", async () => {
    const { follow } = await fixture();
    const [one, two] = [follow(), follow()];
    const [seen, other] = [collect(one), collect(two)];
    for (const { events } of [seen, other]) await eventually(() => events[0]);
    await one.resize({ columns: 100, rows: 30 });
    await eventually(() => other.kinds().includes("screen resized"));
    await expect(two.resize({ columns: 50, rows: 20 })).rejects.toMatchObject({ code: "INVALID_STATE" });
    await one.release();
    await two.resize({ columns: 50, rows: 20 });
    await eventually(() => sizes(seen).at(-1)?.columns === 50);
    expect(sizes(seen)).toMatchObject([
      { columns: 100, mine: true },
      { columns: 100, mine: false },
      { columns: 50, mine: false },
    ]);
    await eventually(() => shown(other)?.columns === 50);
  });

  test("the size is free when its holder leaves, which gets it back when it returns", async () => {
    const { follow, cut } = await fixture();
    const [one, two] = [follow(), follow()];
    const seen = collect(one);
    collect(two);
    const taken = () => sizes(seen).filter(({ mine }) => mine).length;
    await one.resize({ columns: 100, rows: 30 });
    await eventually(() => taken() === 1);
    cut();
    await eventually(() => taken() === 2);
    one.close();
    await eventually(
      async () =>
        (await two.resize({ columns: 60, rows: 20 }).then(
          () => true,
          () => false,
        )) || null,
    );
  });

  test("the size is unavailable while a user is attached", async () => {
    const { tmux, follow, terminal } = await fixture({ leaseMs: 60_000 });
    const one = follow();
    const seen = collect(one);
    await one.resize({ columns: 100, rows: 30 });
    tmux.attachViewer("tmpm-demo");
    await eventually(() => sizes(seen).at(-1)?.mine === false || null);
    expect((await terminal.size())?.viewers).toBe(1);
  });
});

function shown({ events }: ReturnType<typeof collect>) {
  return events.flatMap((event) => (event.kind === "screen" ? [event.screen] : [])).at(-1);
}

function sizes({ events }: ReturnType<typeof collect>) {
  return events.flatMap((event) => (event.kind === "size" ? [event] : []));
}
