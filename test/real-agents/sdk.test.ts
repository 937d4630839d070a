import { describe, expect, test } from "vitest";
import { prompt } from "../mock-model/script.js";
import { eventually } from "../world.js";
import { REAL_AGENTS } from "./agent-homes.js";
import { type Bed, bed } from "./bed.js";

const { TMPM_AGENTS } = process.env;
const wanted = TMPM_AGENTS === undefined ? null : TMPM_AGENTS.split(",");

/** Those that speak the Agent Client Protocol themselves. */
const SPEAKERS = REAL_AGENTS.filter(({ id }) => (id === "opencode" || id === "gemini") && (wanted === null || wanted.includes(id)));

const LONG_MS = 240_000;
const PATIENT_MS = 120_000;

interface Shown {
  readonly activity: { readonly state: string; readonly source: string };
  readonly conversation_id: string | null;
  readonly decision: { readonly id: string; readonly subject: string } | null;
}

const show = ({ world }: Bed) => world.json<Shown>(["show", "demo"]);

const reaches = (each: Bed, state: string) =>
  eventually(async () => {
    const shown = await show(each);
    return shown.activity.state === state ? shown : null;
  }, PATIENT_MS);

const captured = async ({ world }: Bed) => (await world.tmpm(["capture", "demo", "--history", "500"])).stdout;

describe.each(SPEAKERS)("$id over its protocol", (agent) => {
  test(
    "is prompted exactly, asks, is broken off, and goes on with its conversation after a stop",
    async () => {
      await using each = await bed(agent);
      const { world } = each;
      await world.tmpm(["new", "--host", "sdk", "--agent", agent.id, "--name", "demo", "--cwd", each.dir, "--trust"]);
      const { conversation_id: conversation } = await reaches(each, "idle");
      expect(conversation).toEqual(expect.any(String));

      const text = "Three lines:\n\ttabs stay, 漢字 🙂 too\nand the last.";
      await world.tmpm(["send", "demo", text]);
      await each.arrived([text]);
      await reaches(each, "idle");
      expect(await captured(each)).toMatch(/^sha256 [0-9a-f]{16} of \d+ bytes/mu);

      await world.tmpm(["send", "demo", prompt({ run: "echo from-the-shell > said.txt", say: "It is done." })]);
      const asked = await reaches(each, "awaiting_approval");
      expect(asked.decision?.subject).toContain("echo from-the-shell");
      await world.tmpm(["approve", "demo"]);
      await reaches(each, "idle");
      expect(await captured(each)).toContain("It is done.");

      await world.tmpm(["send", "demo", prompt({ say: "never", waitMs: 60_000 })]);
      await reaches(each, "working");
      await world.tmpm(["interrupt", "demo"]);
      expect((await reaches(each, "idle")).activity.source).toBe("protocol");

      await world.tmpm(["stop", "demo"]);
      await world.tmpm(["resume", "demo"]);
      expect((await reaches(each, "idle")).conversation_id).toBe(conversation);
      expect(await captured(each)).toContain("It is done.");
    },
    LONG_MS * 2,
  );
});
