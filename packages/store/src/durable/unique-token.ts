import { randomBytes } from "node:crypto";

const prefix = randomBytes(4).toString("hex");
let count = 0;

/** 16 hexadecimal digits that no other call returns, in this or any other process. Asking the kernel every time would cost as much as a small write. */
export function uniqueToken(): string {
  count = (count + 1) % 2 ** 32;
  return prefix + count.toString(16).padStart(8, "0");
}
