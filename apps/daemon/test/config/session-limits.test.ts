import { DEFAULT_SETTINGS } from "@tmpm/supervisor";
import { describe, expect, test } from "vitest";
import { cloneTime } from "../../src/config/clone-time.js";
import { fixedConfig } from "../../src/config/live-config.js";
import { sessionLimits } from "../../src/config/session-limits.js";

const of = (env: Record<string, string>) => sessionLimits(fixedConfig(env).values());

describe("settings of sessions", () => {
  test.each([
    { texts: ["on", "true", "yes", "1", "True"], is: true },
    { texts: ["off", "false", "no", "0", "OFF"], is: false },
  ])("are $is for every accepted text of that value", ({ texts, is }) => {
    for (const text of texts) {
      const { autoResume, turnTrees, resumeAfterLimit } = of({
        TMPM_AUTO_RESUME: text,
        TMPM_TURN_TREES: text,
        TMPM_RESUME_AFTER_LIMIT: text,
      });
      expect([autoResume, turnTrees, resumeAfterLimit.on], text).toEqual([is, is, is]);
    }
  });

  test("by default are those of the supervisor, with trees of turns", () => {
    const { autoResume, maxSessions, queueDepth, resumeAfterLimit, uploads } = DEFAULT_SETTINGS;
    expect(of({})).toEqual({ autoResume, grant: null, turnTrees: true, maxSessions, queueDepth, resumeAfterLimit, uploads });
    expect(cloneTime(fixedConfig({}).values())).toEqual({ cloneMs: 120_000, checkoutMs: 120_000 });
  });

  test("include the usual grant, in the words of the command line; invalid text is refused", () => {
    expect(of({ TMPM_GRANT: "tree,children=8" }).grant).toMatchObject({ reach: "tree", children: 8, depth: 1 });
    expect(of({ TMPM_GRANT: "none" }).grant).toBeNull();
    expect(() => of({ TMPM_GRANT: "tree,children=0" })).toThrow("TMPM_GRANT is a grant");
  });

  test("are counted in their units", () => {
    const { uploads, maxSessions } = of({ TMPM_UPLOAD_FILE_MIB: "2", TMPM_MAX_SESSIONS: "3" });
    expect([uploads.fileBytes, maxSessions]).toEqual([2 * 1024 * 1024, 3]);
    expect(cloneTime(fixedConfig({ TMPM_CLONE_SECONDS: "1.5" }).values())).toEqual({ cloneMs: 1_500, checkoutMs: 1_500 });
  });
});
