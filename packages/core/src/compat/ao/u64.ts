import * as z from "zod";
import { U64 } from "../wire.js";

const MAX_U64 = 2n ** 64n - 1n;

/** A 64-bit integer as decimal text, since a number would round it. Reads numbers, bigints and decimal or `0x` text. */
export const U64Text = z.codec(z.union([U64, z.bigint(), z.string()]), z.string(), {
  decode: (value, context) => {
    const integer = integerOf(value);
    if (integer !== null && integer >= 0n && integer <= MAX_U64) return integer.toString();
    context.issues.push({ code: "custom", message: "not an unsigned integer of 64 bits", input: value });
    return z.NEVER;
  },
  encode: (text) => (BigInt(text) <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(text) : BigInt(text)),
});

function integerOf(value: number | bigint | string): bigint | null {
  if (typeof value === "string" && !/^(?:\d{1,20}|0x[0-9a-f]{1,16})$/i.test(value)) return null;
  return BigInt(value);
}
