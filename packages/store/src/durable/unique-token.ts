import { randomBytes } from "node:crypto";

const prefix = randomBytes(4).toString("hex");
let count = 0;

/** 16 hexadecimal digits, unique in all processes. Asking the kernel every time would cost as much as a small write. */
export function uniqueToken(): string {
  count = (count + 1) % 2 ** 32;
  return prefix + count.toString(16).padStart(8, "0");
}
