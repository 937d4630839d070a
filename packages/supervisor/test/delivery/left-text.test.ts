import { type AgentAdapter, agentFromConfig } from "@tmpm/agents";
import { TmpmError } from "@tmpm/core";
import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { CRASH, type Fixture, fixture } from "../fixtures/fixture.js";

/** Read by a user's description, with an input that proofs can use. */
const adapter: AgentAdapter = {
  ...agentFromConfig({ id: "input", argv: ["sh"], input: "^> ?(.*)$", states: { working: ["^working$"], idle: ["^>"] } }),
  detect: async () => ({ installed: true, path: "/bin/input-agent", version: null }),
  launch: async () => ({ argv: ["input-agent"], env: {}, conversationId: null, carriesPrompt: false }),
  clears: true,
};

interface Behaviour {
  /** Number of Enters that are swallowed before one counts. */
  readonly lostEnters?: number;
  /** Typed by a user as soon as a text appears. */
  readonly person?: string;
  /** Does not show typed text until Enter. */
  readonly late?: boolean;
  /** Number of pastes that lose their second half. */
  readonly cuts?: number;
}

function inputProgram({ lostEnters = 0, person = "", late = false, cuts = 0 }: Behaviour): FakeProgram {
  return (terminal) => {
    let draft = "";
    let lost = lostEnters;
    let cut = cuts;
    const draw = () => terminal.write(`\n> ${draft}`);
    draw();
    return {
      input(text) {
        if (text === "\u0003") {
          draft = "";
        } else if (text === "\r" && lost > 0) {
          lost -= 1;
        } else if (text === "\r") {
          draft = "";
          terminal.write("\nworking");
          terminal.after(1_000, draw);
          return;
        } else {
          draft += cut-- > 0 ? text.slice(0, text.length / 2) : text;
          if (late) {
            terminal.after(60_000, draw);
            return;
          }
          if (person !== "") {
            terminal.after(100, () => {
              draft += person;
              draw();
            });
          }
        }
        draw();
      },
    };
  };
}

async function demo(behaviour: Behaviour): Promise<Fixture> {
  const each = fixture({ adapters: [adapter], programs: { "input-agent": inputProgram(behaviour) } });
  await each.sessions.create({ agent: "input", cwd: "/w", name: "demo" });
  return each;
}

function fails({ tmux }: Fixture): void {
  tmux.failNext("capture", new TmpmError("TMUX_FAILED", "tmux refused"));
}

function typed({ tmux }: Fixture): readonly string[] {
  return tmux.received("tmpm-demo").map((input) => (input.type === "paste" ? input.text : input.keys.join()));
}

