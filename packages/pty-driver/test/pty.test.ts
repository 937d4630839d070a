import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OutputEvent, PaneInfo } from "@tmpm/core";
import { isTmpmError, TmpmError } from "@tmpm/core";
import { LEAVE } from "@tmpm/core/attached";
import { connectHolder } from "@tmpm/holder";
import { processTable, until } from "@tmpm/processes";
import { spawn } from "node-pty";
import { expect, onTestFinished, test } from "vitest";
import { driverContext } from "../src/driver-context.js";
import { findNodePty, type PtyDriver } from "../src/index.js";
import { killTerminal } from "../src/kill.js";
import { builtOwner } from "./built-programs.js";
import { eventually, openHostFixture, type PtyFixture, received, recorder, screenWith, script, sizeReceived } from "./pty-fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const table = processTable();

/** Prints the given number of numbered lines of 64 bytes, fifty at a time, with the given pause in seconds. */
const NUMBERED =
  'i=0; while [ $i -lt "$1" ]; do printf "%062d\\r\\n" $i; i=$((i+1)); [ $((i % 50)) -ne 0 ] || sleep "$2"; done; exec sleep 1000';

function numbered(from: number, to: number): string {
  const lines = Array.from({ length: to - from }, (_, index) => `${String(from + index).padStart(62, "0")}\r\n`);
  return lines.join("");
}

/** All output from byte `from` on, up to the given number of bytes. */
async function readAll(driver: PtyDriver, pane: PaneInfo, { from, upTo }: { readonly from: number; readonly upTo: number }) {
  const chunks: Uint8Array[] = [];
  const types = new Set<OutputEvent["type"]>();
  let next = from;
  const subscription = await driver.outputFrom(pane.identity, {
    from,
    listener(event) {
      types.add(event.type);
      if (event.type !== "chunk") return;
      expect(event.offset).toBe(next);
      next += event.bytes.length;
      chunks.push(event.bytes);
    },
  });
  expect(await until(async () => next >= upTo, { withinMs: 40_000 * scale, everyMs: 15 })).toBe(true);
  subscription.close();
  await subscription.done;
  return { text: Buffer.concat(chunks).toString(), types: [...types] };
}

test("a look for a session's terminals waits for its start, and never withdraws it", async () => {
  const fixture = await openHostFixture();
  const sessionId = randomUUID();
  const creating = fixture.create(["/bin/cat"], { sessionId });
  await eventually(() => existsSync(join(fixture.base, sessionId)));
  const running = { code: "UNRESPONSIVE", message: expect.stringContaining("has a holder already") };
  await expect(fixture.driver.requireNone(sessionId)).rejects.toMatchObject(running);
  expect((await creating).sessionId).toBe(sessionId);
});

test(
  "sessions survive a daemon killed at any moment, and the next one continues at the same byte",
  async () => {
    const fixture = await openHostFixture({ ringBytes: 4 * 1024 * 1024 });
    const kills = scale < 10 ? 3 * scale : 5 * scale;
    // It prints during the whole kill.
    const lines = 800 * kills;
    const total = lines * 64;
    const pane = await fixture.create(script(`stty -opost; ${NUMBERED}`, String(lines), "0.05"));
    const owner = await builtOwner();
    const seed = Number(process.env.TMPM_TEST_SEED ?? "1");
    let random = seed;
    let reached = 0;
    let text = "";
    for (let kill = 0; kill < kills; kill++) {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
      const { child, heard } = listen(owner, { fixture, pane, from: reached });
      // From the start of the process until it reads.
      await new Promise((resolve) => setTimeout(resolve, random % 600));
      child.kill("SIGKILL");
      await once(child, "exit");
      const got = heard();
      text += got;
      reached += Buffer.byteLength(got);
    }
    const rest = await readAll(fixture.another(), pane, { from: reached, upTo: total });
    expect(`seed ${seed}: ${text + rest.text === numbered(0, lines)}`).toBe(`seed ${seed}: true`);
    expect(rest.types).toEqual(["chunk"]);
    expect(await fixture.driver.find(pane.identity)).toMatchObject({
      kind: "present",
      value: { pid: pane.pid, sessionId: pane.sessionId, viewers: 0 },
    });
    expect((await fixture.driver.kill(pane.identity, { graceMs: 100 })).survivors).toEqual([]);
    expect(readdirSync(fixture.base)).toEqual([]);
    expect(await table.withEnvironment(`TMPM_SESSION_ID=${pane.sessionId}`)).toEqual([]);
  },
  60_000 * scale,
);

