import { type AgentAdapter, agentText } from "@tmpm/agents";
import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { holdsPrompt } from "../../src/observe/holds-prompt.js";
import { asking, askingProgram, memoryHooks } from "../fixtures/asking-agent.js";
import { composer, fixture } from "../fixtures/fixture.js";

/** Works until it is interrupted, and then has its prompt in its input again; C-c clears that. */
const busyProgram: FakeProgram = (terminal) => {
  let draft = "";
  let working: string | null = null;
  const draw = () => terminal.write(`\n${working === null ? `> ${draft}` : "working"}`);
  draw();
  return {
    input(text) {
      if (text === "\u001b" && working !== null) [draft, working] = [working, null];
      else if (text === "\u0003") draft = "";
      else if (text === "\r" && draft !== "") [draft, working] = ["", draft];
      else if (text !== "\r" && text !== "\u001b") draft += text;
      draw();
    },
  };
};

const busy: AgentAdapter = {
  ...composer,
  id: "busy",
  launch: async ({ conversationId }) => ({ argv: ["busy-agent"], env: {}, conversationId, carriesPrompt: false }),
  interrupt: { keys: ["Escape"] },
};

const commanding: AgentAdapter = {
  ...composer,
  id: "commanding",
  title: "Commanding",
  text: agentText({
    refuses: (typed) => (typed.startsWith("!") ? "Commanding takes a text that begins with ! for a command" : null),
    guards: [{ says: "a space stands before it", apply: (text) => text.replace(/^(?=\/)/u, " ") }],
    alters: [{ says: "tabs become spaces", apply: (text) => text.replaceAll("\t", "    ") }],
  }),
};

