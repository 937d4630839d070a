import { isTmpmError } from "@tmpm/core";
import { attach } from "../commands/attach.js";
import type { Context } from "../context.js";
import { errorLines } from "../render/error.js";
import type { Message } from "./message.js";

export interface Attaching {
  readonly context: Context;
  readonly tell: (message: Message) => void;
}

/** Attaches as `tmpm attach` does, until detached; a failure is shown. */
export async function attached(session: string, { context, tell }: Attaching): Promise<void> {
  const failed = (text: string) => tell({ kind: "told", notice: { text, tone: "red" } });
  try {
    const { exit } = await attach.execute({ positionals: [session], rest: [], values: {} }, context);
    if (exit !== 0) failed(`attaching ended with status ${exit}`);
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    failed(errorLines(error).join("; "));
  }
}