/** A process that reads the terminal and forwards its output, as a daemon would. */
function listen(owner: string, { fixture, pane, from }: { readonly fixture: PtyFixture; readonly pane: PaneInfo; readonly from: number }) {
  const child: ChildProcess = fork(owner, [fixture.base, JSON.stringify(pane.identity), String(from)], { stdio: "inherit" });
  let heard = "";
  child.on("message", (message: string) => {
    heard += message;
  });
  return { child, heard: () => heard };
}

test("a reader of an expired offset gets the gap and the screen", async () => {
  const fixture = await openHostFixture({ ringBytes: 64 * 1024 });
  const pane = await fixture.create(script(NUMBERED, "3000", "0"));
  await fixture.shows(pane, numbered(2999, 3000).trim());
  const events: OutputEvent[] = [];
  const late = await fixture.driver.outputFrom(pane.identity, { from: 10, listener: (event) => void events.push(event) });
  await eventually(() => events.length > 0);
  const [first] = events;
  expect(first?.type).toBe("gap");
  expect(first?.type === "gap" && [first.offset, first.screen.lines.some((line) => line.endsWith("2999"))]).toEqual([3000 * 65, true]);
  late.close();
});

test("a slow listener delays neither the program nor others, and misses nothing that is kept", async () => {
  const fixture = await openHostFixture({ ringBytes: 8 * 1024 * 1024 });
  const pane = await fixture.create(script('stty -opost; head -c 4000000 /dev/zero | tr "\\0" x; echo end; exec sleep 1000'));
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let slowBytes = 0;
  const slow = await fixture.driver.outputFrom(pane.identity, {
    from: 0,
    async listener(event) {
      await held;
      if (event.type === "chunk") slowBytes += event.bytes.length;
    },
  });
  await fixture.shows(pane, "end");
  release();
  await eventually(() => slowBytes === 4_000_004);
  slow.close();
});

test("text for a program that does not read is queued in order, and then arrives exactly", async () => {
  const fixture = await openHostFixture();
  const go = join(fixture.folder, "go");
  const wait = 'stty raw -echo; printf ready; while [ ! -e "$2" ]; do sleep 0.02; done; exec cat > "$1/$TMPM_SESSION_ID.received"';
  const pane = await fixture.create(script(wait, fixture.folder, go));
  await fixture.shows(pane, "ready");
  const texts = Array.from({ length: 3 }, (_, index) => `${index}`.repeat(200_000));
  for (const text of texts) await fixture.driver.paste(pane.identity, text);
  await fixture.driver.keys(pane.identity, ["Enter"]);
  // It answers the whole time.
  expect((await fixture.driver.capture(pane.identity)).lines[0]).toBe("ready");
  writeFileSync(go, "");
  const expected = `${texts.join("")}\r`;
  await eventually(() => sizeReceived(fixture, pane) === expected.length);
  expect(received(fixture, pane) === expected).toBe(true);
});

test("an ended program keeps its exit and last screen until collected, also for another process", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(script("echo last words; exit 7"));
  const other = fixture.another();
  await eventually(async () => {
    const found = await other.find(pane.identity);
    return found.kind === "present" && found.value.exit?.status === 7;
  });
  await expect(other.paste(pane.identity, "x")).rejects.toMatchObject({ code: "PANE_DEAD", effect: "none" });
  expect(await other.kill(pane.identity, { graceMs: 100 })).toMatchObject({
    survivors: [],
    exit: { status: 7, signal: null },
    lastLines: ["last words"],
  });
  expect(await fixture.driver.find(pane.identity)).toMatchObject({ kind: "absent" });
});

test("a screen that cannot be read does not lose the exit of a stopped program", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(script("exit 7"));
  const context = driverContext({ base: fixture.base, entry: "", attach: "", env: {} });
  onTestFinished(() => context.links.close());
  const of: typeof context.links.of = async (identity) => {
    const link = await context.links.of(identity);
    return {
      ...link,
      call: (verb, how) => (verb === "capture" ? Promise.reject(new TmpmError("UNRESPONSIVE", "slow")) : link.call(verb, how)),
    };
  };
  const slow = { ...context, links: { ...context.links, of } };
  expect(await killTerminal(slow, { identity: pane.identity, graceMs: 0 })).toMatchObject({ survivors: [], exit: { status: 7 } });
  expect(readdirSync(fixture.base)).toEqual([]);
});

test("a program that closes its terminal may continue, and takes no more text", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(script("trap '' HUP; exec sleep 1000 </dev/null >/dev/null 2>&1"));
  const refused = () =>
    fixture.driver.paste(pane.identity, "x").then(
      () => null,
      (error: unknown) => error,
    );
  await eventually(async () => isTmpmError(await refused()));
  expect(await refused()).toMatchObject({ code: "PANE_DEAD", effect: "none" });
  expect(await fixture.driver.find(pane.identity)).toMatchObject({ kind: "present", value: { exit: null } });
});

