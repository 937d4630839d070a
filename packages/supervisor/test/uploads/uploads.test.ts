import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentAdapter, command, shell } from "@tmpm/agents";
import { memoryDocuments } from "@tmpm/store/memory";
import { uploadFolder } from "@tmpm/workspace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../src/index.js";
import { composer, fixture } from "../fixtures/fixture.js";

let root: string;
let cwd: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "tmpm-given-"));
  cwd = join(root, "work");
  await mkdir(cwd);
});

afterEach(() => rm(root, { recursive: true, force: true }));

const DAY_MS = 24 * 3_600_000;
const LIMITS: Settings["uploads"] = {
  fileBytes: 100,
  requestBytes: 150,
  requestFiles: 3,
  sessionBytes: 400,
  sessionFiles: 5,
  keptMs: 7 * DAY_MS,
};
const mentioning: AgentAdapter = { ...composer, id: "mentioning", mention: (path) => `@${path}` };

async function hostFixture(agent = "mentioning") {
  const uploads = uploadFolder();
  const l = fixture({
    adapters: [shell, command, composer, mentioning],
    settings: { uploads: LIMITS },
    ports: { uploads, uploadStore: memoryDocuments() },
  });
  const { record } = (await l.sessions.create({ agent, cwd, name: "one" })).session;
  const give = (text: string, filename = "a.txt") => l.sessions.upload({ session: "one", filename, bytes: bytesOf(text) });
  const files = async () => readdir(join(cwd, ".tmpm", "uploads", record.id)).catch(() => []);
  return { ...l, id: record.id, give, files };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const refOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

describe("upload", () => {
  test("is stored where the agent can read it, under a name that reveals only its digest and kind", async () => {
    const { sessions, give, id } = await hostFixture();
    const { upload, deduplicated } = await give("hello", "../my notes.TXT");
    const path = join(cwd, ".tmpm", "uploads", id, `${refOf("hello").slice(7)}.txt`);
    expect(upload).toMatchObject({
      ref_id: refOf("hello"),
      size_bytes: 5,
      filename: "my notes.TXT",
      workspace_path: path,
      marker: `@${path}`,
    });
    expect(deduplicated).toBe(false);
    expect(await readFile(path, "utf8")).toBe("hello");
    expect(await sessions.uploads({ session: "one" })).toEqual([upload]);
  });

  test("with the same bytes under another name is the first upload; a deleted file is written again (zeroclaw 49)", async () => {
    const { sessions, give } = await hostFixture();
    const first = await give("hello", "a.txt");
    expect(await give("hello", "b.md")).toEqual({ upload: first.upload, deduplicated: true });
    await rm(first.upload.workspace_path);
    expect(await give("hello", "c.md")).toEqual({ upload: first.upload, deduplicated: false });
    expect(await readFile(first.upload.workspace_path, "utf8")).toBe("hello");
    expect(await sessions.uploads({ session: "one" })).toHaveLength(1);
  });

  test("above the limits is refused before or while it arrives, and leaves nothing", async () => {
    const { sessions, give, files } = await hostFixture();
    await expect(give("x".repeat(101))).rejects.toMatchObject({ code: "UPLOAD_TOO_LARGE" });
    let asked = false;
    async function* untouched(): AsyncGenerator<Uint8Array> {
      asked = true;
      yield Buffer.from("x");
    }
    const large = { session: "one", filename: "a", bytes: untouched(), size: 101 };
    await expect(sessions.upload(large)).rejects.toMatchObject({ code: "UPLOAD_TOO_LARGE" });
    expect(asked).toBe(false);
    for (const letter of "abcd") await give(letter.repeat(100));
    await expect(give("one more")).rejects.toMatchObject({ code: "UPLOAD_TOO_LARGE" });
    expect(await files()).toHaveLength(4);
    expect((await sessions.uploads({ session: "one" })).length).toBe(4);
  });

  test("to a session removed meanwhile leaves nothing; to a stopped one it is kept", async () => {
    const { sessions, files } = await hostFixture();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("slow");
      await sessions.remove({ session: "one" });
    }
    await expect(sessions.upload({ session: "one", filename: "a", bytes: slow() })).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect(await files()).toEqual([]);
    await expect(sessions.upload({ session: "one", filename: "a", bytes: bytesOf("x") })).rejects.toMatchObject({ code: "INVALID_STATE" });
    const other = await sessions.create({ agent: "mentioning", cwd, name: "two" });
    await sessions.stop({ session: "two" });
    await sessions.upload({ session: "two", filename: "a", bytes: bytesOf("x") });
    expect(await readdir(join(cwd, ".tmpm", "uploads", other.session.record.id))).toHaveLength(1);
  });

  test("survives a daemon restart, and is removed by itself or with its session", async () => {
    const { give, files, restarted } = await hostFixture();
    const { upload } = await give("1");
    await give("2");
    const sessions = restarted();
    expect(await sessions.uploads({ session: "one" })).toHaveLength(2);
    expect(await sessions.oneUpload({ session: "one", upload: upload.ref_id.slice(7, 17) })).toEqual(upload);
    await sessions.discardUpload({ session: "one", upload: upload.ref_id });
    await expect(sessions.oneUpload({ session: "one", upload: upload.ref_id })).rejects.toMatchObject({ code: "UPLOAD_NOT_FOUND" });
    expect(await files()).toEqual([`${refOf("2").slice(7)}.txt`]);
    await expect(sessions.discardUpload({ session: "one", upload: upload.ref_id })).rejects.toMatchObject({ code: "UPLOAD_NOT_FOUND" });
    await sessions.discardUpload({ session: "one", upload: refOf("2").slice(7, 17) });
    expect(await files()).toEqual([]);
  });
});

