import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadFrame, encodeFrame, type Frame, frameParser, MOST_PAYLOAD, PREAMBLE } from "../src/index.js";
import { seeded } from "./seeded.js";

const word = fc.integer({ min: 0, max: 0xffff_ffff });
const frame = fc.record({
  type: fc.integer({ min: 0, max: 255 }),
  channel: word,
  serial: word,
  payload: fc.uint8Array({ maxLength: 200 }),
});

function parsed(bytes: Uint8Array, { cuts, preamble }: { readonly cuts: readonly number[]; readonly preamble: boolean }): Frame[] {
  const frames: Frame[] = [];
  const parse = frameParser({ preamble, onFrame: (each) => frames.push({ ...each, payload: new Uint8Array(each.payload) }) });
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    parse(bytes.subarray(from, to));
    from = to;
  }
  return frames;
}

describe("frames", () => {
  test("arrive as they were sent, in pieces of any size", async () => {
    await fc.assert(
      fc.property(fc.array(frame, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 30 }), (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(encodeFrame));
        expect(parsed(bytes, { cuts, preamble: false })).toEqual(frames);
      }),
      seeded(),
    );
  });

  test("begin after the preamble, regardless of earlier output of a login shell", async () => {
    await fc.assert(
      fc.property(fc.string({ maxLength: 300 }), frame, fc.array(fc.nat(), { maxLength: 10 }), (noise, each, cuts) => {
        const bytes = Buffer.concat([Buffer.from(noise.replaceAll("\0", "")), PREAMBLE, encodeFrame(each)]);
        expect(parsed(bytes, { cuts, preamble: true })).toEqual([each]);
      }),
      seeded(),
    );
  });

  test("anything else is refused and never misread", async () => {
    await fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat(), { maxLength: 10 }), (bytes, cuts) => {
        try {
          for (const { payload } of parsed(bytes, { cuts, preamble: false })) expect(payload.length).toBeLessThanOrEqual(MOST_PAYLOAD);
        } catch (error) {
          expect(error).toBeInstanceOf(BadFrame);
        }
      }),
      seeded(),
    );
  });

  test("larger than the maximum are refused before they arrive", () => {
    const header = new Uint8Array(13);
    new DataView(header.buffer).setUint32(0, MOST_PAYLOAD + 10);
    expect(() => parsed(header, { cuts: [], preamble: false })).toThrow(BadFrame);
  });

  test("are not searched for indefinitely", () => {
    const parse = frameParser({ preamble: true, onFrame: () => undefined });
    expect(() => {
      for (let piece = 0; piece < 100; piece++) parse(Buffer.alloc(1024, "noise"));
    }).toThrow("no link answers there");
  });
});