test("a missing program is shown on the screen, with status 127", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(["no-such-program"]);
  await fixture.shows(pane, "no-such-program: not found");
  await eventually(async () => (await fixture.driver.capture(pane.identity)).pane.exit?.status === 127);
});

test("an unresponsive holder hides no others, and counts neither as present nor as absent", async () => {
  const fixture = await openHostFixture();
  const [silent, other] = [await fixture.create(["sleep", "1000"]), await fixture.create(["sleep", "1000"])];
  process.kill(silent.identity.server_pid, "SIGSTOP");
  const impatient = fixture.another({ patienceMs: 300 });
  const list = await impatient.list();
  expect(list.kind === "present" && list.value.map(({ sessionId, exit }) => [sessionId, exit]).sort()).toEqual(
    [silent, other].map(({ sessionId }) => [sessionId, null]).sort(),
  );
  expect(await impatient.find(silent.identity)).toMatchObject({ kind: "unknown", error: { code: "UNRESPONSIVE" } });
  process.kill(silent.identity.server_pid, "SIGCONT");
  await eventually(async () => (await impatient.find(silent.identity)).kind === "present");
});

test("an unreadable folder of holders is unknown, never empty", async () => {
  const fixture = await openHostFixture();
  writeFileSync(fixture.base, "");
  expect(await fixture.driver.list()).toMatchObject({
    kind: "unknown",
    error: { code: "UNRESPONSIVE", message: expect.stringContaining("ENOTDIR") },
  });
  rmSync(fixture.base);
  expect(await fixture.driver.list()).toEqual({ kind: "present", value: [] });
});

test("the next look ends and removes what a killed holder left", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(script("trap '' HUP; while :; do sleep 1; done"));
  process.kill(pane.identity.server_pid, "SIGKILL");
  await eventually(async () => {
    const list = await fixture.driver.list();
    return list.kind === "present" && list.value.length === 0 && !existsSync(join(fixture.base, pane.sessionId ?? ""));
  });
  await eventually(async () => (await table.withEnvironment(`TMPM_SESSION_ID=${pane.sessionId}`)).length === 0);
});

test("a look that takes a running holder for ended ends nothing of it", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(["sleep", "1000"]);
  let blind = true;
  const looks: number[][] = [];
  const mistaken = {
    ...table,
    async some(pids: readonly number[]) {
      looks.push([...pids]);
      if (!blind) return table.some(pids);
      blind = false;
      return new Map();
    },
  };
  const driver = fixture.another({ table: mistaken });
  expect(await driver.list()).toEqual({ kind: "present", value: [] });
  // Its background work has looked again once a later kill gets its turn.
  expect(await driver.kill({ ...pane.identity, server_pid: 2 ** 22 + 1 }, { graceMs: 0 })).toMatchObject({ survivors: [] });
  expect(looks.length).toBeGreaterThan(2);
  expect((await fixture.driver.find(pane.identity)).kind === "present" && (await table.some([pane.pid])).has(pane.pid)).toBe(true);
  expect((await fixture.driver.capture(pane.identity)).pane.exit).toBeNull();
});

test("the first list of a driver has every terminal's current name, size and exit", async () => {
  const fixture = await openHostFixture();
  const [changed, ended] = [await fixture.create(["sleep", "1000"]), await fixture.create(script("exit 3"))];
  await fixture.driver.rename(changed.identity, "renamed");
  await fixture.driver.resize(changed.identity, { columns: 100, rows: 30 });
  await eventually(async () => (await fixture.driver.capture(ended.identity)).pane.exit !== null);
  const list = await fixture.another().list();
  const found = new Map(list.kind === "present" ? list.value.map((pane) => [pane.sessionId, pane]) : []);
  expect(found.get(changed.sessionId)).toMatchObject({ tmuxName: "renamed", columns: 100, rows: 30, exit: null });
  expect(found.get(ended.sessionId)).toMatchObject({ exit: { status: 3 } });
});

test("a size that would stall the terminal is refused, also by its holder", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(["sleep", "1000"]);
  const tooLarge = { code: "INVALID_ARGUMENT", message: expect.stringContaining("1000000 cells") };
  await expect(fixture.driver.resize(pane.identity, { columns: 10_000, rows: 10_000 })).rejects.toMatchObject(tooLarge);
  await expect(fixture.create(["true"], { columns: 1001, rows: 1000 })).rejects.toMatchObject(tooLarge);
  const link = await connectHolder(join(fixture.base, pane.sessionId ?? ""), {});
  await expect(link.call("resize", { args: { columns: 10_000, rows: 10_000 } })).rejects.toMatchObject(tooLarge);
  link.close();
});

