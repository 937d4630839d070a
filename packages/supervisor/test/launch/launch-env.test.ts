import type { FakeProgram } from "@tmpm/tmux-driver/fake";
import { describe, expect, test } from "vitest";
import { composerProgram } from "../fixtures/composer-program.js";
import { fixture } from "../fixtures/fixture.js";

describe("environment of a session's caller", () => {
  test("reaches the program as far as allowed, also on a relaunch, and is in no record", async () => {
    const launched: Readonly<Record<string, string>>[] = [];
    const program: FakeProgram = (terminal) => {
      launched.push(terminal.env);
      return composerProgram({})(terminal);
    };
    const { sessions, store, events } = fixture({ programs: { "composer-agent": program } });
    const env = { MY_KEY: "sesame", OTHER: "x", TMPM_PASS_ENV: "MY_KEY" };
    await sessions.create({ agent: "composer", cwd: "/w", name: "one", env });
    await sessions.stop({ session: "one" });
    await sessions.resume({ session: "one" });
    await sessions.restart({ session: "one", env: { MY_KEY: "newer", TMPM_PASS_ENV: "MY_KEY" } });
    expect(launched.map(({ MY_KEY, OTHER }) => ({ MY_KEY, OTHER }))).toEqual([
      { MY_KEY: "sesame" },
      { MY_KEY: "sesame" },
      { MY_KEY: "newer" },
    ]);
    expect(JSON.stringify([await store.list(), events])).not.toContain("sesame");
  });
});