describe("text that a send left in the input", () => {
  test("is removed before the next send, which reports it", async () => {
    const each = await demo({ lostEnters: 3 });
    const first = await each.sessions.send({ session: "demo", text: "hello" });
    expect(first.receipt).toMatchObject({ outcome: "typed_not_submitted", reason: "enter_ignored" });
    const second = await each.sessions.send({ session: "demo", text: "again" });
    expect(second.receipt).toMatchObject({ outcome: "submitted" });
    expect(second.receipt.evidence[0]).toBe("text left in the input by an earlier send was removed");
    expect(typed(each)).toEqual(["hello", "Enter", "Enter", "Enter", "C-c", "again", "Enter"]);
  });

  test("is known after a restart of the daemon", async () => {
    const each = await demo({ lostEnters: 3 });
    await each.sessions.send({ session: "demo", text: "hello" });
    expect((await each.restarted().send({ session: "demo", text: "again" })).receipt.outcome).toBe("submitted");
  });

  test("is known after a crash before Enter", async () => {
    const each = await demo({});
    each.crashAt("send.pasted");
    await expect(each.sessions.send({ session: "demo", text: "hello" })).rejects.toBe(CRASH);
    each.crashAt(null);
    const next = each.restarted();
    each.tmux.advance(11 * 60_000);
    expect((await next.send({ session: "demo", text: "again", timeout_ms: 60_000 })).receipt.outcome).toBe("submitted");
    expect(typed(each)).toEqual(["hello", "C-c", "again", "Enter"]);
  });

  test("is not confused with a user's draft that begins like it", async () => {
    const each = await demo({});
    each.crashAt("send.pasting");
    await expect(each.sessions.send({ session: "demo", text: "hello" })).rejects.toBe(CRASH);
    each.crashAt(null);
    const { pane } = (await each.sessions.show({ session: "demo" })).record;
    if (pane === null) throw new Error("it has no terminal");
    await each.tmux.driver.paste(pane, "he");
    const next = each.restarted();
    const { receipt } = await next.send({ session: "demo", text: "again", timeout_ms: 60_000 });
    expect(receipt).toMatchObject({ outcome: "refused", reason: "draft" });
    expect(typed(each)).toEqual(["he"]);
  });

  test.each([
    ["a paste without an answer", { late: true }, (each: Fixture) => each.tmux.failNext("paste", "unknown")],
    [
      "a tmux that fails between the paste and Enter",
      {},
      (each: Fixture) => each.onStep((step) => void (step === "send.pasted" && fails(each))),
    ],
  ] as const)("is recognised after %s", async (_, behaviour, fail) => {
    const each = await demo(behaviour);
    fail(each);
    expect((await each.sessions.send({ session: "demo", text: "hello" })).receipt.outcome).toBe("unconfirmed");
    each.onStep(null);
    each.tmux.advance(60_000);
    await each.sessions.send({ session: "demo", text: "again" });
    expect(typed(each).slice(0, 3)).toEqual(["hello", "C-c", "again"]);
  });

  test("is recognised even if it appears only after its send has ended", async () => {
    const each = await demo({ late: true });
    expect((await each.sessions.send({ session: "demo", text: "hello" })).receipt).toMatchObject({ reason: "not_shown" });
    each.tmux.advance(60_000);
    await each.sessions.send({ session: "demo", text: "again" });
    expect(typed(each)).toEqual(["hello", "C-c", "again"]);
  });

  test("is removed by cancelling its send", async () => {
    const each = await demo({ lostEnters: 3 });
    const { receipt } = await each.sessions.send({ session: "demo", text: "hello" });
    await each.sessions.cancelSend({ session: "demo", send: receipt.id ?? "" });
    expect(typed(each).at(-1)).toBe("C-c");
    await each.sessions.cancelSend({ session: "demo", send: receipt.id ?? "" });
    expect(typed(each).filter((keys) => keys === "C-c")).toHaveLength(1);
  });

  test("stays, and holds the next send, once a user has changed it", async () => {
    const each = await demo({ lostEnters: 3 });
    await each.sessions.send({ session: "demo", text: "hello" });
    await each.sessions.keys({ session: "demo", keys: ["z"] });
    expect((await each.sessions.send({ session: "demo", text: "again" })).receipt).toMatchObject({ outcome: "refused", reason: "draft" });
    expect(typed(each)).not.toContain("C-c");
  });
});

describe("a user's typing during a delivery", () => {
  test("is detected before Enter, which is not pressed, and is never removed", async () => {
    const each = await demo({ person: "zz" });
    const { receipt } = await each.sessions.send({ session: "demo", text: "hello" });
    expect(receipt).toMatchObject({ outcome: "typed_not_submitted", reason: "input_changed" });
    expect((await each.sessions.send({ session: "demo", text: "again" })).receipt).toMatchObject({ outcome: "refused", reason: "draft" });
    expect(typed(each)).toEqual(["hello"]);
  });
});

describe("text of which the agent lost a part", () => {
  test("is removed and typed again, before Enter", async () => {
    const each = await demo({ cuts: 1 });
    const { receipt } = await each.sessions.send({ session: "demo", text: "one two three" });
    expect(receipt.outcome).toBe("submitted");
    expect(receipt.evidence[0]).toContain("was typed again");
    expect(typed(each)).toEqual(["one two three", "C-c", "one two three", "Enter"]);
  });

  test("is given up after three attempts, and the rest is removed before the next send", async () => {
    const each = await demo({ cuts: 3 });
    const { receipt } = await each.sessions.send({ session: "demo", text: "one two three" });
    expect(receipt).toMatchObject({ outcome: "unconfirmed", reason: "not_shown" });
    expect((await each.sessions.send({ session: "demo", text: "again" })).receipt.outcome).toBe("submitted");
    expect(typed(each).filter((keys) => keys === "one two three")).toHaveLength(3);
  });
});

test("a text waits no longer than its timeout, even if it is held repeatedly", async () => {
  const each = await demo({});
  each.tmux.setMode("tmpm-demo", true);
  const began = each.tmux.now();
  const { receipt } = await each.sessions.send({ session: "demo", text: "hello", timeout_ms: 8_000 });
  expect(receipt).toMatchObject({ outcome: "refused", reason: "copy_mode" });
  expect(each.tmux.now() - began).toBeLessThan(9_000);
});
