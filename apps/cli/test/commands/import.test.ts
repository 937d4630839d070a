import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { answering } from "../fixtures/answering.js";

const session = { id: "550e8400-e29b-41d4-a716-446655440000", name: "api", project_id: "default", state: "stopped" };
const imported = {
  from: "ao-rs",
  path: "/p",
  dry_run: false,
  documents: [
    { source: "/p/a.yaml", id: "a", outcome: "mapped", session, reason: null, notes: ["was active; here it is stopped"] },
    { source: "/p/b.yaml", id: "b", outcome: "already_there", session, reason: null, notes: [] },
    { source: "/p/c.yaml", id: null, outcome: "skipped", session: null, reason: "not YAML: \u001b[31m", notes: [] },
  ],
};
const exported = {
  to: "trusty-mpm",
  path: "/out.json",
  dry_run: false,
  sessions: [
    { id: session.id, name: "api", outcome: "written", reason: null, notes: [] },
    { id: "x", name: null, outcome: "skipped", reason: "damaged: no", notes: [] },
  ],
};

describe("import", () => {
  test("sends an absolute path, reports each session's outcome, and counts on standard error", async () => {
    await using daemon = await answering(() => ({ body: imported }));
    const { exit, stdout, stderr } = await daemon.tmpm("import", "--from", "ao-rs", "some/folder");
    expect([exit, stderr]).toEqual([0, "tmpm: 1 imported, 1 already there, 1 skipped\n"]);
    expect(stdout.split("\n")).toEqual([
      "OUTCOME        NAME  ID THERE   REMARKS",
      "mapped         api   a          was active; here it is stopped",
      "already there  api   b",
      expect.stringMatching(/^skipped {8}- {5}\/p\/c.yaml {2}not YAML: [^\u001b]*$/),
      "",
    ]);
    expect(await daemon.tmpm("import", "/p", "--from=swimmers", "--dry-run", "--json")).toEqual({
      exit: 0,
      stdout: `${JSON.stringify(imported)}\n`,
      stderr: "",
    });
    expect(daemon.asked).toEqual([
      { method: "POST", url: "/v1/import", body: { from: "ao-rs", path: resolve("some/folder"), dry_run: false } },
      { method: "POST", url: "/v1/import", body: { from: "swimmers", path: "/p", dry_run: true } },
    ]);
  });

  test("reports that a dry run wrote nothing, and that nothing was found", async () => {
    await using daemon = await answering(() => ({ body: { ...imported, dry_run: true, documents: [] } }));
    expect(await daemon.tmpm("import", "--from", "ao-rs", "/p", "--dry-run")).toEqual({
      ...{ exit: 0, stdout: "" },
      stderr: "tmpm: nothing was written; it would be 0 imported, 0 already there, 0 skipped\n",
    });
  });

  test("--export exports the sessions", async () => {
    await using daemon = await answering(() => ({ body: exported }));
    expect(await daemon.tmpm("import", "--export", "trusty-mpm", "/out.json")).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^OUTCOME.*\nwritten +api .*\nskipped +- +x +damaged: no\n$/),
      stderr: "tmpm: 1 exported to /out.json, 1 skipped\n",
    });
    expect(daemon.asked).toEqual([{ method: "POST", url: "/v1/export", body: { to: "trusty-mpm", path: "/out.json", dry_run: false } }]);
  });

  test.each([
    [["/p"], /neither --from nor --export/],
    [["/p", "--from", "ao-rs", "--export", "ao-rs"], /are mutually exclusive/],
    [["/p", "--from", "tmux"], /--from takes one of trusty-mpm, ao-rs, swimmers, zeroclaw, not "tmux"/],
    [["/p", "--export", "zeroclaw"], /--export takes one of trusty-mpm, ao-rs, swimmers, not "zeroclaw"/],
    [["--from", "ao-rs"], /missing required argument 'PATH'/],
    [["--from", "ao-rs", "/p", "/q"], /too many arguments/],
  ])("%j is refused before any request", async (argv, message) => {
    await using daemon = await answering(() => ({ body: {} }));
    expect(await daemon.tmpm("import", ...argv)).toEqual({ exit: 2, stdout: "", stderr: expect.stringMatching(message) });
    expect(daemon.asked).toEqual([]);
  });
});
