import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { type FakeTmux, type FakeTmuxOptions, fakeTmux } from "../src/fake/index.js";
import type { CreateSpec, PaneInfo } from "../src/index.js";

const SPEC: CreateSpec = {
  sessionId: "one",
  tmuxName: "tmpm-one",
  cwd: "/home/me",
  argv: ["bash"],
  env: { GREETING: "hi" },
  columns: 40,
  rows: 6,
};

async function open(options: FakeTmuxOptions = {}, spec: Partial<CreateSpec> = {}): Promise<{ fake: FakeTmux; pane: PaneInfo }> {
  const fake = fakeTmux(options);
  return { fake, pane: await fake.driver.create({ ...SPEC, ...spec }) };
}

async function screen(fake: FakeTmux, pane: PaneInfo): Promise<string[]> {
  const { lines } = await fake.driver.capture(pane.identity);
  return lines.filter((line) => line !== "");
}

async function type(fake: FakeTmux, { pane, line }: { readonly pane: PaneInfo; readonly line: string }): Promise<void> {
  await fake.driver.paste(pane.identity, line);
  await fake.driver.keys(pane.identity, ["Enter"]);
}

describe("fake shell", () => {
  test("echoes input on the cursor's row and runs it on Enter", async () => {
    const { fake, pane } = await open();
    await fake.driver.paste(pane.identity, "echo it-works $GREETING '$x'");
    expect(await screen(fake, pane)).toEqual(["$ echo it-works $GREETING '$x'"]);
    expect((await fake.driver.capture(pane.identity)).cursor).toEqual({ column: 30, row: 0, visible: true });
    await fake.driver.keys(pane.identity, ["Enter"]);
    expect(await screen(fake, pane)).toEqual(["$ echo it-works $GREETING '$x'", "it-works hi $x", "$"]);
  });

  test("is in the foreground except during a sleep, which ends with virtual time", async () => {
    const { fake, pane } = await open();
    await type(fake, { pane, line: "sleep 5; echo done" });
    await fake.driver.paste(pane.identity, "echo ahead");
    const look = async () => fake.driver.find(pane.identity);
    expect(await look()).toMatchObject({ value: { foreground: false, command: "sleep" } });
    fake.advance(4999);
    expect(await look()).toMatchObject({ value: { foreground: false } });
    fake.advance(1);
    expect(await look()).toMatchObject({ value: { foreground: true, command: "bash" } });
    expect(await screen(fake, pane)).toEqual(["$ sleep 5; echo done", "done", "$ echo ahead"]);
  });

  test("handles C-c, BSpace, C-d and exit", async () => {
    const { fake, pane } = await open();
    await type(fake, { pane, line: "sleep 100" });
    await fake.driver.keys(pane.identity, ["C-c"]);
    await type(fake, { pane, line: "echo $?" });
    await fake.driver.keys(pane.identity, ["a", "b", "BSpace"]);
    expect(await screen(fake, pane)).toEqual(["$ sleep 100", "^C", "$ echo $?", "130", "$ a"]);
    await fake.driver.keys(pane.identity, ["C-c"]);
    await type(fake, { pane, line: "exit 3" });
    expect(await fake.driver.find(pane.identity)).toMatchObject({ value: { exit: { status: 3, signal: null } } });
    const other = await fake.driver.create({ ...SPEC, sessionId: "two", tmuxName: "two" });
    await fake.driver.keys(other.identity, ["C-d"]);
    expect(await fake.driver.find(other.identity)).toMatchObject({ value: { exit: { status: 0 } } });
  });

  test("keeps a pasted line break in its line, and scrolls into history", async () => {
    const { fake, pane } = await open();
    await type(fake, { pane, line: "echo a\necho b" });
    expect(await screen(fake, pane)).toEqual(["$ echo a", "echo b", "a", "b", "$"]);
    await type(fake, { pane, line: "seq 20" });
    const all = await fake.driver.capture(pane.identity, { history: 3 });
    expect(all.lines.slice(0, 4)).toEqual(["13", "14", "15", "16"]);
    expect(all.historySize).toBe(20);
  });

  test("runs a script and an unknown program to their end like a real shell", async () => {
    const { pane } = await open({}, { argv: ["sh", "-c", "echo gone; exit 3"] });
    expect(pane.exit).toMatchObject({ status: 3 });
    const { fake, pane: missing } = await open({}, { argv: ["/opt/no-such"] });
    expect(missing.exit).toMatchObject({ status: 127 });
    expect(await screen(fake, missing)).toEqual(["sh: exec: no-such: not found"]);
  });
});

