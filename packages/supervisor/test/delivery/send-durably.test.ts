import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import type { Step, Supervisor } from "../../src/index.js";
import { composerProgram } from "../fixtures/composer-program.js";
import { CRASH, type Fixture, fixture } from "../fixtures/fixture.js";

const TYPED = [
  { type: "paste", text: "hello" },
  { type: "keys", keys: ["Enter"] },
];

/** The machine may be busy. */
const eventually = <T>(probe: () => T | Promise<T>) => expect.poll(probe);

async function demo(options: Parameters<typeof fixture>[0] = {}): Promise<Fixture> {
  const each = fixture(options);
  await each.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
  return each;
}

/** Sends, and lets the daemon die at the step; then another one recovers. */
async function crashed(each: Fixture, step: Step, input: Partial<Parameters<Supervisor["send"]>[0]> = {}): Promise<Supervisor> {
  each.crashAt(step);
  const sending = each.sessions.send({ session: "demo", text: "hello", ...input });
  if (input.no_wait === true) await eventually(() => each.faults.length + (step === "send.accepted" ? 1 : 0)).toBeGreaterThan(0);
  if (input.no_wait !== true || step === "send.accepted") await expect(sending).rejects.toBe(CRASH);
  each.crashAt(null);
  each.faults.length = 0;
  return each.restarted();
}

async function concluded(sessions: Supervisor) {
  await eventually(async () => (await sessions.sends({ session: "demo" })).every(({ entry }) => entry.step === "done")).toBe(true);
  const [first, ...rest] = await sessions.sends({ session: "demo" });
  expect(rest).toEqual([]);
  return first?.receipt;
}

