import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { composerProgram } from "../fixtures/composer-program.js";
import { composer, fixture } from "../fixtures/fixture.js";

describe("interrupt", () => {
  async function shellThat(text: string | null) {
    const l = fixture();
    await l.sessions.create({ agent: "shell", cwd: "/w", name: "demo" });
    if (text !== null) await l.sessions.send({ session: "demo", text });
    return l;
  }

  test("presses the agent's own keys while it works, and reports that it stopped", async () => {
    const { sessions, tmux } = await shellThat("sleep 500");
    const before = tmux.received("tmpm-demo").length;
    const answer = await sessions.interrupt({ session: "demo" });
    expect(answer.outcome).toBe("interrupted");
    expect(answer.session.activity.state).toBe("idle");
    expect(tmux.received("tmpm-demo").slice(before)).toEqual([{ type: "keys", keys: ["C-c"] }]);
  });

  test("presses no key when the agent shows no work", async () => {
    const { sessions, tmux } = await shellThat(null);
    expect((await sessions.interrupt({ session: "demo" })).outcome).toBe("not_working");
    expect(tmux.received("tmpm-demo")).toEqual([]);
  });

  test("reports when no stop was seen", async () => {
    const deaf = { ...composer, interrupt: { keys: ["Escape"] } } as const;
    const program: FakeProgram = (terminal) => {
      terminal.write("\n> ");
      return { input: () => terminal.write("\nworking") };
    };
    const { sessions, tmux } = fixture({ adapters: [deaf], programs: { "composer-agent": program } });
    await sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    tmux.write("tmpm-demo", "\nworking");
    expect((await sessions.interrupt({ session: "demo" })).outcome).toBe("unconfirmed");
  });

  test("is refused for a dialog, an agent without such keys, and an inactive session", async () => {
    const asking = fixture({
      adapters: [{ ...composer, interrupt: { keys: ["Escape"] } }],
      programs: { "composer-agent": composerProgram({ dialog: true }) },
    });
    await asking.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
    await expect(asking.sessions.interrupt({ session: "demo" })).rejects.toMatchObject({ code: "SESSION_BLOCKED" });
    const { sessions } = fixture();
    await sessions.create({ agent: "composer", cwd: "/w", name: "job" });
    await expect(sessions.interrupt({ session: "job" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await sessions.stop({ session: "job" });
    await expect(sessions.interrupt({ session: "job" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  test("with a pause pauses the session whatever the outcome", async () => {
    const { sessions } = await shellThat("sleep 500");
    expect((await sessions.pause({ session: "demo", interrupt: true })).interrupt).toMatchObject({ outcome: "interrupted" });
    const other = fixture();
    await other.sessions.create({ agent: "composer", cwd: "/w", name: "job" });
    const { interrupt, session } = await other.sessions.pause({ session: "job", interrupt: true });
    expect(interrupt).toMatchObject({ outcome: "refused", evidence: [expect.stringContaining("no interrupt keys")] });
    expect(session.record.paused_at).not.toBeNull();
  });
});
