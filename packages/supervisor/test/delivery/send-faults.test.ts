import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { composerProgram } from "../fixtures/composer-program.js";
import { CRASH, type Fixture, fixture } from "../fixtures/fixture.js";
import { turnFixture } from "../fixtures/turn-agent.js";

const TYPED = [
  { type: "paste", text: "hello" },
  { type: "keys", keys: ["Enter"] },
];
const FAILED = () => new TmpmError("TMUX_FAILED", "tmux refused");
const SHORTAGE = () => Object.assign(new Error("too many open files"), { code: "EMFILE", syscall: "open" });

const eventually = <T>(probe: () => T | Promise<T>) => expect.poll(probe);

const sent = ({ events }: Fixture) => events.flatMap((event) => (event.type === "session_text_sent" ? [event] : []));
const ended = ({ events }: Fixture) => events.flatMap((event) => (event.type === "turn_ended" ? [event] : []));

/** A session behind a dialog, which Enter answers. */
async function held(): Promise<Fixture> {
  const each = fixture({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
  await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
  return each;
}

describe("a failure that may not recur, before anything is typed", () => {
  test.each([
    ["of tmux", (each: Fixture) => each.tmux.failNext("capture", FAILED())],
    ["of tmux's program", (each: Fixture) => each.tmux.failNext("capture", new TmpmError("TMUX_NOT_FOUND", "tmux is not installed"))],
    ["of the machine", (each: Fixture) => each.store.failNext("get", SHORTAGE())],
  ] as const)("%s holds the queued prompts of a session", async (_, fail) => {
    const each = await held();
    const queued = [];
    for (const text of ["hello", "again"]) queued.push((await each.sessions.send({ session: "demo", text, queue: true })).receipt.id ?? "");
    for (let times = 0; times < 5; times++) {
      fail(each);
      await each.sessions.sends({ session: "demo" }).catch(() => undefined);
    }
    await eventually(async () => (await each.sessions.sends({ session: "demo" })).map(({ receipt }) => receipt.reason)).toContain("dialog");
    await each.sessions.keys({ session: "demo", keys: ["Enter"] });
    await eventually(() => sent(each)).toMatchObject(queued.map((send_id) => ({ send_id, outcome: "submitted" })));
    expect(ended(each).map(({ outcome }) => outcome)).not.toContain("failed");
    await each.sessions.close();
  });

  test("that persists is the reason for the hold", async () => {
    const each = await held();
    for (let times = 0; times < 10_000; times++) each.tmux.failNext("capture", FAILED());
    const { receipt } = await each.sessions.send({ session: "demo", text: "hello", idempotency_key: "k" });
    expect(receipt).toMatchObject({ outcome: "refused", reason: "failed", evidence: ["tmux refused"] });
    expect(each.tmux.received("tmpm-demo")).toEqual([]);
  });

  test.each([
    ["TMUX_FAILED", (each: Fixture) => each.tmux.failNext("capture", FAILED())],
    ["EMFILE", (each: Fixture) => each.onStep((step) => void (step === "send.accepted" && failLater(each)))],
  ] as const)("is an error for a caller that waits, and the outcome of its send (%s)", async (code, fail) => {
    const each = fixture();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    fail(each);
    await expect(each.sessions.send({ session: "demo", text: "hello" })).rejects.toMatchObject({ code });
    each.onStep(null);
    const [known] = await each.sessions.sends({ session: "demo" });
    expect(known).toMatchObject({ entry: { step: "done" }, receipt: { outcome: "refused", reason: "failed" } });
    expect(sent(each)).toMatchObject([{ outcome: "refused", send_id: known?.entry.id }]);
    await eventually(() => ended(each)).toMatchObject([{ outcome: "failed" }]);
    expect((await each.sessions.send({ session: "demo", text: "hello" })).receipt.outcome).toBe("submitted");
    expect(each.tmux.received("tmpm-demo")).toEqual(TYPED);
  });
});

/** The look at the record before the wait is optional. */
function failLater({ store }: Fixture): void {
  for (let times = 0; times < 2; times++) store.failNext("get", SHORTAGE());
}

describe("an agent that cannot be interrupted", () => {
  test("makes an interrupting send wait until its timeout", async () => {
    const each = fixture();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    each.tmux.draw("tmpm-demo", ["working"]);
    const { receipt } = await each.sessions.send({ session: "demo", text: "hello", interrupt: true, timeout_ms: 5_000 });
    expect(receipt).toMatchObject({ outcome: "refused", reason: "working" });
    expect(each.tmux.received("tmpm-demo")).toEqual([]);
  });
});

describe("a cancellation after the daemon died during the delivery", () => {
  test("waits with the send for a terminal that does not answer", async () => {
    const each = turnFixture();
    await each.open("demo");
    each.crashAt("send.entered");
    await expect(each.sessions.send({ session: "demo", text: "work 900" })).rejects.toBe(CRASH);
    each.crashAt(null);
    const next = each.restarted();
    each.tmux.stopServer();
    const [send] = await next.sends({ session: "demo" });
    const id = send?.entry.id ?? "";
    await eventually(async () => (await next.receipt({ session: "demo", send: id })).receipt.reason).toBe("tmux_unanswered");
    expect(await next.cancelSend({ session: "demo", send: id })).toMatchObject({ receipt: { outcome: "held", reason: "tmux_unanswered" } });
    await expect(next.cancel({ session: "demo", turn: id })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "unknown" });
    expect(ended(each)).toEqual([]);
    each.tmux.continueServer();
    await eventually(() => ended(each)).toMatchObject([{ turn_id: id, outcome: "cancelled", cause: "client_rpc" }]);
    expect(sent(each)).toHaveLength(1);
    expect((await next.send({ session: "demo", text: "work 100", timeout_ms: 60_000 })).receipt.outcome).toBe("submitted");
    await next.close();
  });

  test("waits while an earlier send is unresolved, and reports this", async () => {
    const each = turnFixture();
    await each.open("demo");
    for (const text of ["work 900", "work 100"]) {
      each.crashAt("send.arrived");
      await expect(each.sessions.send({ session: "demo", text, now: true })).rejects.toBe(CRASH);
    }
    each.crashAt(null);
    const next = each.restarted();
    each.tmux.stopServer();
    await eventually(async () => (await next.sends({ session: "demo" })).map(({ receipt }) => receipt.reason)).toEqual([
      "behind_another",
      "tmux_unanswered",
    ]);
    const [later] = await next.sends({ session: "demo" });
    const behind = { code: "INVALID_STATE", effect: "unknown", message: expect.stringContaining("an earlier send") };
    await expect(next.cancel({ session: "demo", turn: later?.entry.id ?? "" })).rejects.toMatchObject(behind);
    each.tmux.continueServer();
    await next.close();
  });

  test("of the send alone prevents Enter from being pressed", async () => {
    const each = turnFixture();
    await each.open("demo");
    each.crashAt("send.arrived");
    await expect(each.sessions.send({ session: "demo", text: "for ever" })).rejects.toBe(CRASH);
    each.crashAt(null);
    const next = each.restarted();
    each.tmux.stopServer();
    const [send] = await next.sends({ session: "demo" });
    const id = send?.entry.id ?? "";
    expect(await next.cancelSend({ session: "demo", send: id })).toMatchObject({ receipt: { outcome: "held" } });
    each.tmux.continueServer();
    await eventually(async () => (await next.receipt({ session: "demo", send: id })).receipt.outcome).toBe("typed_not_submitted");
    expect(each.taken).toEqual([]);
    await next.close();
  });

  test("of the send alone survives another restart", async () => {
    const each = turnFixture();
    await each.open("demo");
    each.crashAt("send.arrived");
    await expect(each.sessions.send({ session: "demo", text: "for ever" })).rejects.toBe(CRASH);
    each.crashAt(null);
    const next = each.restarted();
    each.tmux.stopServer();
    const [send] = await next.sends({ session: "demo" });
    const id = send?.entry.id ?? "";
    expect(await next.cancelSend({ session: "demo", send: id })).toMatchObject({ receipt: { outcome: "held" } });
    await next.close();
    const last = each.restarted();
    await last.sends({ session: "demo" });
    each.tmux.continueServer();
    await eventually(async () => (await last.receipt({ session: "demo", send: id })).receipt.outcome).toBe("typed_not_submitted");
    expect(each.taken).toEqual([]);
    await eventually(() => ended(each)).toMatchObject([{ turn_id: id, outcome: "cancelled", cause: "client_rpc" }]);
    await last.close();
  });

  test("does not prevent the daemon from ending", async () => {
    const each = turnFixture();
    await each.open("demo");
    each.crashAt("send.entered");
    await expect(each.sessions.send({ session: "demo", text: "for ever" })).rejects.toBe(CRASH);
    each.crashAt(null);
    const next = each.restarted();
    each.tmux.stopServer();
    const [send] = await next.sends({ session: "demo" });
    const id = send?.entry.id ?? "";
    await eventually(async () => (await next.receipt({ session: "demo", send: id })).receipt.reason).toBe("tmux_unanswered");
    await next.cancelSend({ session: "demo", send: id });
    await next.close();
    expect(sent(each)).toEqual([]);
  });
});

describe("a prompt that was cancelled before the daemon died", () => {
  /** Cancelled at one step of its delivery, and the daemon dies at the next. */
  async function cancelled({ at, dies }: { readonly at: "send.pasted" | "send.entering"; readonly dies: "send.arrived" | "send.entered" }) {
    const each = turnFixture();
    await each.open("demo");
    each.onStep((step) => {
      if (step === at) void each.sessions.cancel({ session: "demo" }).catch(() => undefined);
    });
    each.crashAt(dies);
    await expect(each.sessions.send({ session: "demo", text: "for ever" })).rejects.toBe(CRASH);
    each.crashAt(null);
    each.onStep(null);
    await eventually(async () => (await each.turnJournal.open()).map(({ cause }) => cause)).toEqual(["client_rpc"]);
    return { each, next: each.restarted() };
  }

  test("is not submitted by the next daemon", async () => {
    const { each, next } = await cancelled({ at: "send.pasted", dies: "send.arrived" });
    await eventually(async () => (await next.sends({ session: "demo" })).map(({ receipt }) => receipt.outcome)).toEqual([
      "typed_not_submitted",
    ]);
    expect((await next.sends({ session: "demo" }))[0]?.entry.left).toBe("for ever");
    expect(each.taken).toEqual([]);
    await eventually(() => ended(each)).toMatchObject([{ outcome: "cancelled", cause: "client_rpc" }]);
    await next.close();
  });

  test("is interrupted by the next daemon, if it was submitted", async () => {
    const { each, next } = await cancelled({ at: "send.entering", dies: "send.entered" });
    expect(each.taken).toEqual(["for ever"]);
    await next.sends({ session: "demo" });
    await eventually(() => ended(each)).toMatchObject([{ outcome: "cancelled", cause: "client_rpc", reason: "interrupted" }]);
    expect(each.tmux.received("tmpm-demo").at(-1)).toEqual({ type: "keys", keys: ["Escape"] });
    await next.close();
  });
});
