import { expect } from "vitest";
import { job, recordOf, recordsOf, speakingJob } from "../fixtures/host-fixture.js";
import type { RealFixture } from "../fixtures/real-fixture.js";
import { eventually, type TerminalCase } from "./terminal-fixture.js";

const resumptions = ({ events }: RealFixture) => events.filter(({ type }) => type === "session_resumed").length;
const quick = { suspicionMs: 200, sweepMs: { quiet: 1_000, busy: 500 } } as const;

/** Programs and terminals that end unrequested. */
export const END_CASES: readonly TerminalCase[] = [
  {
    title: "detects programs that end at once, each with its status and last lines, and does not start them again",
    settings: quick,
    async run({ fixture }) {
      const names = ["s1", "s2", "s3", "s4"];
      await Promise.all(names.map((name) => fixture.sessions.create({ ...speakingJob, name, cwd: fixture.folder })));
      await eventually(async () => (await fixture.sessions.capture({ session: "s3" })).lines).toContain("words");
      fixture.sessions.start();
      await Promise.all(names.map((session, index) => fixture.sessions.keys({ session, keys: [String(index + 1), "Enter"] })));
      const ends = async () => [...(await recordsOf(fixture)).values()].map(({ name, exit }) => `${name} ${exit?.status}`).sort();
      await eventually(ends).toEqual(names.map((name, index) => `${name} ${index + 1}`));
      expect((await recordOf(fixture, "s3")).last_lines[0]).toBe("words");
      await eventually(async () => (await fixture.panes()).length).toBe(0);
      expect(resumptions(fixture)).toBe(0);
    },
  },
  {
    title: "launches a session again whose terminal was removed: the same session, directory and conversation",
    settings: quick,
    async run({ fixture, turner }) {
      await turner();
      fixture.sessions.start();
      const before = await recordOf(fixture, "demo");
      await fixture.takeAway("demo");
      await eventually(() => resumptions(fixture)).toBe(1);
      await eventually(async () => (await recordOf(fixture, "demo")).intent).toBeNull();
      const after = await recordOf(fixture, "demo");
      expect(after).toMatchObject({ id: before.id, cwd: before.cwd, conversation_id: before.conversation_id, state: "active" });
      expect(after.pane).not.toEqual(before.pane);
      expect((await fixture.panes()).map(({ identity }) => identity)).toEqual([after.pane]);
      await fixture.sessions.stop({ session: "demo" });
      expect(await recordOf(fixture, "demo")).toMatchObject({ state: "stopped", stop_cause: "deliberate" });
    },
  },
  {
    title: "launches a failed agent again with its conversation, but not after a clean end",
    settings: quick,
    async run({ fixture, turner }) {
      await fixture.sessions.create({ ...job, name: "clean", cwd: fixture.folder });
      await turner();
      fixture.sessions.start();
      const { conversation_id } = await recordOf(fixture, "demo");
      await fixture.sessions.keys({ session: "clean", keys: ["0", "Enter"] });
      await fixture.sessions.send({ session: "demo", text: "exit" });
      await eventually(() => resumptions(fixture)).toBe(1);
      await eventually(() => recordOf(fixture, "clean")).toMatchObject({ state: "stopped", exit: { status: 0 }, auto_resume: null });
      expect((await recordOf(fixture, "demo")).conversation_id).toBe(conversation_id);
    },
  },
];