test("without node-pty a session fails to start with the reason, and everything else works", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(["sleep", "1000"]);
  const without = fixture.another({ nodePty: () => findNodePty("file:///nowhere/x.js") });
  expect(await without.available()).toMatchObject({ kind: "missing", reason: expect.stringContaining("node-pty is not installed") });
  const spec = { sessionId: randomUUID(), tmuxName: "x", cwd: "/", argv: ["true"] as const, env: {}, columns: 80, rows: 24 };
  await expect(without.create(spec)).rejects.toMatchObject({
    code: "HOST_UNAVAILABLE",
    effect: "none",
    hint: expect.stringContaining("npm install node-pty"),
  });
  expect((await without.find(pane.identity)).kind).toBe("present");
  expect((await without.kill(pane.identity, { graceMs: 100 })).survivors).toEqual([]);
  expect(await fixture.driver.available()).toMatchObject({ kind: "available" });
});

test("a broken node-pty is the same error, reported by the holder, and leaves nothing", async () => {
  const fixture = await openHostFixture();
  const broken = fixture.another({ nodePty: () => join(fixture.folder, "broken.js") });
  const spec = { sessionId: randomUUID(), tmuxName: "x", cwd: "/", argv: ["true"] as const, env: {}, columns: 80, rows: 24 };
  const error: unknown = await broken.create(spec).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TmpmError);
  expect(error).toMatchObject({ code: "HOST_UNAVAILABLE" });
  expect(readdirSync(fixture.base)).toEqual([]);
});

test("a user attaches: sees the current screen and name, types, resizes, counts as a viewer, detaches, and it continues", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(script("echo hello from inside; exec cat"));
  await fixture.shows(pane, "hello from inside");
  await fixture.driver.rename(pane.identity, "renamed");
  const person = attach(fixture, pane, { columns: 100, rows: 30 });
  await eventually(() => person.text().includes("hello from inside") && person.text().includes("renamed: Ctrl-\\ twice detaches"));
  await eventually(async () => {
    const found = await fixture.driver.find(pane.identity);
    return found.kind === "present" && found.value.viewers === 1 && found.value.columns === 100 && found.value.rows === 30;
  });
  person.write("typed by hand\r");
  await screenWith(fixture.driver, { pane, text: "typed by hand" });
  await eventually(() => person.text().includes("typed by hand"));
  person.resize(90, 20);
  await eventually(async () => (await fixture.driver.capture(pane.identity)).pane.columns === 90);
  await fixture.driver.rename(pane.identity, "again");
  person.write("\u001c\u001c");
  expect(await person.exited).toBe(0);
  expect(person.text()).toContain("[detached from again]");
  await eventually(async () => {
    const found = await fixture.driver.find(pane.identity);
    return found.kind === "present" && found.value.viewers === 0 && found.value.exit === null;
  });
});

test("a user's terminal is restored when the attach command is ended", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(script("printf '\\033[?1049h\\033[?1000h\\033[?2004h'; echo inside; exec cat"));
  const person = attach(fixture, pane, { columns: 100, rows: 30 });
  await eventually(() => person.text().includes("inside"));
  person.end("SIGTERM");
  expect(await person.exited).toBe(0);
  expect(person.text()).toContain(LEAVE);
});

test("attaching read-only changes nothing, and ends with the program", async () => {
  const fixture = await openHostFixture();
  const pane = await fixture.create(recorder(fixture));
  await fixture.shows(pane, "ready");
  const person = attach(fixture, pane, { columns: 100, rows: 30, readOnly: true });
  await eventually(() => person.text().includes("read-only"));
  person.write("nothing of this");
  await fixture.driver.paste(pane.identity, "sent");
  await eventually(() => received(fixture, pane).endsWith("sent"));
  expect(received(fixture, pane)).toBe("sent");
  expect(await fixture.driver.find(pane.identity)).toMatchObject({ kind: "present", value: { viewers: 0, columns: 80, rows: 24 } });
  await fixture.driver.kill(pane.identity, { graceMs: 100 });
  expect(await person.exited).toBe(0);
});

/** The attach command, in its own terminal. */
function attach(
  fixture: PtyFixture,
  pane: PaneInfo,
  { columns, rows, readOnly = false }: { readonly columns: number; readonly rows: number; readonly readOnly?: boolean },
) {
  const [program, ...args] = fixture.driver.attachCommand(pane.identity, { readOnly });
  const terminal = spawn(program, args, { cols: columns, rows, name: "xterm-256color", env: { PATH: process.env.PATH } });
  let text = "";
  terminal.onData((data) => {
    text += data;
  });
  const exited = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  onTestFinished(() => {
    terminal.kill("SIGKILL");
  });
  return {
    text: () => text,
    write: (data: string) => terminal.write(data),
    resize: (width: number, height: number) => terminal.resize(width, height),
    end: (signal: string) => terminal.kill(signal),
    exited,
  };
}
