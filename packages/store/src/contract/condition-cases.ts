import assert from "node:assert/strict";
import { hasCode } from "@tmpm/core";
import { assertRejects, eventually, ids, sessionIn } from "./assertions.js";
import { sampleRecord } from "./sample-record.js";
import type { Case, StoreFixture } from "./store-fixture.js";

/** The fixture declared this capability; a missing one contradicts that. */
function needed<T>(part: T | undefined): T {
  assert.ok(part !== undefined, "the fixture lacks a part that it declared");
  return part;
}

function planted(kind: "damaged" | "unsupported", code: "RECORD_DAMAGED" | "RECORD_UNSUPPORTED"): Case {
  return {
    title: `an entry that is ${kind} is listed, hides no other entry, and rejects writes`,
    async run(fixture) {
      const { store } = fixture;
      const { id, project_id } = sampleRecord(1);
      await store.create(sampleRecord(2));
      await needed(fixture.plant)(kind, { id, project_id });
      assert.deepEqual(ids(await store.list()).toSorted(), [id, sampleRecord(2).id].toSorted());
      assert.equal((await store.get(id))?.kind, kind);
      assert.deepEqual(ids(await store.find(id)), [id]);
      await assertRejects(
        store.update(id, (current) => ({ ...current })),
        code,
      );
      await assertRejects(store.archive(id), code);
      await assertRejects(store.delete(id), code);
      await assertRejects(store.create(sampleRecord(1)), "NAME_TAKEN");
      await store.update(sampleRecord(2).id, (current) => ({ ...current, task: "t" }));
      assert.equal((await store.get(id))?.kind, kind);
      assert.deepEqual(store.health(), { state: "ok" });
    },
  };
}

export const plantedCases: readonly Case[] = [planted("damaged", "RECORD_DAMAGED"), planted("unsupported", "RECORD_UNSUPPORTED")];

export const obstructedCases: readonly Case[] = [
  {
    title: "an unreadable store serves the last known records, writes nothing, and recovers",
    async run(fixture) {
      const { store } = fixture;
      const { id } = await store.create(sampleRecord(1));
      const before = await store.list();
      const restore = await needed(fixture.obstruct)();
      assert.deepEqual(await store.list(), before);
      assert.deepEqual(await store.get(id), before[0]);
      assert.deepEqual(ids(await store.find("session-01")), [id]);
      const health = store.health();
      assert.ok(health.state === "degraded" && hasCode(health.error, "STORE_DEGRADED"));
      await assertRejects(
        store.update(id, (current) => ({ ...current, task: "lost" })),
        "STORE_DEGRADED",
      );
      await assertRejects(store.create(sampleRecord(2)), "STORE_DEGRADED");
      await assertRejects(store.archive(id), "STORE_DEGRADED");
      await assertRejects(store.unarchive(id), "STORE_DEGRADED");
      await assertRejects(store.delete(id), "STORE_DEGRADED");
      await restore();
      assert.deepEqual(await store.list(), before);
      assert.deepEqual(store.health(), { state: "ok" });
      assert.equal((await store.update(id, (current) => ({ ...current, task: "kept" }))).rev, 2);
    },
  },
];

export const sharedCases: readonly Case[] = [
  {
    title: "the next read sees every change by another store",
    async run(fixture) {
      const { store } = fixture;
      const other = needed(fixture.another)();
      const { id } = await other.create(sampleRecord(1));
      assert.equal((await sessionIn(store, id)).record.rev, 1);
      for (const state of ["stopped", "errored", "stopped", "errored"] as const) {
        await other.update(id, (current) => ({ ...current, state }));
        assert.equal((await sessionIn(store, id)).record.state, state);
        const [entry] = await store.list();
        assert.ok(entry?.kind === "session" && entry.record.state === state);
      }
      await other.archive(id);
      assert.deepEqual(await store.list(), []);
      assert.equal((await sessionIn(store, id)).archived, true);
      await other.delete(id);
      assert.equal(await store.get(id), null);
    },
  },
  {
    title: "a write keeps records that another store added meanwhile",
    async run(fixture) {
      const { store } = fixture;
      await store.create(sampleRecord(1));
      await store.list();
      await needed(fixture.another)().create(sampleRecord(2));
      await store.update(sampleRecord(1).id, (current) => ({ ...current, task: "t" }));
      assert.deepEqual(ids(await store.list()), [sampleRecord(2).id, sampleRecord(1).id]);
    },
  },
  {
    title: "concurrent updates by two stores lose nothing",
    async run(fixture) {
      const stores = [fixture.store, needed(fixture.another)()];
      const { id } = await fixture.store.create(sampleRecord(1));
      const bump = (index: number) =>
        stores[index % 2]?.update(id, (current) => ({ ...current, last_lines: [...current.last_lines, String(index)] }));
      await Promise.all(Array.from({ length: 50 }, (_, index) => bump(index)));
      const { record } = await sessionIn(fixture.store, id);
      assert.equal(record.rev, 51);
      assert.equal(new Set(record.last_lines).size, 50);
    },
  },
  {
    title: "a watch reports changes by another store",
    run: (fixture) => hearsChanges(fixture, needed(fixture.another)()),
  },
];

export const watchingCases: readonly Case[] = [
  {
    title: "a watch begins with look and reports creates, updates and removals in order",
    run: (fixture) => hearsChanges(fixture, fixture.store),
  },
  {
    title: "a closed watch reports nothing more, and closing is idempotent",
    async run({ store }) {
      const heard: string[] = [];
      const witness: string[] = [];
      const subscription = store.watch(({ type }) => heard.push(type));
      store.watch(({ type }) => witness.push(type));
      subscription.close();
      subscription.close();
      await store.create(sampleRecord(1));
      await eventually(() => assert.ok(witness.includes("created")));
      assert.deepEqual(heard, []);
    },
  },
];

async function hearsChanges({ store }: StoreFixture, writer: StoreFixture["store"]): Promise<void> {
  const heard: string[] = [];
  const hears = (event: string) => eventually(() => assert.ok(heard.includes(event), `${event} is not in ${heard.join(", ")}`));
  store.watch((event) =>
    heard.push(event.type === "created" || event.type === "updated" ? `${event.type} ${event.record.rev}` : event.type),
  );
  await hears("look");
  assert.equal(heard[0], "look");
  const { id } = await writer.create(sampleRecord(1));
  await hears("created 1");
  await writer.update(id, (current) => ({ ...current, task: "t" }));
  await hears("updated 2");
  await writer.delete(id);
  await hears("removed");
  assert.deepEqual(
    heard.filter((event) => event !== "look"),
    ["created 1", "updated 2", "removed"],
  );
}

export const closingCases: readonly Case[] = [
  {
    title: "close waits for pending writes, is idempotent, and ends all use",
    async run({ store }) {
      const { id } = await store.create(sampleRecord(1));
      let written = false;
      const write = store
        .update(id, (current) => ({ ...current, task: "t" }))
        .then(() => {
          written = true;
        });
      await store.close();
      assert.ok(written);
      await Promise.all([write, store.close()]);
      await assertRejects(store.list(), "SHUTTING_DOWN");
      await assertRejects(store.get(id), "SHUTTING_DOWN");
      await assertRejects(
        store.update(id, (current) => current),
        "SHUTTING_DOWN",
      );
      assert.throws(() => store.watch(() => undefined));
    },
  },
];
