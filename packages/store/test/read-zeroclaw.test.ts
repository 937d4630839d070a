import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readForeign } from "../src/foreign/index.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";
import { HAS_SQLITE, ZEROCLAW_SCHEMA } from "./zeroclaw-database.js";

let folder: ScratchFolder;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder.remove());

/** The database as zeroclaw leaves it while it runs: in WAL mode, with the newest data in the log. */
function database(sql: string): string {
  const path = join(folder.path, "sessions/acp-sessions.db");
  mkdirSync(dirname(path), { recursive: true });
  const kept = join(folder.path, "kept");
  const keep = `.shell cp ${path}-wal ${kept}`;
  execFileSync("sqlite3", [path], { input: `${ZEROCLAW_SCHEMA}\n${sql}\n${keep}\n` });
  writeFileSync(`${path}-wal`, readFileSync(kept));
  return path;
}

const SESSION = `INSERT INTO acp_sessions(session_uuid, agent_alias, workspace_dir, created_at, last_activity)
  VALUES ('a', 'coder', '/w', '2026-01-02T03:04:05+00:00', '2026-01-02T03:04:05+00:00');`;

describe.skipIf(!HAS_SQLITE)("zeroclaw database", () => {
  test("is read with its messages from any of its three paths, and left unchanged", async () => {
    const path = database(`${SESSION} INSERT INTO acp_messages(session_id, role, content, created_at) VALUES
      (1, 'user', 'say "a"' || char(10) || 'ü 😀', '2026-01-02T03:04:06+00:00'), (2, 'user', 'of none', '2026-01-02T03:04:06+00:00');`);
    const before = [readFileSync(path), readFileSync(`${path}-wal`), readdirSync(dirname(path))];
    for (const given of [folder.path, dirname(path), path]) {
      const files = await readForeign({ from: "zeroclaw", path: given });
      expect(files).toMatchObject({
        sessions: [
          {
            ...{ source: path, readable: true },
            document: {
              ...{ id: 1, session_uuid: "a", agent_alias: "coder", token_count: 0, killed_at: null },
              messages: [{ id: 1, role: "user", content: 'say "a"\nü 😀' }],
            },
          },
        ],
      });
    }
    expect([readFileSync(path), readFileSync(`${path}-wal`), readdirSync(dirname(path))]).toEqual(before);
  });

  test("without sessions reads as empty", async () => {
    database("");
    expect(await readForeign({ from: "zeroclaw", path: folder.path })).toEqual({ from: "zeroclaw", sessions: [] });
  });

  test.each([
    [
      "is not one",
      "no database at all, and longer than the header of one, which is a hundred bytes long ......................",
      /not a database/,
    ],
    ["has other tables", "", /no such table: acp_sessions/],
  ])("that %s is rejected with the reason", async (_what, text, reason) => {
    const path = join(folder.path, "acp-sessions.db");
    writeFileSync(path, text);
    await expect(readForeign({ from: "zeroclaw", path })).rejects.toThrow(reason);
  });
});

test("that is missing or a link is rejected with the path to give", async () => {
  const wanted = expect.objectContaining({ code: "INVALID_ARGUMENT", hint: expect.stringContaining("acp-sessions.db") });
  await expect(readForeign({ from: "zeroclaw", path: folder.path })).rejects.toThrow(wanted);
  mkdirSync(join(folder.path, "sessions"));
  symlinkSync("/etc/passwd", join(folder.path, "sessions/acp-sessions.db"));
  await expect(readForeign({ from: "zeroclaw", path: folder.path })).rejects.toThrow(wanted);
});
