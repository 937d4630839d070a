import type { Client } from "@tmpm/api/client";
import type * as z from "zod";

/** Permitted callers: `read` all, `own` a session with its own token, `grant` a session that a user gave a grant. */
export type Needs = "read" | "own" | "grant";

/** What a client may believe of a tool. */
export interface Hints {
  readonly readOnly: boolean;
  /** Something of a session ends by it. */
  readonly destructive: boolean;
  /** The same call again changes nothing more. */
  readonly idempotent: boolean;
}

/** What a call works with. */
export interface Call {
  readonly client: Client;
  /** The calling session's id, or null outside of any. */
  readonly self: string | null;
  /** Aborted when no caller waits for the result. */
  readonly signal: AbortSignal;
}

export interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, and what comes back. */
  readonly description: string;
  readonly needs: Needs;
  readonly hints: Hints;
  readonly input: I;
  readonly output: O;
  run(input: z.output<I>, call: Call): Promise<z.input<O>>;
  /** How the result reads; its JSON when not given. */
  text?(result: z.output<O>): string;
  /** What is answered while no daemon does; the failure when not given. */
  unreachable?(input: z.output<I>): z.input<O>;
}

/** A tool with its types forgotten, as the server registers it. */
export interface Tool extends Omit<ToolSpec<z.ZodObject, z.ZodObject>, "run" | "text" | "unreachable"> {
  run(input: unknown, call: Call): Promise<unknown>;
  text(result: unknown): string;
  unreachable(input: unknown): unknown;
}

/** A tool module. What it takes and answers is parsed by its own schemas, which is what makes forgetting the types safe. */
export function tool<const I extends z.ZodObject, const O extends z.ZodObject>(spec: ToolSpec<I, O>): Tool {
  return {
    ...spec,
    run: async (input, call) => spec.output.parse(await spec.run(spec.input.parse(input), call)),
    text: (result) => spec.text?.(spec.output.parse(result)) ?? JSON.stringify(result, null, 1),
    unreachable: (input) => {
      const answer = spec.unreachable?.(spec.input.parse(input));
      return answer === undefined ? undefined : spec.output.parse(answer);
    },
  };
}

export const READS: Hints = { readOnly: true, destructive: false, idempotent: true };
