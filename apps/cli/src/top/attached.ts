import { isTmpmError } from "@tmpm/core";
import { attach } from "../commands/attach.js";
import type { Context } from "../context.js";
import { errorLines } from "../render/error.js";
import type { Message } from "./message.js";
import type { Named } from "./state.js";

export interface Attaching {
  readonly context: Context;
  readonly send: (message: Message) => void;
}

/** Attaches as `tmpm attach` does, until detached; a failure is shown. */
export async function attached({ id, node }: Named, { context, send }: Attaching): Promise<void> {
  const failed = (text: string) => send({ kind: "noted", notice: { text, tone: "red" } });
  try {
    const { exit } = await attach.execute({ positionals: [id], rest: [], values: {} }, context.at(node));
    if (exit !== 0) failed(`attaching ended with status ${exit}`);
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    failed(errorLines(error).join("; "));
  }
}
