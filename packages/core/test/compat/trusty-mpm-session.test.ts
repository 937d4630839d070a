import { Session } from "@tmpm/core";
import { trustyMpm } from "@tmpm/core/compat/trusty-mpm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyTimestamp, ID } from "../a-record.js";
import { forAll } from "../for-all.js";

const NOW = "2026-03-04T05:06:07.089Z";
const codec = trustyMpm({ now: () => NOW });

const LEGACY = { id: ID, workdir: "/w", status: "Active", control: "Tmux", active_delegations: 0 };
/** As the Rust program writes it, field for field. */
const WRITTEN = {
  id: ID,
  workdir: "/home/ada/api",
  status: "AwaitingApproval",
  control: "Tmux",
  active_delegations: 2,
  tmux_name: "tmpm-api",
  created_at: { secs_since_epoch: 1_700_000_000, nanos_since_epoch: 123_456_789 },
  last_seen: { secs_since_epoch: 1_700_000_100, nanos_since_epoch: 0 },
  project_path: "/home/ada",
  paused_at: { secs_since_epoch: 1_700_000_050, nanos_since_epoch: 500_000_000 },
  pause_summary: "lunch",
  origin: "native",
  pid: 4242,
};

describe("core registry session", () => {
  test("fills defaults for an old release, with times from the clock (trusty case 3)", () => {
    expect(codec.decodeSession(LEGACY)).toEqual({
      ...LEGACY,
      tmux_name: "",
      created_at: NOW,
      last_seen: NOW,
      project_path: null,
      paused_at: null,
      pause_summary: null,
      origin: "tmux",
      pid: null,
    });
  });

  test("reads the clock once, so that both missing times are equal", () => {
    let calls = 0;
    const counting = trustyMpm({ now: () => `2026-01-01T00:00:0${calls++}Z` });
    const session = counting.decodeSession(LEGACY);
    expect(session.created_at).toBe(session.last_seen);
  });

  test("round-trips byte for byte: bare id, object times, original status, lower-case origin (trusty case 4)", () => {
    const session = codec.decodeSession(WRITTEN);
    expect(session).toMatchObject({ created_at: "2023-11-14T22:13:20.123456789Z", paused_at: "2023-11-14T22:14:10.500Z" });
    expect(JSON.stringify(codec.encodeSession(session))).toBe(JSON.stringify(WRITTEN));
  });

  test("writes every field, null when empty, in the order of the Rust struct", () => {
    const document = codec.encodeSession(codec.decodeSession(LEGACY));
    expect(Object.keys(document)).toEqual(Object.keys(WRITTEN));
    expect(document).toMatchObject({ project_path: null, paused_at: null, pause_summary: null, pid: null });
  });

  test("round-trips any generated session (trusty case 4)", () => {
    const anySession = fc.record({
      id: fc.uuid(),
      workdir: fc.string(),
      status: fc.constantFrom(...Session.shape.status.options),
      control: fc.constantFrom(...Session.shape.control.options),
      active_delegations: fc.nat({ max: 4_294_967_295 }),
      tmux_name: fc.string({ unit: "grapheme" }),
      created_at: anyTimestamp,
      last_seen: anyTimestamp,
      project_path: fc.option(fc.string()),
      paused_at: fc.option(anyTimestamp),
      pause_summary: fc.option(fc.string()),
      origin: fc.constantFrom("tmux" as const, "native" as const),
      pid: fc.option(fc.nat({ max: 4_294_967_295 })),
    });
    forAll([anySession], (session) => {
      expect(codec.decodeSession(JSON.parse(JSON.stringify(codec.encodeSession(session))))).toEqual(session);
    });
  });

  test.each([ID.toUpperCase(), ID.replaceAll("-", ""), `{${ID}}`, `urn:uuid:${ID}`])("is found by id in each serde form: %s", (id) => {
    expect(codec.decodeSession({ ...LEGACY, id }).id).toBe(ID);
  });

  test("ignores unknown fields", () => {
    expect(codec.decodeSession({ ...LEGACY, future: 1 })).not.toHaveProperty("future");
  });

  test("carries excess nanoseconds into the seconds", () => {
    const session = codec.decodeSession({ ...LEGACY, created_at: { secs_since_epoch: 1, nanos_since_epoch: 2_500_000_000 } });
    expect(codec.encodeSession(session).created_at).toEqual({ secs_since_epoch: 3, nanos_since_epoch: 500_000_000 });
  });

  test.each([
    ["status", "active"],
    ["status", "AWAITING_APPROVAL"],
    ["control", "tmux"],
    ["origin", "Tmux"],
    ["id", { "0": ID }],
    ["id", "not-a-uuid"],
    ["workdir", null],
    ["active_delegations", -1],
    ["active_delegations", 1.5],
    ["pid", 4_294_967_296],
    ["created_at", "2023-11-14T22:13:20Z"],
    ["created_at", null],
    ["paused_at", { secs_since_epoch: 1, nanos_since_epoch: 0, extra: 1 }],
    ["last_seen", { secs_since_epoch: 999_999_999_999_999, nanos_since_epoch: 0 }],
  ])("rejects %s %j and names the field (trusty case 5)", (field, value) => {
    expect(() => codec.decodeSession({ ...WRITTEN, [field]: value })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(field), details: { field } }),
    );
  });

  test.each(["id", "workdir", "status", "control", "active_delegations"])("rejects a session without %s and names it", (field) => {
    expect(() => codec.decodeSession({ ...WRITTEN, [field]: undefined })).toThrow(expect.objectContaining({ details: { field } }));
  });

  test.each([[null], ["x"], [[]], [42]])("rejects %j", (document) => {
    expect(() => codec.decodeSession(document)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field: "document" } }),
    );
  });

  test("rejects a time before 1970, which SystemTime cannot hold", () => {
    const session = { ...codec.decodeSession(WRITTEN), paused_at: "1969-12-31T23:59:59Z" };
    expect(() => codec.encodeSession(session)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", details: { field: "paused_at" } }),
    );
  });
});

describe("core registry response", () => {
  test("maps each session to a record with all its fields", () => {
    const other = { ...LEGACY, id: "650e8400-e29b-41d4-a716-446655440001", workdir: "" };
    const entries = codec.decodeRegistry({ sessions: [WRITTEN, other, { ...WRITTEN, status: "active" }, WRITTEN] });
    expect(entries).toMatchObject([
      {
        kind: "session",
        id: ID,
        record: {
          ...{ name: "api", cwd: "/home/ada/api", state: "active", agent: "claude", project_path: "/home/ada", pause_summary: "lunch" },
          ...{ created_at: "2023-11-14T22:13:20.123456789Z", last_seen_at: "2023-11-14T22:15:00Z", trusty_registry: WRITTEN },
        },
      },
      { kind: "session", id: other.id, record: { cwd: "/unknown", name: "noble-valley" } },
      { kind: "unsupported", id: ID },
      { kind: "damaged", id: ID },
    ]);
  });

  test.each([{}, { sessions: {} }, [], null])("rejects %j", (document) => expect(codec.decodeRegistry(document)).toBeNull());
});
