import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyedQueue, TmpmError } from "@tmpm/core";
import { processTable, until } from "@tmpm/processes";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { encodeFrame } from "../src/frame.js";
import { factsPath } from "../src/holder-folder.js";
import {
  clearEnded,
  connectHolder,
  endHeld,
  findHolder,
  type HolderFacts,
  holderLinks,
  identityOf,
  leaveHolder,
  listHolders,
  PROTOCOL,
  requireNoHolder,
  startHolder,
  tidyGone,
} from "../src/index.js";
import { bundledProgram } from "./bundled-program.js";

const table = processTable();
let dir = "";
let entry = "";

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "tmpm-hold-"));
  entry = await bundledProgram(join(import.meta.dirname, "cat-holder.ts"));
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

let last = 0;

interface Held {
  readonly base: string;
  readonly folder: string;
  readonly facts: HolderFacts;
}

/** A holder in its own base, always ended with the test. */
async function held({ argv = ["/bin/cat"] }: { readonly argv?: readonly string[] } = {}): Promise<Held> {
  const base = join(dir, `b${++last}`);
  const sessionId = `session-${last}`;
  const env = { PATH: "/usr/bin:/bin", TMPM_SESSION_ID: sessionId };
  const facts = await startHolder({ base, sessionId, name: "demo", entry, launch: { argv, env, secret: "hush" }, env: source() });
  onTestFinished(async () => {
    await endHeld(identityOf(facts), { graceMs: 0 });
    await leaveHolder(identityOf(facts));
  });
  return { base, folder: join(base, sessionId), facts };
}

function source(): Record<string, string | undefined> {
  return { PATH: process.env.PATH, OPENAI_API_KEY: "secret" };
}

async function runs(pid: number): Promise<boolean> {
  const found = (await table.some([pid])).get(pid);
  return found !== undefined && !found.zombie;
}

async function eventually(probe: () => Promise<boolean>): Promise<void> {
  expect(await until(probe, { withinMs: 100_000, everyMs: 15 }), `waited for ${probe}`).toBe(true);
}

