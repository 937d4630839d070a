import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { documentFolder } from "../src/documents/document-folder.js";
import type { DocumentStore } from "../src/documents/document-store.js";
import { memoryDocuments } from "../src/documents/memory-documents.js";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tmpm-documents-"));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const decode = (value: unknown) => (typeof value === "string" ? value : null);
const folder = () => documentFolder({ dir: join(dir, "thoughts"), decode });

describe.each([
  { kind: "a folder", open: (): DocumentStore<string> => folder() },
  { kind: "memory", open: (): DocumentStore<string> => memoryDocuments<string>() },
])("documents in $kind", ({ open }) => {
  test("are empty at first, and stored under any key", async () => {
    const documents = open();
    expect(await documents.all()).toEqual({ documents: new Map(), damaged: [] });
    const keys = ["a", "../../b", "tmux:work:1.1:%2", "\ud83d\ude00\n", ""];
    await Promise.all(keys.map((key) => documents.put(key, `of ${key}`)));
    expect((await documents.all()).documents).toEqual(new Map(keys.map((key) => [key, `of ${key}`])));
  });

  test("are replaced in call order, and removed once", async () => {
    const documents = open();
    await Promise.all(["1", "2", "3"].map((text) => documents.put("key", text)));
    expect((await documents.all()).documents.get("key")).toBe("3");
    expect(await documents.get("key")).toBe("3");
    expect(await documents.get("other")).toBeNull();
    await documents.delete("key");
    await documents.delete("key");
    expect((await documents.all()).documents.size).toBe(0);
  });
});

describe("folder of documents", () => {
  test("reads all documents that it wrote, and writes none that it would not read", async () => {
    const documents = documentFolder({ dir, decode, maxBytes: 100 });
    await documents.put("key", "small");
    // The bound is of bytes in UTF-8.
    await expect(documents.put("key", "漢".repeat(40))).rejects.toMatchObject({ code: "STORE_DEGRADED", effect: "none" });
    expect(await documents.get("key")).toBe("small");
    const large = "漢".repeat(3_000_000);
    await folder().put("key", large);
    expect(await folder().get("key")).toBe(large);
    expect((await folder().all()).damaged).toEqual([]);
  });

  test("is read by the next process, and private to its owner", async () => {
    await folder().put("key", "text");
    expect((await folder().all()).documents).toEqual(new Map([["key", "text"]]));
    expect(statSync(join(dir, "thoughts")).mode & 0o777).toBe(0o700);
    const [name = ""] = readdirSync(join(dir, "thoughts"));
    expect(statSync(join(dir, "thoughts", name)).mode & 0o777).toBe(0o600);
  });

  test("does not replace a document that it does not understand", async () => {
    const newer = documentFolder({ dir: join(dir, "thoughts"), decode: (value) => value });
    await newer.put("key", { schema_version: 2 });
    await expect(folder().put("key", "text")).rejects.toMatchObject({ code: "RECORD_UNSUPPORTED", effect: "none" });
    const documents = folder();
    await documents.all();
    await expect(documents.put("key", "text")).rejects.toMatchObject({ code: "RECORD_UNSUPPORTED", effect: "none" });
    await expect(documents.get("key")).rejects.toMatchObject({ code: "RECORD_UNSUPPORTED", effect: "none" });
    expect(await newer.get("key")).toEqual({ schema_version: 2 });
    await documents.delete("key");
    await documents.put("key", "text");
    expect(await folder().get("key")).toBe("text");
  });

  test("replaces a malformed document, but not an unreadable one, which may be of a newer version", async () => {
    await folder().put("key", "text");
    const [name = ""] = readdirSync(join(dir, "thoughts"));
    const path = join(dir, "thoughts", name);
    writeFileSync(path, '{"key":');
    await expect(folder().get("key")).rejects.toMatchObject({ code: "STORE_DEGRADED" });
    await folder().put("key", "again");
    rmSync(path);
    mkdirSync(path);
    const degraded = { code: "STORE_DEGRADED", effect: "none" };
    await expect(folder().get("key")).rejects.toMatchObject(degraded);
    await expect(folder().put("key", "text")).rejects.toMatchObject({
      ...degraded,
      message: `${path} is not replaced: not a regular file`,
    });
  });

  test.each([
    { what: "cut short", text: '{"key":"ba', reason: "not a document under its key" },
    { what: "of another kind", text: '{"key":"bad","document":7}', reason: "not a document of this kind" },
    { what: "under another key", text: '{"key":"other","document":"x"}', reason: "not a document under its key" },
  ])("reports a damaged document ($what), keeps it, and still reads the others", async ({ text, reason }) => {
    await folder().put("good", "text");
    await folder().put("bad", "text");
    const path = readdirSync(join(dir, "thoughts"))
      .map((name) => join(dir, "thoughts", name))
      .find((file) => readFileSync(file, "utf8").includes('"bad"'));
    if (path === undefined) throw new Error("the document was not written");
    writeFileSync(path, text);
    expect(await folder().all()).toEqual({ documents: new Map([["good", "text"]]), damaged: [{ path, reason }] });
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
