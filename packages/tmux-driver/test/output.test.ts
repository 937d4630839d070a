import { expect, test } from "vitest";
import { eventually, present } from "../src/contract/expect.js";
import { create, shows } from "../src/contract/sessions.js";
import { type OutputEvent, type PaneInfo, type TmuxDriver, tmuxDriver } from "../src/index.js";
import { openTmux, type TmuxFixture } from "./tmux-fixture.js";

const script = (text: string) => ["/bin/sh", "-c", text] as const;
const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
/** Endless, and faster than any reader. */
const COUNTER = script("exec seq -f n%.0f 1 1000000000");
/** Endless, in bursts that leave processor time to others. */
const BURSTS = script("i=0; while :; do i=$((i+1)); echo n$i; [ $((i % 500)) -ne 0 ] || sleep 0.01; done");

/** Collects at the given `pace`. */
async function collect(
  driver: TmuxDriver,
  { pane, pace }: { readonly pane: PaneInfo; readonly pace?: (event: OutputEvent) => Promise<void> },
) {
  const events: OutputEvent[] = [];
  const subscription = await driver.output(pane.identity, async (event) => {
    events.push(event);
    await pace?.(event);
  });
  return { events, subscription };
}

/** The numbers in a screen and in the chunks after it, up to the next screen. */
function counted(events: readonly OutputEvent[], from: number): number[] {
  const first = events[from];
  if (first === undefined || !("screen" in first)) return [];
  const { lines, cursor } = first.screen;
  const behind = events.slice(from + 1);
  const end = behind.findIndex((event) => "screen" in event);
  const chunks = (end < 0 ? behind : behind.slice(0, end)).flatMap((event) => (event.type === "chunk" ? [event.bytes] : []));
  // The cursor may be before the text of its row: between a carriage return and its line feed.
  const shown = lines.slice(0, cursor.row + 1).join("\n");
  const whole = `${shown}${Buffer.concat(chunks).toString()}`.split("\n").slice(1, -1);
  return whole.map((line) => Number(/^n(\d+)\r?$/.exec(line)?.[1] ?? Number.NaN));
}

function expectUnbroken(numbers: readonly number[]): void {
  expect(numbers.length).toBeGreaterThan(20);
  const broken = numbers.findIndex((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1);
  expect(numbers.slice(Math.max(0, broken - 2), broken + 2), "the numbers around a break").toEqual(broken < 0 ? numbers.slice(0, 1) : []);
}

const bytesOf = (events: readonly OutputEvent[]) =>
  events.reduce((sum, event) => sum + (event.type === "chunk" ? event.bytes.length : 0), 0);
const gapIn = (events: readonly OutputEvent[]) => events.findIndex(({ type }) => type === "gap");
/**
 * The screen before the remaining output: the first, or that of the last gap. On a busy machine tmux drops output that is unread for two
 * seconds.
 */
const lastScreen = (events: readonly OutputEvent[]) => events.findLastIndex((event) => "screen" in event);

test("between screen and stream, no byte is lost or repeated", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: BURSTS });
  await shows(fixture, { pane, text: "n" });
  for (let start = 0; start < (scale < 10 ? 3 * scale : 10); start++) {
    const { events, subscription } = await collect(fixture.driver, { pane });
    await eventually(
      async () => bytesOf(events.slice(lastScreen(events))),
      (bytes) => bytes > 50_000,
    );
    subscription.close();
    expectUnbroken(counted(events, lastScreen(events)));
  }
});

test("a slow listener delays neither the program nor others, and continues after a fresh screen", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: COUNTER });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = await collect(fixture.driver, { pane, pace: (event) => (event.type === "chunk" ? held : Promise.resolve()) });
  const fast = await collect(fixture.driver, { pane });
  await eventually(
    async () => bytesOf(fast.events),
    (bytes) => bytes > 1_500_000,
  );
  expect(slow.events.length).toBeLessThanOrEqual(2);
  release();
  await eventually(
    async () => slow.events.slice(lastScreen(slow.events)),
    (after) => gapIn(slow.events) > 0 && bytesOf(after) > 20_000,
  );
  slow.subscription.close();
  fast.subscription.close();
  const gap = slow.events[gapIn(slow.events)];
  expect(gap?.offset).toBeGreaterThan(1_000_000);
  expectUnbroken(counted(slow.events, lastScreen(slow.events)));
  expectUnbroken(counted(fast.events, lastScreen(fast.events)));
});