test("a holder has its own parent and session, a clean environment, no descriptor of ours, and no visible secret", async () => {
  const { folder, facts } = await held();
  const link = await connectHolder(folder, {});
  const { value } = await link.call("environment");
  link.close();
  expect(JSON.stringify(value)).not.toContain("secret");
  expect(value).toMatchObject({ argv: [process.execPath, entry, folder] });
  expect(value).not.toMatchObject({ parent: process.pid });
  const found = (await table.some([facts.pid])).get(facts.pid);
  expect(found?.session).not.toBe((await table.some([process.pid])).get(process.pid)?.session);
  expect([statSync(folder).mode & 0o777, statSync(facts.socket).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readdirSync(folder).sort()).toEqual(["facts", "s"]);
  expect(readFileSync(join(folder, "facts"), "utf8")).not.toContain("hush");
  expect(facts.program?.pid).toBeGreaterThan(0);
});

test("calls are answered with bytes of any size, errors arrive unchanged, and output is sent to all clients", async () => {
  const { folder } = await held();
  const printed: Uint8Array[][] = [[], []];
  const links = await Promise.all(printed.map((bytes) => connectHolder(folder, { onEvent: (_, more) => bytes.push(more) })));
  const [link] = links;
  const large = Buffer.alloc(5_000_000, "x");
  for (const one of links) await one.call("exit");
  const echoed = await link?.call("echo", { bytes: large });
  expect([echoed?.value, echoed?.bytes.length]).toEqual([large.length, large.length]);
  await expect(link?.call("dance")).rejects.toMatchObject({ code: "INVALID_ARGUMENT", hint: "echo", details: { field: "verb" } });
  await link?.call("write", { bytes: Buffer.from("hello") });
  await eventually(async () => printed.every((bytes) => Buffer.concat(bytes).toString() === "hello"));
  for (const one of links) one.close();
});

test("a program that cannot be started is reported with its error, and leaves nothing", async () => {
  const base = join(dir, "refused");
  const launch = { argv: ["/nowhere/program"], env: {} };
  await expect(startHolder({ base, sessionId: "one", name: "one", entry, launch, env: source() })).rejects.toMatchObject({
    code: "LAUNCH_FAILED",
  });
  expect(readdirSync(base)).toEqual([]);
});

test("a holder that does not start is withdrawn, and never starts later", async () => {
  const base = join(dir, "late");
  const launch = { argv: ["/bin/cat"], env: {} };
  const options = { base, sessionId: "one", name: "one", launch, env: source(), patienceMs: 200 };
  writeFileSync(join(dir, "nothing.mjs"), "");
  await expect(startHolder({ ...options, entry: join(dir, "nothing.mjs") })).rejects.toMatchObject({
    code: "UNRESPONSIVE",
    effect: "none",
  });
  expect(readdirSync(base)).toEqual([]);
});

test("a start without the holder's program is refused at once, with a hint", async () => {
  const base = join(dir, "missing");
  const options = { base, sessionId: "one", name: "one", launch: {}, env: source(), patienceMs: 1_000_000 };
  await expect(startHolder({ ...options, entry: join(dir, "missing.mjs") })).rejects.toMatchObject({
    code: "HOST_UNAVAILABLE",
    effect: "none",
    hint: expect.stringContaining("tmpm daemon restart"),
  });
  expect(readdirSync(base)).toEqual([]);
});

test("a start without a Node that can be executed is refused at once", async () => {
  const base = join(dir, "unexecutable");
  const own = process.execPath;
  onTestFinished(() => {
    process.execPath = own;
  });
  process.execPath = join(dir, "node");
  writeFileSync(process.execPath, "", { mode: 0o600 });
  const options = { base, sessionId: "one", name: "one", entry, launch: {}, env: source(), patienceMs: 1_000_000 };
  await expect(startHolder(options)).rejects.toMatchObject({
    code: "HOST_UNAVAILABLE",
    effect: "none",
    message: expect.stringContaining("node cannot be executed"),
  });
  expect(readdirSync(base)).toEqual([]);
});

test("a holder that ends while it starts is reported at once, with its fault", async () => {
  const base = join(dir, "faulty");
  const options = { base, name: "one", env: source(), patienceMs: 1_000_000 };
  const launch = { argv: [], env: {}, fault: "a fault of mine" };
  await expect(startHolder({ ...options, sessionId: "faulty", entry, launch })).rejects.toMatchObject({
    code: "LAUNCH_FAILED",
    effect: "unknown",
    message: expect.stringContaining("a fault of mine"),
  });
  const claims = join(dir, "claims.mjs");
  writeFileSync(
    claims,
    'import { renameSync } from "node:fs"; const at = `${process.argv[2]}/launch`; renameSync(at, `${at}.${process.pid}`);',
  );
  await expect(startHolder({ ...options, sessionId: "claims", entry: claims, launch })).rejects.toMatchObject({
    code: "LAUNCH_FAILED",
    effect: "none",
  });
  expect(readdirSync(base)).toEqual(["faulty"]);
});

test("the process of a starting holder is looked up four times a second, and not at each poll", async () => {
  const base = join(dir, "hanging");
  const hanging = join(dir, "hanging.mjs");
  writeFileSync(
    hanging,
    'import { renameSync } from "node:fs"; const at = `${process.argv[2]}/launch`; renameSync(at, `${at}.${process.pid}`); setTimeout(() => {}, 1e6);',
  );
  const times: number[] = [];
  const watching = {
    ...table,
    some: async (pids: readonly number[]) => {
      const found = await table.some(pids);
      if (times.push(performance.now()) === 4) for (const pid of pids) process.kill(pid, "SIGKILL");
      return found;
    },
  };
  const options = { base, sessionId: "hangs", name: "one", launch: {}, env: source(), patienceMs: 1_000_000 };
  await expect(startHolder({ ...options, entry: hanging, table: watching })).rejects.toMatchObject({ code: "LAUNCH_FAILED" });
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(250);
});

test("a message that is too large is an error for its reader, and not the end of the holder", async () => {
  const { folder } = await held();
  const [link, other] = await Promise.all([connectHolder(folder, {}), connectHolder(folder, {})]);
  await other.call("exit");
  await expect(link.call("large")).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "unknown" });
  const tooLarge = Buffer.alloc(64 * 1024 * 1024 + 1);
  await expect(link.call("echo", { bytes: tooLarge })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
  expect((await link.call("echo", { bytes: Buffer.from("hi") })).value).toBe(2);
  await expect(link.call("shout")).rejects.toMatchObject({ code: "UNRESPONSIVE" });
  await eventually(async () => !other.isOpen());
  const again = await connectHolder(folder, {});
  expect((await again.call("echo", { bytes: Buffer.from("hi") })).value).toBe(2);
  again.close();
});