describe("a send", () => {
  test("that interrupts ends the turn, removes the returned prompt, and then types", async () => {
    const { sessions, tmux } = fixture({ adapters: [busy], programs: { "busy-agent": busyProgram } });
    await sessions.create({ agent: "busy", cwd: "/w", name: "demo" });
    await sessions.send({ session: "demo", text: "long" });
    expect((await sessions.send({ session: "demo", text: "no" })).receipt).toMatchObject({ outcome: "refused", reason: "working" });
    const { receipt } = await sessions.send({ session: "demo", text: "new", interrupt: true });
    expect(receipt.outcome).toBe("submitted");
    expect(receipt.evidence.slice(0, 2)).toEqual([
      "the running turn was interrupted first",
      "its prompt, which reappeared in the input, was removed",
    ]);
    const received = tmux.received("tmpm-demo").map((input) => (input.type === "paste" ? input.text : input.keys.join()));
    expect(received).toEqual(["long", "Enter", "Escape", "C-c", "new", "Enter"]);
  });

  test("reported by the agent's hook is submitted, whatever the screen shows", async () => {
    const hooks = memoryHooks();
    let report: () => Promise<unknown> = async () => undefined;
    const silent: AgentAdapter = {
      ...asking,
      submitted() {
        void report();
        return null;
      },
    };
    const { sessions } = fixture({ adapters: [silent], programs: { "asking-agent": askingProgram() }, ports: { hooks } });
    const { session } = await sessions.create({ agent: "asking", cwd: "/w", name: "demo" });
    const token = hooks.tokens().at(-1) ?? null;
    report = () => sessions.hook({ session: session.record.id, token, payload: { state: "working", prompted: true } });
    expect((await sessions.send({ session: "demo", text: "hello" })).receipt).toMatchObject({ outcome: "submitted", reason: "hook" });
  });

  test("is not confirmed by the agent's report of another prompt", async () => {
    const hooks = memoryHooks();
    let prompt = "";
    let report: () => Promise<unknown> = async () => undefined;
    const silent: AgentAdapter = {
      ...asking,
      submitted() {
        void report();
        return null;
      },
    };
    const { sessions } = fixture({ adapters: [silent], programs: { "asking-agent": askingProgram() }, ports: { hooks } });
    const { session } = await sessions.create({ agent: "asking", cwd: "/w", name: "demo" });
    const token = hooks.tokens().at(-1) ?? null;
    report = () => sessions.hook({ session: session.record.id, token, payload: { state: "working", prompted: true, prompt } });
    const outcome = async (text: string, reported: string) => {
      prompt = reported;
      const { receipt } = await sessions.send({ session: "demo", text });
      await sessions.hook({ session: session.record.id, token, payload: { state: "idle" } });
      return [receipt.outcome, receipt.reason];
    };
    expect(await outcome("one", "another")).toEqual(["unconfirmed", "nothing_seen"]);
    expect(await outcome("two\u200b words", "<frame>two  words</frame>")).toEqual(["submitted", "hook"]);
    expect([holdsPrompt("long ".repeat(60), "long ".repeat(100)), holdsPrompt("long ".repeat(10), "long ".repeat(100))]).toEqual([
      true,
      false,
    ]);
  });

  test("reported by the agent with extra text is marked as mixed", async () => {
    const hooks = memoryHooks();
    let report: () => Promise<unknown> = async () => undefined;
    const reporting: AgentAdapter = {
      ...asking,
      submitted() {
        void report();
        return "it took the line";
      },
    };
    const { sessions } = fixture({ adapters: [reporting], programs: { "asking-agent": askingProgram() }, ports: { hooks } });
    const { session } = await sessions.create({ agent: "asking", cwd: "/w", name: "demo" });
    const token = hooks.tokens().at(-1) ?? null;
    const hook = (payload: object) => sessions.hook({ session: session.record.id, token, payload });
    const sendTaken = async (text: string, prompt: string) => {
      report = () => hook({ state: "working", prompted: true, prompt });
      const { receipt } = await sessions.send({ session: "demo", text });
      await hook({ state: "idle" });
      return [receipt.outcome, receipt.altered];
    };
    const along = "other text appeared in the input before Enter took effect, and was sent too";
    expect(await sendTaken("one", "one")).toEqual(["submitted", null]);
    expect(await sendTaken("two", " two\n")).toEqual(["submitted", null]);
    expect(await sendTaken("three", "threezz")).toEqual(["submitted", along]);
    expect(await sendTaken("four", "fozzur")).toEqual(["submitted", along]);
    expect(await sendTaken("five", "<frame>five</frame>")).toEqual(["submitted", null]);
  });

  test("that is drawn completely only after Enter is not marked as mixed", async () => {
    const inSteps: FakeProgram = (terminal) => {
      let text = "";
      terminal.write("\n> ");
      return {
        input(typed) {
          if (typed !== "\r") text = typed;
          terminal.write(`\n> ${typed === "\r" ? text : text.slice(0, -1)}`);
        },
      };
    };
    const shown = (lines: readonly string[]) => lines.findLast((line) => line.trim() !== "")?.slice(2) ?? "";
    const drawing: AgentAdapter = {
      ...composer,
      arrived: ({ now, text }) => (shown(now.lines) === text.slice(0, -1) ? "its input shows the text" : null),
      mixed: ({ now, text }) => (text.startsWith(shown(now.lines)) ? null : "its input shows other text"),
      submitted: ({ now, text }) => (shown(now.lines).startsWith(text) ? "it took the line" : null),
    };
    const { sessions } = fixture({ adapters: [drawing], programs: { "composer-agent": inSteps } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    expect((await sessions.send({ session: "demo", text: "a family" })).receipt).toMatchObject({ outcome: "submitted", altered: null });
  });

  test.each([
    ["/clear", false, " /clear", "a space stands before it"],
    ["/clear", true, "/clear", null],
    ["!ls", true, "!ls", null],
    ["a\tb", false, "a\tb", "tabs become spaces"],
    ["plain", false, "plain", null],
  ] as const)("of %j (as a command: %s) types %j and reports every change", async (text, as_command, typed, altered) => {
    const { sessions, tmux } = fixture({ adapters: [commanding] });
    await sessions.create({ agent: "commanding", cwd: "/w", name: "demo" });
    const { receipt } = await sessions.send({ session: "demo", text, as_command });
    expect(tmux.received("tmpm-demo")[0]).toEqual({ type: "paste", text: typed });
    expect([receipt.altered, receipt.bytes]).toEqual([altered, text.length]);
  });

  test("of a text that the agent would read as a command is refused at once, with nothing typed", async () => {
    const { sessions, tmux } = fixture({ adapters: [commanding] });
    await sessions.create({ agent: "commanding", cwd: "/w", name: "demo" });
    const { receipt } = await sessions.send({ session: "demo", text: "!ls" });
    expect(receipt).toMatchObject({ outcome: "refused", reason: "not_a_text", altered: null });
    expect(receipt.hint).toContain("--as-command");
    expect(tmux.received("tmpm-demo")).toEqual([]);
  });
});
