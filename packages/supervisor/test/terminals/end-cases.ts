import { expect } from "vitest";
import { job, recordOf, recordsOf, speakingJob } from "../bed.js";
import type { RealLab } from "../real-lab.js";
import { eventually, type TerminalCase } from "./terminal-bed.js";

const resumptions = ({ events }: RealLab) => events.filter(({ type }) => type === "session_resumed").length;
const quick = { suspicionMs: 200, sweepMs: { quiet: 1_000, busy: 500 } } as const;

/** Programs and terminals that end without being asked to. */
export const END_CASES: readonly TerminalCase[] = [
  {
    title: "programs that end in one moment are noticed each with its own status and last lines, and are not started again",
    settings: quick,
    async run({ lab }) {
      const names = ["s1", "s2", "s3", "s4"];
      await Promise.all(names.map((name) => lab.sessions.create({ ...speakingJob, name, cwd: lab.folder })));
      await eventually(async () => (await lab.sessions.capture({ session: "s3" })).lines).toContain("words");
      lab.sessions.start();
      await Promise.all(names.map((session, index) => lab.sessions.keys({ session, keys: [String(index + 1), "Enter"] })));
      const ends = async () => [...(await recordsOf(lab)).values()].map(({ name, exit }) => `${name} ${exit?.status}`).sort();
      await eventually(ends).toEqual(names.map((name, index) => `${name} ${index + 1}`));
      expect((await recordOf(lab, "s3")).last_lines[0]).toBe("words");
      await eventually(async () => (await lab.panes()).length).toBe(0);
      expect(resumptions(lab)).toBe(0);
    },
  },
  {
    title: "a session whose terminal was taken away is launched again: the same session, directory and conversation",
    settings: quick,
    async run({ lab, turner }) {
      await turner();
      lab.sessions.start();
      const before = await recordOf(lab, "demo");
      await lab.takeAway("demo");
      await eventually(() => resumptions(lab)).toBe(1);
      await eventually(async () => (await recordOf(lab, "demo")).intent).toBeNull();
      const after = await recordOf(lab, "demo");
      expect(after).toMatchObject({ id: before.id, cwd: before.cwd, conversation_id: before.conversation_id, state: "active" });
      expect(after.pane).not.toEqual(before.pane);
      expect((await lab.panes()).map(({ identity }) => identity)).toEqual([after.pane]);
      await lab.sessions.stop({ session: "demo" });
      expect(await recordOf(lab, "demo")).toMatchObject({ state: "stopped", stop_cause: "deliberate" });
    },
  },
  {
    title: "a clean end is not followed by another launch, and an agent that fails is launched again with its conversation",
    settings: quick,
    async run({ lab, turner }) {
      await lab.sessions.create({ ...job, name: "clean", cwd: lab.folder });
      await turner();
      lab.sessions.start();
      const { conversation_id } = await recordOf(lab, "demo");
      await lab.sessions.keys({ session: "clean", keys: ["0", "Enter"] });
      await lab.sessions.send({ session: "demo", text: "exit" });
      await eventually(() => resumptions(lab)).toBe(1);
      await eventually(() => recordOf(lab, "clean")).toMatchObject({ state: "stopped", exit: { status: 0 }, auto_resume: null });
      expect((await recordOf(lab, "demo")).conversation_id).toBe(conversation_id);
    },
  },
];