test("one session has one holder, also after two simultaneous starts", async () => {
  const { base, facts } = await held();
  const again = { base, sessionId: facts.session_id, name: "x", entry, launch: { argv: ["/bin/cat"], env: {} }, env: source() };
  const outcomes = await Promise.allSettled([startHolder(again), startHolder(again)]);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual(["NAME_TAKEN", "NAME_TAKEN"]);
  expect((await listHolders(base)).map(({ kind }) => kind)).toEqual(["running"]);
});

test("present, absent and unknown are distinguished", async () => {
  const { facts, folder } = await held();
  const identity = identityOf(facts);
  expect(await findHolder(identity)).toMatchObject({ kind: "present", value: { pid: facts.pid } });
  expect(await findHolder({ ...identity, server_pid: 2 ** 22 + 1 })).toMatchObject({ kind: "absent" });
  // This process runs, and there is no proof that it is not a holder.
  const started = Math.floor((await table.some([process.pid])).get(process.pid)?.startedAt ?? 0);
  expect(await findHolder({ ...identity, server_pid: process.pid, server_start: started })).toMatchObject({ kind: "unknown" });
  process.kill(facts.pid, "SIGSTOP");
  const links = holderLinks({ base: join(folder, ".."), patienceMs: 200 });
  try {
    await expect(links.of(identity)).rejects.toMatchObject({ code: "UNRESPONSIVE", effect: "none" });
    expect(await findHolder(identity)).toMatchObject({ kind: "present" });
  } finally {
    process.kill(facts.pid, "SIGCONT");
  }
  expect((await links.of(identity)).facts).toEqual(facts);
  await expect(links.of({ ...identity, server_start: 1 })).rejects.toMatchObject({ code: "PANE_FOREIGN" });
  links.close();
});

test("ends the whole tree, also processes that left it and ignore SIGHUP; then the holder exits, and leaves nothing", async () => {
  const script = `trap "" HUP; setsid sh -c 'trap "" HUP; while :; do sleep 1; done' & while :; do sleep 1; done`;
  const { facts, base } = await held({ argv: ["/bin/sh", "-c", script] });
  const carriers = async () => (await table.withEnvironment(`TMPM_SESSION_ID=${facts.session_id}`)).length;
  await eventually(async () => (await carriers()) >= 3);
  await expect(leaveHolder(identityOf(facts))).rejects.toMatchObject({ code: "INVALID_STATE" });
  expect(await endHeld(identityOf(facts), { graceMs: 50 })).toEqual([]);
  await eventually(async () => (await carriers()) === 0);
  expect(await runs(facts.pid)).toBe(true);
  const link = await connectHolder(join(base, facts.session_id), {});
  await eventually(async () => JSON.stringify((await link.call("exit")).value).includes("SIGKILL"));
  await Promise.all([leaveHolder(identityOf(facts)), leaveHolder(identityOf(facts))]);
  expect(await runs(facts.pid)).toBe(false);
  expect(readdirSync(base)).toEqual([]);
  expect(await findHolder(identityOf(facts))).toMatchObject({ kind: "absent" });
});

