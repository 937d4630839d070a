import { trustyMpm } from "@tmpm/core/compat/trusty-mpm";
import { describe, expect, test } from "vitest";
import { aRecord, ID } from "../a-record.js";

const codec = trustyMpm({ now: () => "2026-03-04T05:06:07Z" });
const OTHER = "367c6c51-1025-419c-b6d6-be9a753e8914";
const THIRD = "00000000-0000-4000-8000-000000000003";

function document(id: string, changes: Readonly<Record<string, unknown>> = {}) {
  return { id, tmux_name: `tmpm-${id.slice(0, 8)}`, cwd: "/w", task: "t", state: "active", created_at: "2023-11-14T22:13:20Z", ...changes };
}

describe("the sessions file", () => {
  test("keeps records of a newer release when another record is updated (trusty case 7)", () => {
    const text = JSON.stringify(
      {
        format: 3,
        sessions: {
          [OTHER]: document(OTHER, { state: "hibernating", mood: { big: 1e21, list: [null, -0.5, "ü"] } }),
          [ID]: document(ID, { kind: "Ordinary" }),
          [THIRD]: "no record at all",
        },
        trailer: [],
      },
      null,
      2,
    );
    const file = JSON.parse(text);
    expect(codec.decodeFile(file).map(({ kind, id }) => ({ kind, id }))).toEqual([
      { kind: "unsupported", id: OTHER },
      { kind: "session", id: ID },
      { kind: "damaged", id: THIRD },
    ]);

    const updated = codec.withRecord(file, { ...codec.decodeRecord(file.sessions[ID]), state: "stopped" });
    const before = text.slice(0, text.indexOf(`"${ID}"`));
    const after = text.slice(text.indexOf(`"${THIRD}"`));
    const written = JSON.stringify(updated, null, 2);
    expect(written.slice(0, before.length)).toBe(before);
    expect(written.slice(-after.length)).toBe(after);
    expect(codec.decodeFile(updated)[1]).toMatchObject({ kind: "session", record: { state: "stopped", kind: "Ordinary" } });
    expect(JSON.stringify(file, null, 2)).toBe(text);
  });

  test("returns unusable entries unchanged, with a reason that names the field", () => {
    const odd = document(OTHER, { runtime: "gpt" });
    const broken = document(THIRD, { state: undefined, runtime: "gpt" });
    const [first, second] = codec.decodeFile({ sessions: { [OTHER]: odd, [THIRD]: broken } });
    expect(first).toMatchObject({ kind: "unsupported", error: { code: "INVALID_ARGUMENT", details: { field: "runtime" } } });
    expect(first).toHaveProperty("document", odd);
    expect(second).toMatchObject({ kind: "damaged", error: { details: { field: "state" } } });
    expect(second).toHaveProperty("document", broken);
  });

  test.each([
    ["a state of a wrong type", { state: 3.5, task: 1 }, "damaged"],
    ["a newer schema of ours", { tmpm: { schema_version: 2 } }, "unsupported"],
    ["a newer value and a missing field", { state: "hibernating", task: undefined }, "damaged"],
  ])("reports an entry with %s as %s", (_title, changes, kind) => {
    expect(codec.decodeFile({ sessions: { [ID]: document(ID, changes) } })[0]).toMatchObject({ kind, id: ID });
  });

  test("reads keys in every form of a UUID, and writes back under the existing key", () => {
    const key = ID.toUpperCase();
    const file = { sessions: { [key]: document(ID) } };
    expect(codec.decodeFile(file)).toMatchObject([{ kind: "session", id: ID }]);
    expect(Object.keys(codec.withRecord(file, aRecord({ state: "stopped" })).sessions ?? {})).toEqual([key]);
    expect(codec.withoutRecord(file, ID)).toEqual({ sessions: {} });
  });

  test("returns neither a record under another id nor one id twice", () => {
    const file = { sessions: { [ID]: document(ID), [ID.toUpperCase()]: document(ID), [OTHER]: document(THIRD), "no-id": document(THIRD) } };
    expect(codec.decodeFile(file).map(({ kind }) => kind)).toEqual(["session", "damaged", "damaged", "damaged"]);
  });

  test("appends new records and removes records without touching the rest", () => {
    const file = { sessions: { [OTHER]: document(OTHER) }, extra: 1 };
    const added = codec.withRecord(file, aRecord());
    expect(codec.decodeFile(added).map(({ id }) => id)).toEqual([OTHER, ID]);
    expect(codec.withoutRecord(added, ID)).toEqual(file);
    expect(codec.withoutRecord(file, ID)).toEqual(file);
  });

  test("rejects a record that trusty-mpm cannot read", () => {
    expect(() => codec.withRecord({ sessions: {} }, aRecord({ state: "deleted" }))).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });

  test.each([[null], [[]], [{}], [{ sessions: [] }], [{ sessions: null }], ["{}"]])("rejects %j", (file) => {
    const refused = expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field: "sessions" } });
    expect(() => codec.decodeFile(file)).toThrow(refused);
    expect(() => codec.withRecord(file, aRecord())).toThrow(refused);
    expect(() => codec.withoutRecord(file, ID)).toThrow(refused);
  });

  test("may be empty", () => {
    expect(codec.decodeFile({ sessions: {} })).toEqual([]);
  });
});
