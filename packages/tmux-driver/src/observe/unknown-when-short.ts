import { shortageOf } from "@tmpm/core";
import type { Answer } from "../driver.js";

/** A machine that has no more files or memory to look with has not looked. */
export async function unknownWhenShort<T>(look: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await look();
  } catch (error) {
    const short = shortageOf(error);
    if (short === null) throw error;
    return { kind: "unknown", error: short };
  }
}