describe("files of a session", () => {
  test("stay for an undo when the session is removed, and are deleted after a week", async () => {
    const { sessions, give, files, tmux } = await hostFixture();
    await give("1");
    await sessions.remove({ session: "one" });
    await sessions.housekeep();
    expect(await files()).toHaveLength(1);
    await sessions.undo({ session: "one" });
    expect(await sessions.uploads({ session: "one" })).toHaveLength(1);
    await sessions.remove({ session: "one" });
    tmux.advance(7 * DAY_MS);
    await sessions.housekeep();
    expect(await readdir(cwd)).toEqual([]);
    expect(await sessions.uploads({ session: "one" })).toEqual([]);
  });

  test("stay while the session has no record, as in another layout of the store", async () => {
    const { sessions, store, give, files, tmux, id, restarted } = await hostFixture();
    await give("1");
    const { record } = await sessions.show({ session: "one" });
    await store.delete(id);
    const away = restarted();
    tmux.advance(30 * DAY_MS);
    await away.housekeep();
    await store.create(record);
    expect(await files()).toHaveLength(1);
    expect(await restarted().uploads({ session: "one" })).toHaveLength(1);
  });

  test("are deleted at once when the session is deleted permanently", async () => {
    const { sessions, give } = await hostFixture();
    await give("1");
    await sessions.stop({ session: "one" });
    await sessions.delete({ session: "one", purge: true });
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe("send with attachments", () => {
  test("lists them after the text, one per line, and its turn has them", async () => {
    const { sessions, give, tmux } = await hostFixture();
    const one = (await give("1")).upload;
    const two = (await give("2", "b.png")).upload;
    await sessions.send({ session: "one", text: "look", attachments: [one.ref_id, two.ref_id, one.ref_id] });
    expect(tmux.received("tmpm-one")[0]).toEqual({ type: "paste", text: `look\n${one.marker}\n${two.marker}` });
    const turns = await sessions.turns({ session: "one" });
    expect(turns.at(-1)?.turn.attachments).toEqual([one, two].map(({ ref_id, marker, size_bytes }) => ({ ref_id, marker, size_bytes })));
  });

  test("needs no text", async () => {
    const { sessions, give, tmux } = await hostFixture();
    const { upload } = await give("1");
    await sessions.send({ session: "one", text: "", attachments: [upload.ref_id] });
    expect(tmux.received("tmpm-one")[0]).toEqual({ type: "paste", text: upload.marker });
  });

  test("is refused with nothing typed when a file is not the session's, is missing, or there are too many or too large ones", async () => {
    const { sessions, give, tmux } = await hostFixture();
    const gone = (await give("gone")).upload;
    await rm(gone.workspace_path);
    const large = [];
    for (const letter of "abc") large.push((await give(letter.repeat(90))).upload.ref_id);
    const send = (attachments: readonly string[]) => sessions.send({ session: "one", text: "look", attachments });
    await expect(send([refOf("unknown")])).rejects.toMatchObject({ code: "UPLOAD_NOT_FOUND" });
    await expect(send([gone.ref_id])).rejects.toMatchObject({
      code: "UPLOAD_NOT_FOUND",
      message: expect.stringContaining("no longer has"),
    });
    await expect(send(large)).rejects.toMatchObject({ code: "UPLOAD_TOO_LARGE" });
    await expect(send([...large, gone.ref_id])).rejects.toMatchObject({
      code: "UPLOAD_TOO_LARGE",
      message: expect.stringContaining("at most 3 files"),
    });
    await sessions.create({ agent: "mentioning", cwd, name: "two" });
    await expect(sessions.send({ session: "two", text: "look", attachments: large.slice(0, 1) })).rejects.toMatchObject({
      code: "UPLOAD_NOT_FOUND",
    });
    expect(tmux.received("tmpm-one")).toEqual([]);
  });
});
