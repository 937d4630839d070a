import assert from "node:assert/strict";
import type { SessionRecord } from "@tmpm/core";
import { assertRejects, ids, sessionIn } from "./assertions.js";
import { sampleRecord } from "./sample-record.js";
import type { Case } from "./store-fixture.js";
import { TRAVERSALS } from "./traversals.js";

export const creatingCases: readonly Case[] = [
  {
    title: "create stores the record with rev 1 and returns it as stored",
    async run({ store }) {
      const record = await store.create(sampleRecord(1, { rev: 9, task: "größer\u2028\ud83d\ude80" }));
      assert.deepEqual(record, sampleRecord(1, { rev: 1, task: "größer\u2028\ud83d\ude80" }));
      assert.deepEqual((await sessionIn(store, record.id)).record, record);
    },
  },
  {
    title: "create rejects an existing id, also in another project or the archive",
    async run({ store }) {
      const { id } = await store.create(sampleRecord(1));
      await assertRejects(store.create(sampleRecord(1)), "NAME_TAKEN");
      await assertRejects(store.create(sampleRecord(1, { project_id: "other" })), "NAME_TAKEN");
      await store.archive(id);
      await assertRejects(store.create(sampleRecord(1)), "NAME_TAKEN");
      assert.deepEqual(ids(await store.list({ archived: true })), [id]);
    },
  },
  {
    title: "exactly one of several concurrent creates of one id succeeds",
    async run({ store }) {
      const results = await Promise.allSettled(["a", "b", "c", "d"].map((task) => store.create(sampleRecord(1, { task }))));
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
      assert.equal((await store.list()).length, 1);
    },
  },
  {
    title: "create rejects a record that would not read back, and stores nothing",
    async run({ store }) {
      for (const changes of [
        { id: "../../escape" },
        { project_id: ".." },
        { project_id: "a/b" },
        { name: "" },
        { created_at: "yesterday" },
      ]) {
        await assertRejects(store.create({ ...sampleRecord(1), ...changes }), "INVALID_ARGUMENT");
      }
      assert.deepEqual(await store.list({ archived: true }), []);
    },
  },
  {
    title: "a caller's change to a record leaves the store unchanged",
    async run({ store }) {
      const mine = sampleRecord(1, { last_lines: ["a"] });
      const { id } = await store.create(mine);
      mine.last_lines.push("b");
      const { record } = await sessionIn(store, id);
      assert.throws(() => record.last_lines.push("c"), TypeError);
      assert.deepEqual((await sessionIn(store, id)).record.last_lines, ["a"]);
    },
  },
];

export const updatingCases: readonly Case[] = [
  {
    title: "update stores the changed record with the next rev, and changes nothing else",
    async run({ store }) {
      const first = await store.create(sampleRecord(1));
      const second = await store.update(first.id, (current) => ({ ...current, state: "stopped" }));
      assert.deepEqual(second, { ...first, rev: 2, state: "stopped" });
      assert.deepEqual((await sessionIn(store, first.id)).record, second);
      assert.equal((await store.update(first.id, (current) => ({ ...current, rev: 77 }))).rev, 3);
    },
  },
  {
    title: "update writes nothing when the change returns its argument",
    async run({ store }) {
      const first = await store.create(sampleRecord(1));
      assert.deepEqual(await store.update(first.id, (current) => current), first);
      assert.equal((await sessionIn(store, first.id)).record.rev, 1);
    },
  },
  {
    title: "update writes nothing when the change throws, and rethrows",
    async run({ store }) {
      const first = await store.create(sampleRecord(1));
      const error = new Error("no");
      const change = () => {
        throw error;
      };
      await assert.rejects(store.update(first.id, change), (thrown) => thrown === error);
      assert.deepEqual((await sessionIn(store, first.id)).record, first);
    },
  },
  {
    title: "update rejects a move, and a record that would not read back",
    async run({ store }) {
      const first = await store.create(sampleRecord(1));
      const moves: readonly ((current: SessionRecord) => SessionRecord)[] = [
        (current) => ({ ...current, id: sampleRecord(2).id }),
        (current) => ({ ...current, project_id: "other" }),
        (current) => ({ ...current, created_at: "x" }),
        (current) => ({ ...current, pid: -1 }),
        (current) => ({ ...current, task: "x".repeat(2 ** 20) }),
      ];
      for (const move of moves) await assertRejects(store.update(first.id, move), "INVALID_ARGUMENT");
      assert.deepEqual((await sessionIn(store, first.id)).record, first);
    },
  },
  {
    title: "update rejects an unknown or invalid id with SESSION_NOT_FOUND",
    async run({ store }) {
      for (const id of [sampleRecord(1).id, "../default/x", ""])
        await assertRejects(
          store.update(id, (current) => current),
          "SESSION_NOT_FOUND",
        );
    },
  },
  {
    title: "update keeps unknown fields, also when the change omits them",
    async run({ store }) {
      const first = await store.create({ ...sampleRecord(1), new_field: { deep: [1, { x: null }] } });
      const { new_field, ...rest } = await store.update(first.id, (current) => ({ ...current, task: "t" }));
      assert.deepEqual(new_field, { deep: [1, { x: null }] });
      const third = await store.update(first.id, () => rest);
      assert.deepEqual(third.new_field, new_field);
      assert.deepEqual((await sessionIn(store, first.id)).record.new_field, new_field);
    },
  },
  {
    title: "50 concurrent updates of one record lose nothing",
    async run({ store }) {
      const { id } = await store.create(sampleRecord(1));
      const append = (line: string) => store.update(id, (current) => ({ ...current, last_lines: [...current.last_lines, line] }));
      await Promise.all(Array.from({ length: 50 }, (_, index) => append(String(index))));
      const { record } = await sessionIn(store, id);
      assert.equal(record.rev, 51);
      assert.equal(new Set(record.last_lines).size, 50);
    },
  },
];

