import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appendMany, numbersOf, read, sampleEvent, upTo } from "../src/contract/sample-event.js";
import type { EventJournal, JournalEntry } from "../src/events/journal.js";
import { type JournalCalls, nodeJournalCalls } from "../src/events/journal-calls.js";
import { type EventJournalOptions, eventJournal } from "../src/index.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

let folder: ScratchFolder;
let dir: string;
const journals: EventJournal[] = [];

beforeEach(() => {
  folder = scratchFolder();
  dir = join(folder.path, "events");
});
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  folder.remove();
});

function opened(options: Partial<EventJournalOptions> = {}): EventJournal {
  const journal = eventJournal({ dir, ...options });
  journals.push(journal);
  return journal;
}

function segments(): readonly string[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .map((name) => join(dir, name));
}

/** The only segment of a small journal. */
function segment(): string {
  const [path = ""] = segments();
  return path;
}

async function kindsOf(journal: EventJournal): Promise<readonly string[]> {
  const page = await read(journal, 0);
  return page.kind === "events" ? page.entries.map(({ seq, kind }) => `${seq} ${kind}`) : [];
}

describe("journal files", () => {
  test("are private JSON lines, one event each, with no other files in the folder", async () => {
    const journal = opened({ clock: () => Date.parse("2026-01-01T00:00:00Z") });
    await appendMany(journal, 3);
    expect(segments().map((path) => path.slice(dir.length + 1))).toEqual(["events-0000000000000001-1767225600000.jsonl"]);
    const lines = readFileSync(segment(), "utf8").split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3]);
    expect([statSync(dir).mode & 0o777, statSync(segment()).mode & 0o777]).toEqual([0o700, 0o600]);
    await journal.close();
    expect(readdirSync(dir)).toHaveLength(1);
  });

  test("stay within the limit in total, and are dropped by whole segments", async () => {
    const maxBytes = 8_000;
    const journal = opened({ maxBytes });
    for (let round = 0; round < 10; round++) {
      await Promise.all(upTo(25).map((each) => journal.append(sampleEvent("x".repeat(each * 5)))));
      const sizes = segments().map((path) => statSync(path).size);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes / 8);
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(maxBytes);
    }
  });

  test("keep the next number after everything has expired", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const clock = () => now;
    await appendMany(opened({ clock }), 5);
    await journals[0]?.close();
    for (let day = 0; day < 2; day++) {
      now += 86_400_000;
      const journal = opened({ clock, maxAgeMs: 3_600_000 });
      expect(numbersOf(await read(journal, 5))).toEqual([]);
      await journal.close();
    }
    expect(segments().map((path) => statSync(path).size)).toEqual([0]);
    expect(numbersOf(await read(opened({ clock }), 4))).toBe("behind 5");
    await journals.at(-1)?.close();
    expect((await opened({ clock }).append(sampleEvent("a"))).seq).toBe(6);
  });
});

describe("torn last line", () => {
  test("is truncated at any byte, and its unreported number is reused", async () => {
    await appendMany(opened(), 3);
    await journals[0]?.close();
    const path = segment();
    const whole = readFileSync(path);
    const start = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let size = start; size < whole.length; size += 9) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      const journal = opened();
      expect(numbersOf(await read(journal, 0))).toEqual([1, 2]);
      expect(statSync(path).size).toBe(start);
      expect((await journal.append(sampleEvent("again"))).seq).toBe(3);
      expect(await kindsOf(journal)).toEqual(["1 event", "2 event", "3 event"]);
      await journal.close();
    }
  });

  test("of zeros is truncated too", async () => {
    await appendMany(opened(), 2);
    await journals[0]?.close();
    writeFileSync(segment(), Buffer.concat([readFileSync(segment()), Buffer.alloc(4_096)]));
    expect((await opened().append(sampleEvent("next"))).seq).toBe(3);
    expect(readFileSync(segment()).includes(0)).toBe(false);
  });
});

