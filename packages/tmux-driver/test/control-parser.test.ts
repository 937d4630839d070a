import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeOctal } from "../src/control/octal.js";
import { type ControlItem, controlParser } from "../src/control/parser.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SEED = Number(process.env.TMPM_TEST_SEED ?? 1);

/** As tmux 3.3a writes it: characters below a space, and backslashes, in octal. */
function encode(data: Buffer): Buffer {
  const parts = Array.from(data, (byte) =>
    byte < 0x20 || byte === 0x5c ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte),
  );
  return Buffer.from(parts.join(""), "latin1");
}

function parse(stream: Buffer, cuts: readonly number[] = []): ControlItem[] {
  const parser = controlParser();
  const borders = [0, ...[...cuts].sort((a, b) => a - b), stream.length];
  return borders.slice(1).flatMap((to, index) => parser.feed(stream.subarray(borders[index], to)));
}

const text = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(""));

describe("control-mode parser", () => {
  test("reads blocks, errors, output, notifications and the exit of a recorded stream", () => {
    const stream = Buffer.concat([
      text("%begin 1 265 0", "%end 1 265 0", "%session-changed $0 a", "%begin 1 270 1", "a: 1 windows", "%end 1 270 1"),
      text("%begin 1 271 1", "can't find session: zzz", "%error 1 271 1", "%sessions-changed"),
      Buffer.concat([Buffer.from("%output %3 "), encode(Buffer.from("ü\u001b[1m\\\r\n")), Buffer.from("\n")]),
      text("%extended-output %4 120 : x\\012y", "%unlinked-window-close @7", "%exit server exited"),
    ]);
    expect(parse(stream)).toEqual([
      { type: "block", number: 265, ok: true, ours: false, text: "" },
      { type: "notification", name: "session-changed", rest: "$0 a" },
      { type: "block", number: 270, ok: true, ours: true, text: "a: 1 windows\n" },
      { type: "block", number: 271, ok: false, ours: true, text: "can't find session: zzz\n" },
      { type: "notification", name: "sessions-changed", rest: "" },
      { type: "output", paneId: "%3", data: Buffer.from("ü\u001b[1m\\\r\n"), ageMs: null },
      { type: "output", paneId: "%4", data: Buffer.from("x\ny"), ageMs: 120 },
      { type: "notification", name: "unlinked-window-close", rest: "@7" },
      { type: "exit", reason: "server exited" },
    ]);
  });

  test("reads a block that contains guards, notifications and output as one block", () => {
    const inside = ["%end 1 269 1", "%begin 9 9 1", "%output %1 x", "%exit", "%error 1 271 1", "", "%end 1 270"];
    expect(parse(text("%begin 1 270 1", ...inside, "%end 1 270 1"))).toEqual([
      { type: "block", number: 270, ok: true, ours: true, text: inside.map((line) => `${line}\n`).join("") },
    ]);
  });

  test("reads a large block whole, in many chunks", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `row ${index} 7 270 1`);
    const stream = text("%begin 7 270 1", ...lines, "%end 7 270 1", "%sessions-changed");
    const cuts = Array.from({ length: stream.length >> 12 }, (_, index) => index << 12);
    expect(parse(stream, cuts)).toEqual([
      { type: "block", number: 270, ok: true, ours: true, text: lines.map((line) => `${line}\n`).join("") },
      { type: "notification", name: "sessions-changed", rest: "" },
    ]);
  });

  test("decodes any bytes from octal, and keeps malformed escapes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(decodeOctal(encode(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
      }),
      { seed: SEED, numRuns: SCALE < 10 ? 60 * SCALE : 200 * SCALE },
    );
    for (const odd of ["\\", "\\9", "\\01", "\\777", "a\\x41", "\\\\134"]) expect(decodeOctal(Buffer.from(odd)).length).toBeGreaterThan(0);
    expect(decodeOctal(Buffer.from("\\9\\101")).toString()).toBe("\\9A");
  });

  test("yields the same items for any chunk boundaries", () => {
    const line = fc.oneof(
      fc
        .uint8Array({ maxLength: 300 })
        .map((bytes) => Buffer.concat([Buffer.from("%output %5 "), encode(Buffer.from(bytes)), Buffer.from("\n")])),
      fc
        .tuple(
          fc.nat(1e6),
          fc.array(
            fc.string({ maxLength: 40 }).filter((one) => !one.includes("\n")),
            { maxLength: 5 },
          ),
          fc.boolean(),
        )
        .map(([number, lines, ok]) => text(`%begin 7 ${number} 1`, ...lines, `%${ok ? "end" : "error"} 7 ${number} 1`)),
      fc.constantFrom("%sessions-changed", "%session-renamed $1 ü", "%pause %3", "%unknown-to-us a b").map((one) => text(one)),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.array(fc.nat(10_000), { maxLength: 60 }), (lines, cuts) => {
        const stream = Buffer.concat(lines);
        expect(
          parse(
            stream,
            cuts.map((cut) => cut % stream.length),
          ),
        ).toEqual(parse(stream));
      }),
      { seed: SEED, numRuns: SCALE < 10 ? 60 * SCALE : 200 * SCALE },
    );
  });

  test("reads 10,000 notifications and 10 MB of output at scale 1 the same at random boundaries", { timeout: 60_000 }, () => {
    const notifications = Buffer.concat(Array.from({ length: 10_000 }, (_, index) => text(`%unlinked-window-add @${index}`)));
    const data = Buffer.alloc(64 * 1024, "log line with \u001b[31mcolour\u001b[0m and ümlauts\r\n");
    const output = Buffer.concat([Buffer.from("%output %9 "), encode(data), Buffer.from("\n")]);
    const parser = controlParser();
    let seen = 0;
    let bytes = 0;
    let random = SEED;
    const feed = (stream: Buffer) => {
      for (let from = 0; from < stream.length; ) {
        random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
        const to = from + 1 + (random % 9_000);
        for (const item of parser.feed(stream.subarray(from, to))) {
          if (item.type === "notification") seen += 1;
          else if (item.type === "output") bytes += item.data.equals(data) ? data.length : Number.NaN;
        }
        from = to;
      }
    };
    feed(notifications);
    for (let round = 0; round < 160 * SCALE; round++) feed(output);
    expect(seen).toBe(10_000);
    expect(bytes).toBe(160 * SCALE * data.length);
  });
});