export const movingCases: readonly Case[] = [
  {
    title: "move moves a record to another project unchanged, archived or not, and is idempotent",
    async run({ store, another }) {
      const first = await store.create({ ...sampleRecord(1), new_field: { kept: true } });
      const second = await store.create(sampleRecord(2));
      await store.archive(second.id);
      for (const { id } of [first, first, second]) await store.move(id, "other");
      const moved = { ...first, project_id: "other" };
      assert.deepEqual(await store.get(first.id), { kind: "session", record: moved, archived: false });
      assert.deepEqual((await sessionIn(store, second.id)).archived, true);
      assert.deepEqual(ids(await store.list({ project_id: "default", archived: true })), []);
      assert.deepEqual(ids(await store.list({ project_id: "other" })), [first.id]);
      assert.equal((await store.list({ archived: true })).length, 2);
      const elsewhere = another?.();
      if (elsewhere !== undefined) assert.deepEqual((await sessionIn(elsewhere, first.id)).record, moved);
      assert.deepEqual(await store.update(first.id, (current) => ({ ...current, task: "t" })), { ...moved, rev: first.rev + 1, task: "t" });
      await store.move(first.id, "default");
      assert.equal((await sessionIn(store, first.id)).record.rev, first.rev + 1);
      assert.deepEqual(ids(await store.list()), [first.id]);
    },
  },
  {
    title: "move rejects an invalid project and a missing record, and changes nothing",
    async run({ store }) {
      const record = await store.create(sampleRecord(1));
      for (const project of ["..", "a/b", "", ".archive", "-x"]) await assertRejects(store.move(record.id, project), "INVALID_ARGUMENT");
      for (const text of [sampleRecord(2).id, ...TRAVERSALS]) await assertRejects(store.move(text, "other"), "SESSION_NOT_FOUND");
      assert.deepEqual(await store.list({ archived: true }), [{ kind: "session", record, archived: false }]);
    },
  },
  {
    title: "concurrent moves and updates of one record lose nothing, and every read finds it once",
    async run({ store }) {
      const { id } = await store.create(sampleRecord(1));
      const changes = Array.from({ length: 10 }, (_, index) => [
        store.move(id, `p${index % 3}`),
        store.update(id, (current) => ({ ...current, last_lines: [...current.last_lines, String(index)] })),
        store.list().then((entries) => assert.deepEqual(ids(entries), [id])),
      ]);
      await Promise.all(changes.flat());
      const { record } = await sessionIn(store, id);
      assert.equal(record.last_lines.length, 10);
      assert.equal(record.rev, 11);
    },
  },
];

export const removingCases: readonly Case[] = [
  {
    title: "writes, moves and removals reject a text that is not an id",
    async run({ store }) {
      const record = await store.create(sampleRecord(1));
      for (const text of TRAVERSALS) {
        await assertRejects(store.archive(text), "SESSION_NOT_FOUND");
        await assertRejects(store.unarchive(text), "SESSION_NOT_FOUND");
        await assertRejects(
          store.update(text, (current) => ({ ...current, task: "t" })),
          "SESSION_NOT_FOUND",
        );
        await assertRejects(store.create({ ...sampleRecord(2), id: text }), "INVALID_ARGUMENT");
        await assertRejects(store.create({ ...sampleRecord(2), project_id: text }), "INVALID_ARGUMENT");
        await store.delete(text);
      }
      assert.deepEqual(await store.list({ archived: true }), [{ kind: "session", record, archived: false }]);
    },
  },
  {
    title: "archive removes a record from the default listing, is idempotent, and leaves it updatable",
    async run({ store }) {
      const { id } = await store.create(sampleRecord(1));
      await store.archive(id);
      await store.archive(id);
      assert.deepEqual(await store.list(), []);
      await store.update(id, (current) => ({ ...current, task: "late" }));
      const entry = await sessionIn(store, id);
      assert.equal(entry.archived, true);
      assert.equal(entry.record.task, "late");
      assert.equal(entry.record.rev, 2);
      await assertRejects(store.archive(sampleRecord(2).id), "SESSION_NOT_FOUND");
    },
  },
  {
    title: "unarchive restores a record unchanged, and is idempotent",
    async run({ store }) {
      const record = await store.create(sampleRecord(1));
      await store.archive(record.id);
      await store.unarchive(record.id);
      await store.unarchive(record.id);
      assert.deepEqual(await store.list(), [{ kind: "session", record, archived: false }]);
      assert.deepEqual(await store.get(record.id), { kind: "session", record, archived: false });
      await store.archive(record.id);
      assert.deepEqual(await store.list(), []);
      await assertRejects(store.unarchive(sampleRecord(2).id), "SESSION_NOT_FOUND");
    },
  },
  {
    title: "delete removes a record permanently, archived or not, and is idempotent",
    async run({ store }) {
      for (const number of [1, 2]) await store.create(sampleRecord(number));
      await store.archive(sampleRecord(2).id);
      for (const number of [1, 2, 2, 3]) await store.delete(sampleRecord(number).id);
      await store.delete("../default");
      assert.deepEqual(await store.list({ archived: true }), []);
      assert.equal((await store.create(sampleRecord(1))).rev, 1);
    },
  },
];
