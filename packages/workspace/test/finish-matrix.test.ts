import { describe, expect, test } from "vitest";
import type { MergeHow } from "../src/index.js";
import { type Bench, bench, sound, users } from "./finish-bench.js";
import { ROWS, type Row } from "./finish-rows.js";
import { sample } from "./sample.js";
import { filesHash, treeHash } from "./workspace-fixture.js";

const HOWS: readonly MergeHow[] = ["merge", "squash", "rebase"];
const { TMPM_TEST_SCALE = "1" } = process.env;

const CASES = Object.entries(ROWS).flatMap(([group, rows]) =>
  // Git distinguishes the kinds of conflicts; we only need one to be reported.
  (group === "conflict" ? sample(rows, 2) : rows).flatMap((row, index) => {
    // A rebase has no message for a hook to reject, and picks nothing from an unknown history.
    const hows = HOWS.filter((how) => how !== "rebase" || !/commit-msg|two meet/.test(row.name));
    const one = hows[index % hows.length] ?? "merge";
    return (Number(TMPM_TEST_SCALE) >= 10 ? hows : [one]).map((how) => ({ title: `${group}: ${row.name} (${how})`, row, how }));
  }),
);

describe("user's files", { timeout: 240_000 }, () => {
  test.each(CASES)("are not lost: $title", async ({ row, how }) => {
    using on = await bench();
    row.arrange(on);
    const before = seen(on);
    if (row.outcome === "moved") await moves(on, { row, how });
    else await refuses(on, { row, how });
    expect(seen(on)).toEqual(before);
    sound(on.fixture);
  });
});

/** The index as bytes if nothing moved, and as entries after a move and its reversal: then only times of files differ. */
function seen(on: Bench) {
  const { index, ...rest } = users(on.fixture);
  return {
    ...rest,
    entries: entries(on),
    status: on.fixture.source.git("status", "--porcelain", "-z"),
    work: treeHash(on.workspace.path),
    index: index?.length,
  };
}

function entries(on: Bench): string {
  return on.fixture.source.git("ls-files", "-s", "-t", "-z");
}

interface Case {
  readonly row: Row;
  readonly how: MergeHow;
}

async function refuses(on: Bench, { row, how }: Case): Promise<void> {
  const before = users(on.fixture);
  const preview = Array.isArray(row.outcome) ? await on.fixture.spaces.previewFinish(on.request(how)) : null;
  if (row.outcome === "failed") await expect(on.finish(how)).rejects.toMatchObject({ code: "GIT_FAILED", effect: "none" });
  else {
    expect(preview?.blocks.map(({ code }) => code)).toEqual(row.outcome);
    await expect(on.finish(how)).rejects.toMatchObject({ code: "FINISH_REFUSED" });
  }
  if (row.conflict !== undefined) {
    const { conflict } = row;
    expect(preview?.conflicts.some(({ kind }) => conflict.test(kind))).toBe(true);
  }
  expect(users(on.fixture)).toEqual(before);
}

/** Moves the branch forward and back. */
async function moves(on: Bench, { row, how }: Case): Promise<void> {
  const before = users(on.fixture);
  const status = on.fixture.source.git("status", "--porcelain", "-z");
  const { move } = await on.fixture.spaces.composeFinish(on.request(how));
  expect(users(on.fixture)).toEqual(before);
  await on.fixture.spaces.moveTarget({ ...move, why: "test" });
  expect(on.main()).toBe(move.to);
  expect(users(on.fixture).stash).toBe(before.stash);
  expect(on.fixture.source.git("status", "--porcelain", "-z")).toBe(status);
  if (move.checkout !== on.fixture.source.path) expect(users(on.fixture)).toMatchObject({ index: before.index, files: before.files });
  if (move.checkout !== null) expect(on.fixture.git(move.checkout, "diff", "HEAD", "--stat")).toBe("");
  row.also?.(on);
  sound(on.fixture);
  await on.fixture.spaces.moveTarget({ ...move, from: move.to, to: move.from, why: "test" });
  expect(filesHash(on.fixture.source.path)).toBe(before.files);
}