test("a program is not reported as gone when its state cannot be read", async () => {
  const { facts, folder, base } = await held();
  const path = factsPath(folder);
  const contents = readFileSync(path, "utf8");
  const faults = [
    { spoil: () => writeFileSync(path, "{"), reason: `${path} does not describe a holder` },
    { spoil: () => mkdirSync(path), reason: `${path} cannot be read: not a regular file` },
  ];
  for (const { spoil, reason } of faults) {
    rmSync(path, { recursive: true });
    spoil();
    const unknown = { code: "UNRESPONSIVE", effect: "none", message: expect.stringContaining(reason) };
    expect(await listHolders(base)).toEqual([{ kind: "unreadable", folder, reason: expect.stringContaining(reason) }]);
    expect(await findHolder(identityOf(facts))).toMatchObject({ kind: "unknown", error: unknown });
    await expect(endHeld(identityOf(facts), { graceMs: 0 })).rejects.toMatchObject(unknown);
    const again = { base, sessionId: facts.session_id, name: "demo", entry, launch: {}, env: source() };
    await expect(startHolder(again)).rejects.toMatchObject(unknown);
    // It still answers queries about itself.
    const links = holderLinks({ base });
    expect((await links.all()).map(({ found }) => found)).toEqual([{ kind: "running", folder, facts }]);
    links.close();
    process.kill(facts.pid, "SIGSTOP");
    const silent = holderLinks({ base, patienceMs: 200 });
    await expect(silent.of(identityOf(facts)))
      .rejects.toMatchObject(unknown)
      .finally(() => process.kill(facts.pid, "SIGCONT"));
    silent.close();
    expect(await runs(facts.program?.pid ?? 0)).toBe(true);
  }
  rmdirSync(path);
  writeFileSync(path, contents);
  expect(await endHeld(identityOf(facts), { graceMs: 0 })).toEqual([]);
});

test("the processes of a killed holder are found and ended", async () => {
  const { facts, base } = await held({ argv: ["/bin/sh", "-c", "while :; do sleep 1; done"] });
  process.kill(facts.pid, "SIGKILL");
  await eventually(async () => !(await runs(facts.pid)));
  expect(await findHolder(identityOf(facts))).toMatchObject({ kind: "absent" });
  expect(await runs(facts.program?.pid ?? 0)).toBe(true);
  expect(await endHeld(identityOf(facts), { graceMs: 50 })).toEqual([]);
  expect(await runs(facts.program?.pid ?? 0)).toBe(false);
  await leaveHolder(identityOf(facts));
  expect(readdirSync(base)).toEqual([]);
});

test("a start first ends what an ended holder of the session left, and is refused while that survives", async () => {
  const { facts, base } = await held({ argv: ["/bin/sh", "-c", "trap '' HUP; while :; do sleep 1; done"] });
  const program = (await table.some([facts.program?.pid ?? 0])).get(facts.program?.pid ?? 0);
  if (program === undefined) throw new Error("its program does not run");
  process.kill(facts.pid, "SIGKILL");
  await eventually(async () => !(await runs(facts.pid)));
  const immortal = {
    ...table,
    all: async () => [...(await table.all()).filter(({ pid }) => pid !== program.pid), program],
  };
  const again = { base, sessionId: facts.session_id, name: "demo", entry, launch: { argv: ["/bin/cat"], env: {} }, env: source() };
  await expect(startHolder({ ...again, table: immortal })).rejects.toMatchObject({
    code: "SURVIVORS",
    effect: "none",
    details: { survivors: [program.pid] },
  });
  await startAgain(base, facts.session_id);
  expect(await runs(program.pid)).toBe(false);
});

test("a start ends the program of a killed holder", async () => {
  const { facts, base } = await held({ argv: ["/bin/sh", "-c", "trap '' HUP; while :; do sleep 1; done"] });
  process.kill(facts.pid, "SIGKILL");
  await eventually(async () => !(await runs(facts.pid)));
  await startAgain(base, facts.session_id);
  expect(await runs(facts.program?.pid ?? 0)).toBe(false);
});

test("a session of a killed holder starts again after its folder was moved", async () => {
  const { facts, base } = await held({ argv: ["/bin/sh", "-c", "trap '' HUP; while :; do sleep 1; done"] });
  process.kill(facts.pid, "SIGKILL");
  await eventually(async () => !(await runs(facts.pid)));
  const moved = `${base}-moved`;
  renameSync(base, moved);
  const next = await startAgain(moved, facts.session_id);
  expect(next.socket).toBe(join(moved, facts.session_id, "s"));
  expect(await runs(facts.program?.pid ?? 0)).toBe(false);
});