test("output dropped by tmux, a detached client and a moved pane are gaps, and the stream continues", async () => {
  const fixture = await openTmux({}, tmuxDriver);
  const pane = await create(fixture, { id: "one", argv: BURSTS });
  const { events, subscription } = await collect(fixture.driver, { pane });
  const goesOn = async (disturb: (client: string) => Promise<unknown>) => {
    const from = events.length;
    await disturb(await readerOf(fixture));
    const later = () => events.slice(from);
    await eventually(
      async () => later().slice(lastScreen(later())),
      (after) => gapIn(later()) >= 0 && bytesOf(after) > 20_000,
    );
    const after = later();
    expectUnbroken(counted(after, lastScreen(after)));
  };
  await goesOn((client) => fixture.tmux("refresh-client", "-t", client, "-A", `${pane.identity.pane_id}:pause`));
  await goesOn((client) => fixture.tmux("detach-client", "-t", client));
  await fixture.tmux("new-session", "-d", "-s", "theirs", "sleep 1000");
  await goesOn(() => fixture.tmux("move-window", "-s", pane.identity.pane_id, "-t", "theirs:9"));
  subscription.close();
  await eventually(
    () => fixture.tmux("list-clients", "-F", "#{client_flags}"),
    (flags) => !flags.includes("pause-after"),
  );
});

test("reading changes no size, counts no viewer and keeps no session alive", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: script("echo ready; exec cat") });
  const other = await create(fixture, { id: "two", argv: script("exec cat") });
  await fixture.tmux("new-window", "-t", `=${pane.tmuxName}:`, "exec cat");
  const { events, subscription } = await collect(fixture.driver, { pane });
  await eventually(
    async () => events.length,
    (length) => length > 0,
  );
  expect(present(await fixture.driver.find(pane.identity))).toMatchObject({ viewers: 0, columns: 80, rows: 24 });
  expect((await fixture.tmux("display-message", "-p", "-t", `=${pane.tmuxName}:`, "#{window_index}")).trim()).toBe("1");
  await fixture.tmux("kill-session", "-t", `=${pane.tmuxName}`);
  await subscription.done;
  expect(events.at(-1)?.type).toBe("closed");
  expect(present(await fixture.driver.list()).map(({ tmuxName }) => tmuxName)).toEqual([other.tmuxName]);
});

test("the paint reproduces the screen in another terminal: colours, wide characters, cursor and a partial sequence", async () => {
  const fixture = await openTmux();
  const other = await openTmux();
  const text =
    "printf 'plain \\033[31mred\\nstill red \\033[7mback\\033[0m\\n漢字 é\\033[10;5Hhere\\033[4'; read -r _; printf 'mline'; exec sleep 1000";
  const pane = await create(fixture, { id: "one", argv: script(text) });
  await shows(fixture, { pane, text: "here" });
  const { events, subscription } = await collect(fixture.driver, { pane });
  // The rest of the sequence has to come after the screen.
  await eventually(
    async () => events.length,
    (length) => length > 0,
  );
  await fixture.driver.keys(pane.identity, ["Enter"]);
  await shows(fixture, { pane, text: "line" });
  await eventually(
    async () => bytesOf(events),
    (bytes) => bytes > 5,
  );
  subscription.close();
  const bytes = Buffer.concat(events.flatMap((event) => ("paint" in event ? [event.paint] : event.type === "chunk" ? [event.bytes] : [])));
  const copy = await create(other, {
    id: "copy",
    argv: script(`stty raw -echo; printf '%s' '${bytes.toString("base64")}' | base64 -d; exec sleep 1000`),
  });
  const seen = (where: TmuxFixture, { identity }: PaneInfo) =>
    where
      .tmux("capture-pane", "-p", "-e", "-t", identity.pane_id)
      .then(async (screen) => [screen, await where.tmux("display-message", "-p", "-t", identity.pane_id, "#{cursor_x} #{cursor_y}")]);
  const wanted = await seen(fixture, pane);
  expect(wanted[0]).toContain("\u001b[4m");
  await eventually(
    () => seen(other, copy),
    (screen) => JSON.stringify(screen) === JSON.stringify(wanted),
  );
});

test("rejects the 21st pane until one is released, and counts a pane once", { timeout: 60_000 }, async () => {
  const fixture = await openTmux({}, tmuxDriver);
  const first = await create(fixture, { id: "p0", argv: script("exec cat") });
  const others = Array.from({ length: 20 }, (_, index) => ["new-session", "-d", "-s", `p${index + 1}`, "exec cat", ";"]);
  await fixture.tmux(...others.flat().slice(0, -1));
  const [last = first, ...rest] = present(await fixture.driver.list()).filter(({ tmuxName }) => tmuxName !== first.tmuxName);
  const opened = await Promise.all([first, first, ...rest].map((pane) => collect(fixture.driver, { pane })));
  await expect(fixture.driver.output(last.identity, () => undefined)).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  opened.at(-1)?.subscription.close();
  await collect(fixture.driver, { pane: last });
  await fixture.driver.close();
  await eventually(
    () => fixture.tmux("list-clients"),
    (clients) => clients === "",
  );
  await Promise.all(opened.map(({ subscription }) => subscription.done));
  await expect(fixture.driver.output(first.identity, () => undefined)).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
});

/** The client that reads the pane, not the one for commands. */
async function readerOf(fixture: TmuxFixture): Promise<string> {
  const list = () => fixture.tmux("list-clients", "-F", "#{client_name} #{client_flags}");
  const clients = await eventually(list, (text) => text.includes("pause-after"));
  return (
    clients
      .split("\n")
      .find((line) => line.includes("pause-after"))
      ?.split(" ")[0] ?? ""
  );
}