describe("damaged journal", () => {
  const spoils: readonly (readonly [string, (lines: string[]) => void, readonly string[]])[] = [
    ["a line that is not JSON", (lines) => void lines.splice(2, 1, "{"), ["3 damaged"]],
    ["an empty line", (lines) => void lines.splice(2, 1, ""), ["3 damaged"]],
    ["two lines that lost the end between them", (lines) => void lines.splice(2, 2, `${lines[2]}#${lines[3]}`), ["3 damaged", "4 damaged"]],
    ["a line that was broken in two", (lines) => void lines.splice(2, 1, '{"seq":3,', '"x":1}'), ["3 damaged"]],
    ["a line that is gone", (lines) => void lines.splice(2, 1), ["3 damaged"]],
    ["a line that is there twice", (lines) => void lines.splice(2, 0, lines[2] ?? ""), []],
    ["a number that is too small", (lines) => void lines.splice(2, 1, lines[2]?.replace('"seq":3', '"seq":1') ?? ""), ["3 damaged"]],
    ["a number that is too large", (lines) => void lines.splice(2, 1, lines[2]?.replace('"seq":3', '"seq":7') ?? ""), ["3 damaged"]],
    [
      "a number that no journal reaches",
      (lines) => void lines.splice(2, 1, lines[2]?.replace('"seq":3', '"seq":1e300') ?? ""),
      ["3 damaged"],
    ],
    ["no number", (lines) => void lines.splice(2, 1, '{"type":"x"}'), ["3 damaged"]],
    ["a list", (lines) => void lines.splice(2, 1, "[3]"), ["3 damaged"]],
    [
      "bottomless nesting",
      (lines) => void lines.splice(2, 1, `{"seq":3,"type":"x","d":${"[".repeat(9_999)}${"]".repeat(9_999)}}`),
      ["3 damaged"],
    ],
    ["bytes that are not text", (lines) => void lines.splice(2, 1, "\u0000\uFFFD"), ["3 damaged"]],
    ["a last line that is not JSON", (lines) => void lines.splice(7, 1, "{}"), ["8 damaged"]],
    [
      "a value of a newer version",
      (lines) => void lines.splice(2, 1, '{"seq":3,"type":"session_text_sent","bytes":"many"}'),
      ["3 unknown"],
    ],
  ];

  test.each(spoils)("with %s does not hide other events or numbers", async (_title, spoil, expected) => {
    await appendMany(opened(), 8);
    await journals[0]?.close();
    const lines = readFileSync(segment(), "utf8").trimEnd().split("\n");
    spoil(lines);
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    for (let at = bytes.indexOf("\uFFFD"); at >= 0; at = bytes.indexOf("\uFFFD")) bytes.fill(0xff, at, at + 3);
    writeFileSync(segment(), bytes);
    const journal = opened();
    expect((await journal.append(sampleEvent("next"))).seq).toBe(9);
    const kinds = await kindsOf(journal);
    expect(kinds.map((kind) => Number.parseInt(kind, 10))).toEqual(upTo(9));
    expect(kinds.filter((kind) => !kind.endsWith(" event"))).toEqual(expected);
    await journal.close();
    expect(await kindsOf(opened())).toEqual(kinds);
  });

  const losses: readonly (readonly [string, (path: string) => void])[] = [
    ["gone", (path) => rmSync(path)],
    [
      "a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      "a symbolic link",
      (path) => {
        renameSync(path, `${path}.aside`);
        symlinkSync(`${path}.aside`, path);
      },
    ],
    ["empty", (path) => truncateSync(path, 0)],
    ["cut in the middle", (path) => truncateSync(path, 500)],
  ];

  test.each(losses)("with a whole segment %s reports each of its numbers, and reads the rest", async (_title, lose) => {
    const journal = opened({ maxBytes: 8_000 });
    await appendMany(journal, 30);
    const [, second = "", third = ""] = segments();
    const [from, to] = [second, third].map((path) => Number(path.slice(dir.length + 8, dir.length + 24)));
    lose(second);
    const page = await read(journal, 0);
    expect(numbersOf(page)).toEqual(upTo(30));
    const damaged = page.kind === "events" ? page.entries.filter((entry: JournalEntry) => entry.kind === "damaged") : [];
    expect(damaged.length).toBeGreaterThan(0);
    expect(damaged.every(({ seq }) => seq >= (from ?? 0) && seq < (to ?? 0))).toBe(true);
  });
});