test("what an ended holder left is removed after its folder was moved", async () => {
  const { facts, base } = await held({ argv: ["/bin/sh", "-c", "trap '' HUP; while :; do sleep 1; done"] });
  process.kill(facts.pid, "SIGKILL");
  await eventually(async () => !(await runs(facts.pid)));
  const moved = `${base}-moved`;
  renameSync(base, moved);
  tidyGone({ lane: keyedQueue() })(await listHolders(moved));
  await eventually(async () => readdirSync(moved).length === 0);
  expect(await runs(facts.program?.pid ?? 0)).toBe(false);
});

test("clearing up ends nothing of a holder that runs", async () => {
  const { facts, base, folder } = await held();
  expect(await clearEnded({ folder, facts }, { graceMs: 0 })).toBeNull();
  expect(await runs(facts.program?.pid ?? 0)).toBe(true);
  process.kill(facts.pid, "SIGKILL");
  await eventually(async () => !(await runs(facts.pid)));
  expect(await clearEnded({ folder, facts }, { graceMs: 0 })).toEqual([]);
  expect(await runs(facts.program?.pid ?? 0)).toBe(false);
  expect(readdirSync(base)).toEqual([]);
});

test("the folder of an ended holder is free for the next one at every moment of its removal", async () => {
  const { facts, base, folder } = await held();
  process.kill(facts.pid, "SIGKILL");
  await eventually(async () => !(await runs(facts.pid)));
  await endHeld(identityOf(facts), { graceMs: 0 });
  for (let index = 0; index < 5000; index++) writeFileSync(join(folder, `file-${index}`), "");
  const left = leaveHolder(identityOf(facts));
  await eventually(async () => !existsSync(factsPath(folder)));
  const next = await startAgain(base, facts.session_id);
  await left;
  expect((await findHolder(identityOf(next))).kind).toBe("present");
});

test("a folder without facts is free unless a running process has claimed its launch file", async () => {
  const base = join(dir, "abandoned");
  const folder = join(base, "one");
  mkdirSync(folder, { recursive: true });
  const claim = join(folder, `launch.${process.pid}`);
  writeFileSync(claim, "{}");
  await expect(startAgain(base, "one")).rejects.toMatchObject({ code: "UNRESPONSIVE" });
  rmSync(claim);
  // Another process has the pid of the one that claimed it.
  for (const name of [null, "failed", `launch.${2 ** 22 + 1}`, `launch.${process.pid}.1`]) {
    mkdirSync(folder, { recursive: true });
    if (name !== null) writeFileSync(join(folder, name), "{}");
    const facts = await startAgain(base, "one");
    expect(readdirSync(folder).sort()).toEqual(["facts", "s"]);
    await endHeld(identityOf(facts), { graceMs: 0 });
    await leaveHolder(identityOf(facts));
  }
  expect(readdirSync(base)).toEqual([]);
});

test("a holder that cannot be described is never taken for none, and a launch that was not claimed is withdrawn", async () => {
  const { facts, folder, base } = await held();
  const path = factsPath(folder);
  const contents = readFileSync(path, "utf8");
  const none = (sessionId = facts.session_id) => requireNoHolder({ base, sessionId });
  const unknown = { code: "UNRESPONSIVE", effect: "none" };
  await expect(none()).rejects.toMatchObject({ ...unknown, message: expect.stringContaining(String(facts.pid)) });
  writeFileSync(path, "{");
  await expect(none()).rejects.toMatchObject({ ...unknown, message: expect.stringContaining("does not describe a holder") });
  writeFileSync(path, contents);
  const start = (await table.some([process.pid])).get(process.pid)?.start ?? "";
  mkdirSync(join(base, "starting"));
  writeFileSync(join(base, "starting", `launch.${process.pid}.${encodeURIComponent(start)}`), "{}");
  await expect(none("starting")).rejects.toMatchObject({ ...unknown, message: expect.stringContaining("in progress") });
  mkdirSync(join(base, "unclaimed"));
  writeFileSync(join(base, "unclaimed", "launch"), "{}");
  await none("unclaimed");
  expect(existsSync(join(base, "unclaimed"))).toBe(false);
  await none("another");
});

