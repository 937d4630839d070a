import assert from "node:assert/strict";
import { ids } from "./assertions.js";
import { sampleRecord } from "./sample-record.js";
import type { Case } from "./store-fixture.js";
import { TRAVERSALS } from "./traversals.js";

export const readingCases: readonly Case[] = [
  {
    title: "a new store lists nothing and is healthy",
    async run({ store }) {
      assert.deepEqual(await store.list(), []);
      assert.deepEqual(await store.list({ archived: true }), []);
      assert.deepEqual(store.health(), { state: "ok" });
    },
  },
  {
    title: "list is newest first by creation to the nanosecond, then by id",
    async run({ store }) {
      const created_at = "2026-02-01T00:00:00.120Z";
      for (const record of [
        sampleRecord(3, { created_at }),
        sampleRecord(1),
        sampleRecord(4, { created_at: "2026-02-01T00:00:00.120000001Z" }),
        sampleRecord(2, { created_at: "2026-02-01T00:00:00.120Z" }),
      ]) {
        await store.create(record);
      }
      assert.deepEqual(
        ids(await store.list()),
        [4, 2, 3, 1].map((number) => sampleRecord(number).id),
      );
    },
  },
  {
    title: "list filters by project and omits archived sessions by default",
    async run({ store }) {
      await store.create(sampleRecord(1));
      await store.create(sampleRecord(2, { project_id: "other" }));
      await store.create(sampleRecord(3, { project_id: "other" }));
      await store.archive(sampleRecord(3).id);
      assert.deepEqual(ids(await store.list({ project_id: "other" })), [sampleRecord(2).id]);
      assert.deepEqual(ids(await store.list({ project_id: "other", archived: true })), [sampleRecord(3).id, sampleRecord(2).id]);
      assert.deepEqual(await store.list({ project_id: "none" }), []);
      assert.deepEqual(await store.list({ project_id: "../default" }), []);
    },
  },
  {
    title: "get matches only the exact id, also of archived sessions",
    async run({ store }) {
      const record = await store.create(sampleRecord(1));
      assert.deepEqual(await store.get(record.id), { kind: "session", record, archived: false });
      await store.archive(record.id);
      assert.deepEqual(await store.get(record.id), { kind: "session", record, archived: true });
      assert.equal(await store.get(record.id.slice(0, 8)), null);
      assert.equal(await store.get(sampleRecord(2).id), null);
      for (const text of TRAVERSALS) assert.equal(await store.get(text), null);
    },
  },
  {
    title: "find prefers an exact id, name or tmux name to a prefix",
    async run({ store }) {
      const short = await store.create(sampleRecord(1, { name: "web", tmux_name: "tmpm-web" }));
      const long = await store.create(sampleRecord(2, { name: "web-2", tmux_name: "tmpm-web-2" }));
      for (const text of ["web", "tmpm-web", short.id]) assert.deepEqual(ids(await store.find(text)), [short.id], text);
      assert.deepEqual(ids(await store.find("we")), [long.id, short.id]);
      assert.deepEqual(ids(await store.find(long.id.slice(0, 6))), [long.id]);
      assert.deepEqual(await store.find("web-3"), []);
    },
  },
  {
    title: "find returns nothing for empty text or a path",
    async run({ store }) {
      await store.create(sampleRecord(1));
      for (const text of ["", ...TRAVERSALS]) assert.deepEqual(await store.find(text), [], JSON.stringify(text));
    },
  },
  {
    title: "find includes archived sessions only on request",
    async run({ store }) {
      const { id } = await store.create(sampleRecord(1));
      await store.archive(id);
      assert.deepEqual(await store.find(id), []);
      assert.deepEqual(ids(await store.find(id, { archived: true })), [id]);
      assert.deepEqual(await store.find(id, { archived: true, project_id: "other" }), []);
    },
  },
  {
    title: "find returns every match of an ambiguous prefix in the project, newest first",
    async run({ store }) {
      for (const number of [1, 3, 2]) await store.create(sampleRecord(number, { name: `api-${number}` }));
      await store.create(sampleRecord(4, { name: "api-4", project_id: "other" }));
      await store.create(sampleRecord(5, { name: "web" }));
      const found = async (text: string, project_id?: string) =>
        ids(await store.find(text, project_id === undefined ? {} : { project_id }));
      assert.deepEqual(
        await found("api"),
        [4, 3, 2, 1].map((number) => sampleRecord(number).id),
      );
      assert.deepEqual(
        await found("api-", "default"),
        [3, 2, 1].map((number) => sampleRecord(number).id),
      );
      assert.deepEqual(await found("api", "../other"), []);
    },
  },
  {
    title: "find compares literally: no pattern, case-sensitive, from the start",
    async run({ store }) {
      await store.create(sampleRecord(1, { name: "Web-app", tmux_name: "tmpm-Web-app" }));
      for (const text of ["web-app", "Web?app", "Web*", "^Web", "app", "Web-app ", "Web-app/"])
        assert.deepEqual(await store.find(text), [], text);
      assert.equal((await store.find("Web-a")).length, 1);
    },
  },
  {
    title: "an archived session does not make a name ambiguous, and is included on request",
    async run({ store }) {
      const old = await store.create(sampleRecord(1, { name: "web" }));
      await store.archive(old.id);
      const live = await store.create(sampleRecord(2, { name: "web" }));
      assert.deepEqual(ids(await store.find("web")), [live.id]);
      assert.deepEqual(ids(await store.find("web", { archived: true })), [live.id, old.id]);
    },
  },
  {
    title: "findByIssue skips ended sessions, and matches the whole issue only",
    async run({ store }) {
      const open = await store.create(sampleRecord(1, { issue_id: "42" }));
      const over = await store.create(sampleRecord(2, { issue_id: "42", state: "errored" }));
      await store.update(over.id, (current) => ({ ...current, state: "decommissioned" }));
      assert.deepEqual(ids([await store.findByIssue("default", "42")].flatMap((entry) => entry ?? [])), [open.id]);
      await store.update(open.id, (current) => ({ ...current, state: "decommissioned" }));
      assert.equal(await store.findByIssue("default", "42"), null);
      await store.create(sampleRecord(3, { issue_id: "421" }));
      for (const text of ["42", "4", "", ...TRAVERSALS]) assert.equal(await store.findByIssue("default", text), null, JSON.stringify(text));
      for (const text of TRAVERSALS) assert.equal(await store.findByIssue(text, "421"), null, text);
    },
  },
  {
    title: "findByIssue returns the newest session of the project that is neither terminal nor archived",
    async run({ store }) {
      await store.create(sampleRecord(1, { issue_id: "7" }));
      const newest = await store.create(sampleRecord(2, { issue_id: "7", state: "stopped" }));
      await store.create(sampleRecord(3, { issue_id: "7", state: "decommissioned" }));
      await store.create(sampleRecord(4, { issue_id: "7" }));
      await store.archive(sampleRecord(4).id);
      await store.create(sampleRecord(5, { issue_id: "7", project_id: "other" }));
      assert.deepEqual(await store.findByIssue("default", "7"), { kind: "session", record: newest, archived: false });
      assert.equal(await store.findByIssue("default", "8"), null);
      assert.equal(await store.findByIssue("none", "7"), null);
    },
  },
];
