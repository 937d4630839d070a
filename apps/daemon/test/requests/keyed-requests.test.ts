import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { type DocumentStore, documentFolder } from "@tmpm/store";
import { memoryDocuments } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { decoder } from "../../src/records/decoder.js";
import { KeyedRequest, keyedRequests } from "../../src/requests/keyed-requests.js";

function fixture(most: { readonly requests: number; readonly characters: number }) {
  const documents = memoryDocuments<KeyedRequest>();
  let acted = 0;
  const keyed = keyedRequests({ documents, now: () => 1_000, newId: () => crypto.randomUUID(), report: () => undefined, most });
  const ask = (key: string, size = 1) =>
    keyed.once({ key, route: "keys", digest: "d", repeatable: false }, async () => {
      acted += 1;
      return { status: 200, headers: {}, body: "x".repeat(size) };
    });
  return { documents, ask, acted: () => acted };
}

test("a limited number of answers is kept, the newest ones", async () => {
  const { ask, documents, acted } = fixture({ requests: 10, characters: 1_000 });
  for (let index = 0; index < 50; index++) await ask(`k${index}`);
  expect((await documents.all()).documents.size).toBeLessThanOrEqual(11);
  await ask("k49");
  expect(acted()).toBe(50);
  await ask("k0");
  expect(acted()).toBe(51);
});

test("the size of kept answers is limited", async () => {
  const { ask, documents } = fixture({ requests: 1_000, characters: 100 });
  for (let index = 0; index < 50; index++) await ask(`k${index}`, 30);
  const kept = [...(await documents.all()).documents.values()];
  expect(kept.reduce((sum, { answer }) => sum + (answer?.body.length ?? 0), 0)).toBeLessThanOrEqual(130);
});

test("nothing is done when the key cannot be recorded first, and the key stays free", async () => {
  const { ask, documents, acted } = fixture({ requests: 10, characters: 1_000 });
  documents.failWith(new TmpmError("STORAGE_FULL", "full"));
  await expect(ask("a")).rejects.toMatchObject({ code: "STORAGE_FULL", effect: "none" });
  expect(acted()).toBe(0);
  documents.failWith(null);
  expect(await ask("a")).toMatchObject({ body: "x" });
});

test("a failed reading of the earlier requests is repeated with the next request", async () => {
  const { ask, documents, acted } = fixture({ requests: 10, characters: 1_000 });
  await ask("a");
  const again = keyedRequests({
    documents: failingOnce(documents),
    now: () => 2_000,
    newId: () => crypto.randomUUID(),
    report: () => undefined,
  });
  const repeat = () =>
    again.once({ key: "a", route: "keys", digest: "d", repeatable: false }, async () => Promise.reject(new Error("acted twice")));
  await expect(repeat()).rejects.toBe(SHORTAGE);
  expect(await repeat()).toMatchObject({ body: "x", headers: { "idempotency-replayed": "true" } });
  expect(acted()).toBe(1);
});

test("the key of a newer version's request is in use, and other keys are free", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-requests-"));
  const newer = documentFolder<unknown>({ dir, decode: (value) => value });
  const document = { schema_version: 2, key: "a" };
  await newer.put("a", document);
  const documents = documentFolder({ dir, decode: decoder(KeyedRequest) });
  const keyed = keyedRequests({ documents, now: () => 2_000, newId: () => crypto.randomUUID(), report: () => undefined });
  const acted: string[] = [];
  const ask = (key: string) =>
    keyed.once({ key, route: "keys", digest: "d", repeatable: true }, async () => {
      acted.push(key);
      return { status: 200, headers: {}, body: "x" };
    });
  await expect(ask("a")).rejects.toMatchObject({ code: "REQUEST_INTERRUPTED", effect: "unknown" });
  expect(await ask("b")).toMatchObject({ body: "x" });
  expect(acted).toEqual(["b"]);
  expect(await newer.get("a")).toEqual(document);
  rmSync(dir, { recursive: true });
});

const SHORTAGE = Object.assign(new Error("too many open files"), { code: "EMFILE", syscall: "open" });

/** A store of documents whose first listing fails. */
function failingOnce<T>(documents: DocumentStore<T>): DocumentStore<T> {
  let failed = false;
  return {
    ...documents,
    async all() {
      if (failed) return documents.all();
      failed = true;
      throw SHORTAGE;
    },
  };
}