test("a failed look is reported as itself, and a holder is suspected only where one may run", async () => {
  const { facts, base } = await held();
  const failing = (error: Error) => ({ ...table, some: () => Promise.reject(error) });
  const systemError = (code: string) => Object.assign(new Error(`${code}, open`), { code, syscall: "open" });
  const none = (error: Error) => requireNoHolder({ base, sessionId: facts.session_id }, failing(error));
  await expect(none(new TypeError("a fault of tmpm"))).rejects.toThrow(new TypeError("a fault of tmpm"));
  await expect(none(systemError("EMFILE"))).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED", message: "EMFILE, open" });
  const lost = new TmpmError("SHUTTING_DOWN", "the driver is closed");
  await expect(none(lost)).rejects.toBe(lost);
  await expect(none(systemError("EIO"))).rejects.toMatchObject({
    code: "UNRESPONSIVE",
    message: "a holder of the session may run: EIO, open",
  });
});

test("the given process table decides whether a holder runs", async () => {
  const { facts, base } = await held();
  const without = { ...table, some: async () => new Map() };
  await expect(requireNoHolder({ base, sessionId: facts.session_id }, without)).resolves.toBeUndefined();
});

async function startAgain(base: string, sessionId: string): Promise<HolderFacts> {
  const facts = await startHolder({ base, sessionId, name: "demo", entry, launch: { argv: ["/bin/cat"], env: {} }, env: source() });
  onTestFinished(async () => {
    await endHeld(identityOf(facts), { graceMs: 0 });
    await leaveHolder(identityOf(facts));
  });
  return facts;
}

test("listing does not wait again for a holder that did not answer", { timeout: 60_000 }, async () => {
  const { base, facts } = await held();
  const links = holderLinks({ base, patienceMs: 1_000_000 });
  rmSync(facts.socket);
  expect((await links.all()).map(({ link }) => link)).toEqual([null]);
  rmSync(facts.socket, { force: true });
  const silent = createServer(() => undefined).listen(facts.socket);
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  expect((await links.all()).map(({ link }) => link)).toEqual([null]);
  links.close();
});

test("a holder of a later version is reported as such", async () => {
  const { folder, facts } = await held();
  rmSync(facts.socket);
  const later = createServer((socket) => {
    socket.write(encodeFrame({ body: { hello: { ...facts, protocol: PROTOCOL + 1 } } }));
    socket.on("error", () => undefined);
  }).listen(facts.socket);
  onTestFinished(() => void later.close());
  await once(later, "listening");
  await expect(connectHolder(folder, {})).rejects.toMatchObject({
    code: "UNRESPONSIVE",
    message: expect.stringContaining("later version of tmpm"),
  });
});

test("a link that its owner rejects is not opened, and its end is not reported", async () => {
  const { base, facts } = await held();
  const closed: number[] = [];
  let refuses = true;
  const links = holderLinks({
    base,
    onOpened: async () => {
      if (refuses) throw new TypeError("not now");
    },
    onClosed: (link) => closed.push(link.facts.pid),
  });
  await expect(links.of(identityOf(facts))).rejects.toThrow("not now");
  refuses = false;
  expect((await links.of(identityOf(facts))).isOpen()).toBe(true);
  expect(closed).toEqual([]);
  links.close();
});

test("a holder survives the kill of its starter, and answers the next one", async () => {
  const base = join(dir, "orphan");
  const starter = await bundledProgram(join(import.meta.dirname, "starter.ts"));
  const child = execFile(process.execPath, [starter, base, entry]);
  await eventually(async () => existsSync(join(base, "one", "facts")));
  child.kill("SIGKILL");
  await once(child, "exit");
  await eventually(async () => existsSync(join(base, "one", "s")));
  const [found] = await listHolders(base);
  if (found?.kind !== "running") throw new Error(`the holder is ${found?.kind}`);
  onTestFinished(async () => {
    await endHeld(identityOf(found.facts), { graceMs: 0 });
    await leaveHolder(identityOf(found.facts));
  });
  const link = await connectHolder(found.folder, {});
  expect((await link.call("echo", { bytes: Buffer.from("hi") })).value).toBe(2);
  link.close();
});
