import { describe, expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { prompt } from "../mock-model/script.js";
import { type AgentFixture, agentFixture } from "./agent-fixture.js";
import { REAL_AGENTS } from "./agent-homes.js";

const { TMPM_AGENTS } = process.env;
const wanted = TMPM_AGENTS === undefined ? null : TMPM_AGENTS.split(",");

/** Two speak the Agent Client Protocol natively, two through an adapter. */
const SPEAKERS = REAL_AGENTS.filter(({ id }) => wanted === null || wanted.includes(id));

const LONG_MS = 240_000;
const PATIENT_MS = 120_000;
const minute = () => new Date().toISOString().slice(0, 16);

interface Shown {
  readonly activity: { readonly state: string; readonly source: string };
  readonly conversation_id: string | null;
  readonly decision: { readonly id: string; readonly subject: string } | null;
}

const show = ({ fixture }: AgentFixture) => fixture.json<Shown>(["show", "demo"]);

const reaches = (each: AgentFixture, state: string) =>
  eventually(async () => {
    const shown = await show(each);
    return shown.activity.state === state ? shown : null;
  }, PATIENT_MS);

const shows = (each: AgentFixture, text: string) =>
  eventually(async () => ((await captured(each)).replaceAll(/^[^>]*mock: .*$/gmu, "").includes(text) ? true : null), PATIENT_MS);

const captured = async ({ fixture }: AgentFixture) => (await fixture.tmpm(["capture", "demo", "--history", "500"])).stdout;

describe.each(SPEAKERS)("$id over its protocol", (agent) => {
  test(
    "is prompted exactly, asks, is interrupted, and continues its conversation after a stop",
    async () => {
      await using each = await agentFixture(agent);
      const { fixture } = each;
      await fixture.tmpm(["new", "--host", "sdk", "--agent", agent.id, "--name", "demo", "--cwd", each.dir, "--trust"]);
      const { conversation_id: conversation } = await reaches(each, "idle");
      const begun = minute();
      expect(conversation).toEqual(expect.any(String));

      const text = "Three lines:\n\ttabs stay, 漢字 🙂 too\nand the last.";
      await fixture.tmpm(["send", "demo", text]);
      await each.arrived([text]);
      await reaches(each, "idle");
      expect(await captured(each)).toMatch(/^sha256 [0-9a-f]{16} of \d+ bytes/mu);

      await fixture.tmpm(["send", "demo", prompt({ run: "echo from-the-shell > said.txt", say: "It is done." })]);
      const asked = await reaches(each, "awaiting_approval");
      expect(asked.decision?.subject).toContain("echo from-the-shell");
      await fixture.tmpm(["approve", "demo"]);
      await reaches(each, "idle");
      expect(await captured(each)).toContain("It is done.");

      await fixture.tmpm(["send", "demo", prompt({ say: "never", waitMs: 60_000 })]);
      await reaches(each, "working");
      await fixture.tmpm(["interrupt", "demo"]);
      expect((await reaches(each, "idle")).activity.source).toBe("protocol");

      await fixture.tmpm(["stop", "demo"]);
      // Gemini 0.61 names the file of a conversation by the minute, and starts that file again when it continues within it.
      if (agent.id === "gemini") await eventually(async () => (minute() === begun ? null : true), LONG_MS);
      await fixture.tmpm(["resume", "demo"]);
      expect((await reaches(each, "idle")).conversation_id).toBe(conversation);
      expect(await captured(each)).toContain("It is done.");
    },
    LONG_MS * 2,
  );
});

/** Those with the same conversation in a terminal and over the protocol, every time. */
const MOVED = SPEAKERS.filter(({ id }) => id === "claude" || id === "codex");

describe.each(MOVED)("$id", (agent) => {
  test(
    "moves to a terminal and back, and reports its conversation in both",
    async () => {
      await using each = await agentFixture(agent);
      const { fixture } = each;
      await fixture.tmpm(["new", "--host", "sdk", "--agent", agent.id, "--name", "demo", "--cwd", each.dir, "--trust"]);
      await reaches(each, "idle");
      await fixture.tmpm(["send", "demo", prompt({ say: "A heron stands there." })]);
      await shows(each, "A heron stands there.");
      const { conversation_id: conversation } = await reaches(each, "idle");

      await fixture.tmpm(["stop", "demo"]);
      await fixture.json(["resume", "demo", "--host", "pty"]);
      expect((await reaches(each, "idle")).conversation_id).toBe(conversation);
      await shows(each, "A heron stands there.");
      await fixture.tmpm(["send", "demo", prompt({ say: "It flies away." })]);
      await shows(each, "It flies away.");
      await reaches(each, "idle");

      await fixture.tmpm(["stop", "demo"]);
      await fixture.json(["resume", "demo", "--host", "sdk"]);
      expect((await reaches(each, "idle")).conversation_id).toBe(conversation);
      await shows(each, "A heron stands there.");
      await shows(each, "It flies away.");
    },
    LONG_MS * 2,
  );
});
