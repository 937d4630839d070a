import { TmpmError } from "@tmpm/core/errors";
import { expect, test } from "vitest";
import { sweepDrafts } from "../src/daemon/sweep-drafts.js";

const DAY_MS = 86_400_000;
const now = Date.parse("2026-06-01T00:00:00Z");

/** The drafts that are forgotten, of sessions in these states; null for an unknown session. */
async function forgotten(states: Readonly<Record<string, "listed" | "stopped" | "decommissioned" | "deleted" | null>>, ageMs = 0) {
  const [asked, gone]: [string[], string[]] = [[], []];
  await sweepDrafts({
    drafts: Object.keys(states).map((session) => ({ session, at: now - ageMs })),
    isListed: (session) => states[session] === "listed",
    async show(session) {
      asked.push(session);
      const state = states[session] ?? null;
      if (state === null) throw new TmpmError("SESSION_NOT_FOUND", "no such session");
      return { state: state === "listed" ? "active" : state };
    },
    forget: (session) => gone.push(session),
    now,
  });
  return { asked, gone };
}

test("drafts of removed sessions are forgotten; those of listed and archived ones are kept", async () => {
  const { asked, gone } = await forgotten({ here: "listed", archived: "stopped", removed: "decommissioned", deleted: "deleted" });
  expect(asked).toEqual(["archived", "removed", "deleted"]);
  expect(gone).toEqual(["removed", "deleted"]);
});

test("a draft of an unknown session, perhaps another daemon's, is forgotten after a month", async () => {
  expect((await forgotten({ unknown: null }, 29 * DAY_MS)).gone).toEqual([]);
  expect((await forgotten({ unknown: null }, 31 * DAY_MS)).gone).toEqual(["unknown"]);
});