describe("controlling the fake", () => {
  test("sets screens, titles, exits, modes and viewers", async () => {
    const { fake, pane } = await open();
    fake.draw("one", ["> hello", "? for shortcuts"]);
    fake.setTitle("one", "working");
    const detach = fake.attachViewer("tmpm-one");
    fake.setMode("one", true);
    expect(await fake.driver.capture(pane.identity)).toMatchObject({
      title: "working",
      cursor: { column: 15, row: 1 },
      pane: { viewers: 1, inMode: true },
    });
    detach();
    detach();
    fake.setMode("one", false);
    fake.exit("one", { signal: 9 });
    expect(await fake.driver.find(pane.identity)).toMatchObject({ value: { viewers: 0, exit: { status: null, signal: 9 } } });
    fake.close("one");
    expect(await fake.driver.find(pane.identity)).toMatchObject({ kind: "absent" });
  });

  test("keeps sent text, also for a program that shows nothing", async () => {
    const seen: string[] = [];
    const quiet = () => ({ input: (text: string) => void seen.push(text) });
    const { fake, pane } = await open({ programs: { quiet } }, { argv: ["/usr/bin/quiet"] });
    await type(fake, { pane, line: "hello" });
    expect(fake.received("one")).toEqual([
      { type: "paste", text: "hello" },
      { type: "keys", keys: ["Enter"] },
    ]);
    expect(seen).toEqual(["hello", "\r"]);
  });

  test("restarts pane ids after a restart, and the old pane is gone", async () => {
    const { fake, pane } = await open();
    fake.restartServer();
    expect(await fake.driver.list()).toEqual({ kind: "present", value: [] });
    const now = await fake.driver.create(SPEC);
    expect(now.identity.pane_id).toBe(pane.identity.pane_id);
    expect(await fake.driver.find(pane.identity)).toMatchObject({ kind: "absent" });
    await expect(fake.driver.keys(pane.identity, ["x"])).rejects.toMatchObject({ code: "PANE_FOREIGN" });
  });

  test("a stopped server neither answers, acts nor reports until it continues", async () => {
    const { fake, pane } = await open();
    const events: string[] = [];
    fake.driver.watch(({ type }) => events.push(type));
    fake.stopServer();
    expect(await fake.driver.list()).toMatchObject({ kind: "unknown", error: { code: "TMUX_UNRESPONSIVE", effect: "none" } });
    await expect(fake.driver.paste(pane.identity, "x")).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "unknown" });
    fake.continueServer();
    expect(await screen(fake, pane)).toEqual(["$"]);
    expect(events).toEqual(["look", "look"]);
  });

  test("a requested failure happens once: rejected, lost on the way back, or never answered", async () => {
    const { fake, pane } = await open();
    fake.failNext("paste", new TmpmError("TMUX_FAILED", "no"));
    fake.failNext("paste", "unknown");
    await expect(fake.driver.paste(pane.identity, "a")).rejects.toMatchObject({ code: "TMUX_FAILED" });
    await expect(fake.driver.paste(pane.identity, "b")).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "unknown" });
    await fake.driver.paste(pane.identity, "c");
    expect(await screen(fake, pane)).toEqual(["$ bc"]);
    fake.failNext("find", "hang");
    let answer: unknown = "none yet";
    const call = fake.driver.find(pane.identity).then((value) => {
      answer = value;
    });
    fake.advance(2999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answer).toBe("none yet");
    fake.advance(1);
    await call;
    expect(answer).toMatchObject({ kind: "unknown", error: { effect: "none" } });
  });

  test("an external clock moves time too", async () => {
    let now = 1_000_000;
    const { fake, pane } = await open({ clock: { now: () => now } });
    await type(fake, { pane, line: "sleep 2" });
    now += 2000;
    expect(await fake.driver.find(pane.identity)).toMatchObject({ value: { foreground: true } });
    expect(fake.now()).toBe(1_002_000);
  });

  test("a program that ignores SIGKILL survives, and its session stays", async () => {
    const { fake, pane } = await open({ programs: { undying: () => ({ signal: () => "stays" }) } }, { argv: ["undying"] });
    expect(await fake.driver.kill(pane.identity, { graceMs: 100 })).toMatchObject({ survivors: [pane.pid], exit: null });
    expect(await fake.driver.find(pane.identity)).toMatchObject({ kind: "present", value: { exit: null } });
  });
});