describe("daemon that dies during a send", () => {
  test.each([
    ["send.accepted", "refused", "interrupted", []],
    ["send.pasting", "refused", "interrupted", []],
    ["send.pasted", "submitted", "screen", TYPED],
    ["send.arrived", "submitted", "screen", TYPED],
    ["send.entering", "submitted", "screen", TYPED],
    ["send.entered", "submitted", "screen", TYPED],
    ["send.confirmed", "submitted", "screen", TYPED],
  ] as const)(
    "at %s: the next daemon concludes it as %s (%s), and the text is typed at most once",
    async (step, outcome, reason, received) => {
      const each = await demo();
      const next = await crashed(each, step);
      expect(await concluded(next)).toMatchObject({ outcome, reason });
      expect(each.tmux.received("tmpm-demo")).toEqual(received);
      const sent = each.events.filter(({ type }) => type === "session_text_sent");
      expect(sent).toEqual([expect.objectContaining({ outcome, reason })]);
      const after = await next.send({ session: "demo", text: "again", timeout_ms: 5_000 });
      expect(after.receipt.outcome).toBe("submitted");
      expect(each.faults).toEqual([]);
    },
  );

  test("after writing the receipt: the receipt is kept, and its event may be missing", async () => {
    const each = await demo();
    const next = await crashed(each, "send.recorded");
    expect(await concluded(next)).toMatchObject({ outcome: "submitted" });
    expect(each.tmux.received("tmpm-demo")).toEqual(TYPED);
  });

  test.each(["send.accepted", "send.pasting", "send.pasted", "send.entered", "send.recorded"] as const)(
    "at %s: the same key returns the one receipt, and never prompts twice",
    async (step) => {
      const each = await demo();
      const keyed = { session: "demo", text: "hello", idempotency_key: "k" };
      const next = await crashed(each, step, keyed);
      const first = await next.send(keyed);
      for (let again = 0; again < 5; again++) expect((await next.send(keyed)).receipt).toEqual(first.receipt);
      expect(first.receipt.outcome).toBe(step === "send.pasting" ? "refused" : "submitted");
      expect(each.tmux.received("tmpm-demo")).toEqual(step === "send.pasting" ? [] : TYPED);
    },
  );

  test("an accepted background send is delivered by the next daemon", async () => {
    const each = await demo({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    const { receipt } = await each.sessions.send({ session: "demo", text: "hello", queue: true });
    expect(receipt).toMatchObject({ outcome: "held", reason: "dialog" });
    await each.sessions.close();
    expect(each.events.filter(({ type }) => type === "session_text_sent")).toEqual([]);
    const next = each.restarted();
    const kept = async () => (await next.receipt({ session: "demo", send: receipt.id ?? "" })).receipt;
    await eventually(async () => (await kept()).reason).toBe("dialog");
    await next.keys({ session: "demo", keys: ["Enter"] });
    await eventually(async () => (await kept()).outcome).toBe("submitted");
    expect(each.tmux.received("tmpm-demo").slice(1)).toEqual(TYPED);
    await next.close();
  });

  test("a text left in the input is not submitted days later without a request", async () => {
    const each = await demo();
    const next = await crashed(each, "send.pasted");
    each.tmux.advance(11 * 60_000);
    expect(await concluded(next)).toMatchObject({ outcome: "typed_not_submitted", reason: "enter_ignored" });
    expect(each.tmux.received("tmpm-demo")).toEqual(TYPED.slice(0, 1));
  });

  test("a keyed send that waited is delivered by the next daemon, also after an orderly stop", async () => {
    const each = await demo({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    const keyed = { session: "demo", text: "hello", idempotency_key: "k", timeout_ms: 1e9 };
    const sending = each.sessions.send(keyed).catch(() => null);
    await eventually(async () => (await each.sessions.sends({ session: "demo" })).map(({ receipt }) => receipt.reason)).toEqual(["dialog"]);
    await each.sessions.close();
    await sending;
    const next = each.restarted();
    await next.keys({ session: "demo", keys: ["Enter"] });
    expect((await next.send(keyed)).receipt.outcome).toBe("submitted");
    expect(each.tmux.received("tmpm-demo").slice(1)).toEqual(TYPED);
    await next.close();
  });

  test("a full disk does not prevent the next daemon from submitting the typed text", async () => {
    const each = await demo();
    const next = await crashed(each, "send.arrived");
    each.sends.failNext("note", new TmpmError("STORAGE_FULL", "full"));
    expect(await concluded(next)).toMatchObject({ outcome: "submitted", reason: "screen" });
    expect(each.tmux.received("tmpm-demo")).toEqual(TYPED);
    expect(each.faults).toMatchObject([{ error: { code: "STORAGE_FULL" } }]);
  });

  test("a session that ended meanwhile is reported as the reason", async () => {
    const each = await demo();
    const next = await crashed(each, "send.entering");
    await next.stop({ session: "demo" });
    expect(await concluded(next)).toMatchObject({ outcome: "unconfirmed", reason: "session_ended" });
  });

  test("an unresponsive tmux makes the next daemon wait, without guesses", async () => {
    const each = await demo();
    const next = await crashed(each, "send.entered");
    each.tmux.stopServer();
    expect((await next.sends({ session: "demo" })).map(({ receipt }) => receipt.outcome)).toEqual(["held"]);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    each.tmux.continueServer();
    // The agent is idle again, as if nothing had happened.
    expect(await concluded(next)).toMatchObject({ outcome: "unconfirmed", reason: "interrupted" });
    expect(each.tmux.received("tmpm-demo")).toEqual(TYPED);
  });
});

describe("outcome that the journal cannot write", () => {
  test("is final: the same key gets the receipt, and the journal gets it later, once", async () => {
    const each = await demo();
    const keyed = { session: "demo", text: "hello", idempotency_key: "k" };
    each.onStep((step) => {
      if (step === "send.confirmed") each.sends.failNext("note", new TmpmError("STORAGE_FULL", "no space left"));
    });
    const { receipt } = await each.sessions.send(keyed);
    each.onStep(null);
    expect(receipt.outcome).toBe("submitted");
    expect(await each.sends.another().pending()).toHaveLength(1);
    expect((await each.sessions.send(keyed)).receipt).toEqual(receipt);
    expect((await each.sessions.sends({ session: "demo" })).map((sent) => sent.receipt)).toEqual([receipt]);
    each.sessions.start();
    await eventually(() => each.sends.another().pending()).toEqual([]);
    await each.sessions.close();
    expect(each.faults).toMatchObject([{ error: { code: "STORAGE_FULL" } }]);
    expect(each.events.filter(({ type }) => type === "session_text_sent")).toHaveLength(1);
  });
});

describe("recovery of sends", () => {
  const SHORTAGE = Object.assign(new Error("too many open files"), { code: "EMFILE", syscall: "open" });

  /** Two prompts that a daemon accepted and did not begin. */
  async function accepted(): Promise<Fixture> {
    const each = await demo();
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "second" });
    each.crashAt("send.accepted");
    for (const session of ["demo", "second"])
      await expect(each.sessions.send({ session, text: "hello", no_wait: true })).rejects.toBe(CRASH);
    each.crashAt(null);
    return each;
  }

  const outcomes = ({ events }: Fixture) => events.flatMap((event) => (event.type === "session_text_sent" ? [event.outcome] : []));

  test("a text that cannot be read is refused, and the other sends are delivered", async () => {
    const each = await accepted();
    each.sends.failNext("text", new TmpmError("STORE_DEGRADED", "the text cannot be read: not UTF-8"));
    const next = each.restarted();
    next.start();
    expect(await concluded(next)).toMatchObject({
      outcome: "refused",
      reason: "interrupted",
      evidence: ["the text cannot be read: not UTF-8"],
    });
    await eventually(() => outcomes(each).toSorted()).toEqual(["refused", "submitted"]);
    expect(next.isRecovered()).toBe(true);
    await next.close();
    expect(each.tmux.received("tmpm-demo")).toEqual([]);
    expect(each.tmux.received("tmpm-second")).toEqual(TYPED);
  });

  test("is repeated after a resource shortage, and starts each send once", async () => {
    const each = await accepted();
    const texts = each.sends.text;
    let failed = false;
    const [, second] = await each.sends.pending();
    each.sends.text = async (entry) => {
      if (failed || entry.id !== second?.id) return texts(entry);
      failed = true;
      throw SHORTAGE;
    };
    const next = each.restarted();
    next.start();
    await eventually(() => next.isRecovered()).toBe(true);
    await eventually(() => outcomes(each)).toEqual(["submitted", "submitted"]);
    for (const session of ["demo", "second"])
      expect((await next.sends({ session })).map(({ receipt }) => receipt.outcome)).toEqual(["submitted"]);
    expect(each.faults).toEqual([{ doing: "resuming deliveries", error: SHORTAGE }]);
    await next.close();
  });
});

describe("a disk that is full just before the text is typed", () => {
  const full = () => new TmpmError("STORAGE_FULL", "full");

  test.each([{ no_wait: true }, { idempotency_key: "k" }])("delays a send that does without its caller (%o)", async (more) => {
    const each = await demo();
    for (let times = 0; times < 3; times++) each.sends.failNext("note", full());
    const { receipt } = await each.sessions.send({ session: "demo", text: "hello", ...more });
    const known = async () => (await each.sessions.receipt({ session: "demo", send: receipt.id ?? "" })).receipt.outcome;
    await eventually(known).toBe("submitted");
    expect(each.tmux.received("tmpm-demo")).toEqual(TYPED);
  });

  test("is reported to a waiting caller, and as the reason when the timeout of a send ends", async () => {
    const each = await demo();
    each.sends.failNext("note", full());
    await expect(each.sessions.send({ session: "demo", text: "hello" })).rejects.toMatchObject({ code: "STORAGE_FULL" });
    for (let times = 0; times < 50; times++) each.sends.failNext("note", full());
    const keyed = await each.sessions.send({ session: "demo", text: "hello", idempotency_key: "k", timeout_ms: 5_000 });
    expect(keyed.receipt).toMatchObject({ outcome: "refused", evidence: expect.arrayContaining(["full"]) });
    expect(each.tmux.received("tmpm-demo")).toEqual([]);
  });
});

describe("a key", () => {
  test("two simultaneous sends with the same key are one", async () => {
    const each = await demo();
    const keyed = { session: "demo", text: "hello", idempotency_key: "k" };
    const [one, two] = await Promise.all([each.sessions.send(keyed), each.sessions.send(keyed)]);
    expect(one?.receipt).toEqual(two?.receipt);
    expect(each.tmux.received("tmpm-demo")).toEqual(TYPED);
  });

  test("a key belongs to one text, as it arrives, and to one session", async () => {
    const each = await demo();
    const { receipt } = await each.sessions.send({ session: "demo", text: "a\r\nb", idempotency_key: "k" });
    expect((await each.sessions.send({ session: "demo", text: "a\nb", idempotency_key: "k" })).receipt).toEqual(receipt);
    await expect(each.sessions.send({ session: "demo", text: "other", idempotency_key: "k" })).rejects.toMatchObject({
      code: "IDEMPOTENCY_MISMATCH",
      effect: "none",
    });
    await each.sessions.create({ agent: "composer", cwd: "/w", name: "second" });
    expect((await each.sessions.send({ session: "second", text: "other", idempotency_key: "k" })).receipt.outcome).toBe("submitted");
  });
});

describe("a caller", () => {
  test("that disconnects cancels a waiting send; with a key it continues for a repeated request", async () => {
    const each = await demo({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    const gone = new AbortController();
    const plain = each.sessions.send({ session: "demo", text: "hello", signal: gone.signal, timeout_ms: 1e9 });
    await eventually(async () => (await each.sessions.sends({ session: "demo" })).length).toBe(1);
    gone.abort();
    expect((await plain).receipt).toMatchObject({ outcome: "refused", reason: "caller_gone" });
    const keyed = { session: "demo", text: "hello", idempotency_key: "k", timeout_ms: 1e9 };
    await expect(each.sessions.send({ ...keyed, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "SHUTTING_DOWN",
      effect: "unknown",
    });
    await each.sessions.keys({ session: "demo", keys: ["Enter"] });
    expect((await each.sessions.send(keyed)).receipt.outcome).toBe("submitted");
    expect(each.tmux.received("tmpm-demo").slice(1)).toEqual(TYPED);
  });

  test("can cancel a held send, and the next one continues", async () => {
    const each = await demo({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    const [one, two] = await Promise.all(["one", "hello"].map((text) => each.sessions.send({ session: "demo", text, queue: true })));
    expect(two?.receipt).toMatchObject({ outcome: "held", reason: "behind_another" });
    const cancelled = await each.sessions
      .cancelSend({ session: "demo", send: (one?.receipt.id ?? "").slice(0, -2) })
      .catch((error: unknown) => error);
    expect(cancelled).toMatchObject({ code: "SEND_NOT_FOUND" });
    expect((await each.sessions.cancelSend({ session: "demo", send: one?.receipt.id ?? "" })).receipt).toMatchObject({
      outcome: "refused",
      reason: "cancelled",
    });
    await each.sessions.keys({ session: "demo", keys: ["Enter"] });
    const outcome = async () => (await each.sessions.receipt({ session: "demo", send: two?.receipt.id ?? "" })).receipt.outcome;
    await eventually(outcome).toBe("submitted");
    expect(each.tmux.received("tmpm-demo").slice(1)).toEqual(TYPED);
  });

  test("that stops the session has its held sends refused", async () => {
    const each = await demo({ programs: { "composer-agent": composerProgram({ dialog: true }) } });
    const { receipt } = await each.sessions.send({ session: "demo", text: "hello", queue: true });
    await each.sessions.stop({ session: "demo" });
    const now = async () => (await each.sessions.receipt({ session: "demo", send: receipt.id ?? "" })).receipt;
    await eventually(now).toMatchObject({ outcome: "refused", reason: "session_ended" });
  });
});
