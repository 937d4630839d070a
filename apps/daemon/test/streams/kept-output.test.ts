import type { Terminal } from "@tmpm/supervisor";
import { expect, onTestFinished, test } from "vitest";
import { openPtyHost } from "../hosts/pty-host.js";
import { collect, SESSION, streamFixture, eventually as within } from "./stream-fixture.js";

const RING = 64 * 1024;
const PATIENT_MS = 60_000;

const eventually: typeof within = (probe) => within(probe, PATIENT_MS);

/** A program in a tmpm PTY that prints its input, watched over a unix socket. */
async function fixture() {
  const contractFixture = await openPtyHost();
  onTestFinished(contractFixture.close);
  const { host, cwd } = contractFixture;
  const { output, paste, replay } = host;
  if (output === undefined || paste === undefined || replay === undefined) throw new Error("a PTY has all of these");
  const argv = ["/bin/sh", "-c", "stty raw -echo; printf ready; exec cat"] as const;
  const beginning = { conversationId: null, overrides: {} };
  const { identity } = await host.create({ sessionId: SESSION, tmuxName: "demo", cwd, argv, env: {}, columns: 80, rows: 24, beginning });
  await eventually(async () => (await host.capture(identity)).lines[0] === "ready");
  const print = (text: string) => paste(identity, text);
  const terminal: { -readonly [K in keyof Terminal]: Terminal[K] } = {
    id: SESSION,
    name: "demo",
    pane: identity,
    kept: { kind: "by_host", read: (range) => replay(identity, range) },
    output: (listener) => output(identity, listener),
    type: async (input) => print("text" in input ? input.text : ""),
    resize: async () => undefined,
    size: async () => ({ columns: 80, rows: 24, viewers: 0 }),
    fate: async () => "ended",
  };
  const l = await streamFixture({ terminal: async () => terminal, ringBytes: RING });
  const seen = collect(l.follow());
  await eventually(() => seen.events[0]);
  const shows = async (text: string) => (await host.capture(identity)).lines.join("").includes(text);
  return { ...l, terminal, seen, print, shows };
}

test("a viewer gets every byte across daemon restarts, including output printed while no daemon ran", {
  timeout: 2 * PATIENT_MS,
}, async () => {
  const { seen, print, restart } = await fixture();
  await print("one");
  await eventually(() => seen.text() === "one");
  const much = "0123456789".repeat((3 * RING) / 10);
  await restart(() => print(much));
  await print("two");
  await eventually(() => seen.text().endsWith("two"));
  await restart();
  await print("three");
  await eventually(() => seen.text().endsWith("three"));
  expect(seen.text() === `one${much}twothree`).toBe(true);
  expect(seen.kinds().filter((kind) => kind !== "output" && kind !== "size")).toEqual(["screen first"]);
});

test("a viewer that missed discarded bytes is notified and gets the screen", { timeout: 2 * PATIENT_MS }, async () => {
  const { seen, print, restart, terminal, shows } = await fixture();
  await restart(async () => {
    terminal.kept = { kind: "by_host", read: async () => null };
    await print("gone");
    await eventually(() => shows("gone"));
  });
  await eventually(() => seen.kinds().includes("screen not_kept"));
  expect(seen.text()).toBe("");
});

test("unacknowledged input is not typed again by the next daemon, although the stream is the same", {
  timeout: 2 * PATIENT_MS,
}, async () => {
  const { follow, restart, terminal } = await fixture();
  const followed = follow();
  const seen = collect(followed);
  await eventually(() => seen.events[0]);
  const { type } = terminal;
  let typed = 0;
  terminal.type = async () => {
    typed += 1;
    await new Promise(() => undefined);
  };
  const unsure = expect(followed.type("x")).rejects.toMatchObject({ code: "UNCONFIRMED" });
  await eventually(() => typed === 1);
  await restart();
  await unsure;
  terminal.type = type;
  await followed.type("y");
  await eventually(() => seen.text() === "y");
  expect(typed).toBe(1);
});
