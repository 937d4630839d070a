import { shortageOf } from "@tmpm/core";
import type { Answer } from "../driver.js";

/** A failed observation for lack of files or memory is unknown. */
export async function unknownWhenShort<T>(look: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await look();
  } catch (error) {
    const short = shortageOf(error);
    if (short === null) throw error;
    return { kind: "unknown", error: short };
  }
}
