import { hasCode, isTmpmError, TmpmError, toErrorBody } from "@tmpm/core";
import { MOST_BYTES, page, visible } from "./shown.js";
import type { Call, Tool } from "./tool.js";

/** The result for a client: a text for the model, and the result as data. */
export interface Answer {
  readonly [key: string]: unknown;
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

export interface Calling extends Omit<Call, "waitedMs"> {
  /** Ends a pause between two attempts, in ms. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

const CUT = "\n... (cut; ask for fewer)";

/** How long to wait for a restarting daemon, and the interval of the attempts, in ms. */
const PATIENCE_MS = 8_000;
const AGAIN_MS = 250;

/** Runs a tool. Every failure is a result: the server continues, also during a restart of the daemon. */
export async function callTool(tool: Tool, { input, call }: { readonly input: unknown; readonly call: Calling }): Promise<Answer> {
  try {
    return answerOf(tool, await withPatience(tool, { input, call }));
  } catch (error) {
    const known = isTmpmError(error) ? error : new TmpmError("INTERNAL", error instanceof Error ? error.message : String(error));
    const meanwhile = hasCode(known, "DAEMON_UNREACHABLE", "SHUTTING_DOWN") ? tool.unreachable(input) : undefined;
    return meanwhile === undefined ? failure(known) : answerOf(tool, meanwhile);
  }
}

/** Repeats the call while the daemon is away and the call certainly had no effect. */
async function withPatience(tool: Tool, { input, call }: { readonly input: unknown; readonly call: Calling }): Promise<unknown> {
  const beganMs = call.now();
  for (;;) {
    try {
      return await tool.run(input, { ...call, waitedMs: call.now() - beganMs });
    } catch (error) {
      const away = hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN", "NOT_READY") && error.effect === "none";
      if (!away || call.signal.aborted || call.now() >= beganMs + PATIENCE_MS) throw error;
      await call.sleep(AGAIN_MS);
    }
  }
}

function answerOf(tool: Tool, result: unknown): Answer {
  const shown = visible(result);
  const text = tool.text(shown);
  const fits = Buffer.byteLength(text) <= MOST_BYTES;
  return {
    content: [{ type: "text", text: fits ? text : `${page(text, { most: MOST_BYTES - CUT.length }).text}${CUT}` }],
    // Every tool's output is an object.
    structuredContent: shown as Record<string, unknown>,
  };
}

function failure(error: TmpmError): Answer {
  const { code, message, hint, effect, details } = visible(toErrorBody(error));
  const text = [`${code}: ${message}`, ...(hint === null ? [] : [hint]), ...(effect === "unknown" ? ["It may have happened."] : [])].join(
    "\n",
  );
  const data = JSON.stringify(details).length > MOST_BYTES / 2 ? {} : details;
  return {
    content: [{ type: "text", text: text.slice(0, MOST_BYTES / 2) }],
    structuredContent: { error: { code, message: message.slice(0, 2_000), hint, effect, details: data } },
    isError: true,
  };
}