describe("failing disk", () => {
  /** A failing write has written all but its end. */
  function failing(errno: string, ...names: readonly (keyof JournalCalls)[]) {
    const fault = { on: false };
    const faulty = names.map((name) => {
      const real: (...args: never[]) => unknown = nodeJournalCalls[name];
      const call = (...args: never[]) => {
        if (!fault.on) return real(...args);
        if (name === "write") nodeJournalCalls.write(args[0] ?? -1, Buffer.from(args[1] ?? "").subarray(0, -7));
        throw Object.assign(new Error(errno), { code: errno, syscall: name });
      };
      return [name, call] as const;
    });
    return { fault, calls: { ...nodeJournalCalls, ...Object.fromEntries(faulty) } };
  }

  test("a failed write stores nothing, and the journal continues without a gap once there is space", async () => {
    const { fault, calls } = failing("ENOSPC", "write");
    const journal = opened({ calls });
    const heard: number[] = [];
    journal.follow(({ seq }) => heard.push(seq));
    await appendMany(journal, 2);
    fault.on = true;
    const failed = [1, 2, 3].map(() => journal.append(sampleEvent("lost")));
    for (const append of failed) await expect(append).rejects.toMatchObject({ code: "STORAGE_FULL", effect: "none" });
    expect(numbersOf(await read(journal, 0))).toEqual([1, 2]);
    fault.on = false;
    await appendMany(journal, 2);
    expect(heard).toEqual([1, 2, 3, 4]);
    await journal.close();
    expect(await kindsOf(opened())).toEqual(["1 event", "2 event", "3 event", "4 event"]);
  });

  test("a failed write is reported as such even if the journal cannot be unlocked", async () => {
    const fault = { on: false };
    const write = (fd: number, bytes: Uint8Array) => {
      if (!fault.on) return nodeJournalCalls.write(fd, bytes);
      renameSync(dir, `${dir}.away`);
      writeFileSync(dir, "");
      throw Object.assign(new Error("EROFS"), { code: "EROFS", syscall: "write" });
    };
    const journal = opened({ calls: { ...nodeJournalCalls, write } });
    await appendMany(journal, 1);
    fault.on = true;
    const failed = [1, 2].map(() => journal.append(sampleEvent("doubtful")));
    for (const append of failed) await expect(append).rejects.toMatchObject({ code: "STORE_READ_ONLY", effect: "unknown" });
    fault.on = false;
    rmSync(dir);
    renameSync(`${dir}.away`, dir);
    await appendMany(journal, 1);
    expect(numbersOf(await read(journal, 0))).toEqual([1, 2]);
  });

  test("a failed fsync acknowledges nothing; followers get events stored anyway before later ones", async () => {
    const { fault, calls } = failing("EIO", "fsync", "truncate");
    const journal = opened({ calls });
    const heard: string[] = [];
    journal.follow((entry) =>
      heard.push(`${entry.seq} ${entry.kind === "event" && "outcome" in entry.event ? entry.event.outcome : entry.kind}`),
    );
    await journal.append(sampleEvent("before"));
    fault.on = true;
    await expect(journal.append(sampleEvent("unsure"))).rejects.toMatchObject({ code: "STORE_DEGRADED", effect: "unknown" });
    await expect(read(journal, 0)).rejects.toMatchObject({ code: "STORE_DEGRADED", effect: "none" });
    fault.on = false;
    await journal.append(sampleEvent("after"));
    expect(numbersOf(await read(journal, 0))).toEqual([1, 2, 3]);
    expect(heard).toEqual(["1 before", "2 unsure", "3 after"]);
  });

  test("short writes of one byte still store whole lines", async () => {
    const write = (fd: number, bytes: Uint8Array) => nodeJournalCalls.write(fd, bytes.subarray(0, 1));
    await appendMany(opened({ calls: { ...nodeJournalCalls, write } }), 3);
    await journals[0]?.close();
    expect(await kindsOf(opened())).toEqual(["1 event", "2 event", "3 event"]);
  });

  test("every operation reports a journal that cannot be opened, and no number is lost", async () => {
    await appendMany(opened(), 2);
    await journals[0]?.close();
    renameSync(dir, `${dir}-aside`);
    writeFileSync(dir, "");
    const journal = opened();
    for (const use of [journal.append(sampleEvent("a")), read(journal, 0)])
      await expect(use).rejects.toMatchObject({ code: "STORE_DEGRADED", effect: "none" });
    rmSync(dir);
    renameSync(`${dir}-aside`, dir);
    expect((await journal.append(sampleEvent("a"))).seq).toBe(3);
  });
});

test("concurrent appends share an fsync", async () => {
  let synced = 0;
  const fsync = (fd: number) => {
    synced++;
    return nodeJournalCalls.fsync(fd);
  };
  const journal = opened({ calls: { ...nodeJournalCalls, fsync } });
  await journal.append(sampleEvent("first"));
  synced = 0;
  await Promise.all(upTo(200).map(() => journal.append(sampleEvent("a"))));
  expect(synced).toBeLessThanOrEqual(2);
});

test("an open journal cannot be opened twice; a closed one is free at once", async () => {
  const journal = opened();
  await appendMany(journal, 1);
  await expect(opened().append(sampleEvent("a"))).rejects.toMatchObject({ code: "STORE_DEGRADED", details: { pid: process.pid } });
  await journal.close();
  expect((await opened().append(sampleEvent("a"))).seq).toBe(2);
});
