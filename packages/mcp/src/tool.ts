import type { Client } from "@tmpm/api/client";
import type { Profile } from "@tmpm/api/config";
import type * as z from "zod";

/** Permitted callers: `read` all, `own` a session with its own token, `grant` a session that a user gave a grant. */
export type Needs = "read" | "own" | "grant";

/** Hints about a tool for clients. */
export interface Hints {
  readonly readOnly: boolean;
  /** It ends a part of a session. */
  readonly destructive: boolean;
  /** A repeated call changes nothing more. */
  readonly idempotent: boolean;
}

/** The context of a call. */
export interface Call {
  readonly client: Client;
  /** The calling session's id, or null outside of any. */
  readonly self: string | null;
  /** Aborted when no caller waits for the result. */
  readonly signal: AbortSignal;
  /** How long the call has already waited for a daemon that was away, in ms. */
  readonly waitedMs: number;
  /** The user's profile of this name; undefined where no configuration file belongs to the caller. @throws INVALID_ARGUMENT */
  readonly profile?: ReadProfile | undefined;
}

export type ReadProfile = (name: string) => Promise<Profile>;

export interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model: its purpose, and its result. */
  readonly description: string;
  readonly needs: Needs;
  readonly hints: Hints;
  readonly input: I;
  readonly output: O;
  run(input: z.output<I>, call: Call): Promise<z.input<O>>;
  /** The result as text; default its JSON. */
  text?(result: z.output<O>): string;
  /** The result while the daemon is away; default the failure. */
  unreachable?(input: z.output<I>): z.input<O>;
}

/** A tool without its types, as the server registers it. */
export interface Tool extends Omit<ToolSpec<z.ZodObject, z.ZodObject>, "run" | "text" | "unreachable"> {
  run(input: unknown, call: Call): Promise<unknown>;
  text(result: unknown): string;
  unreachable(input: unknown): unknown;
}

/** A tool module. Its input and output are parsed by its own schemas, so the types can be dropped safely. */
export function tool<const I extends z.ZodObject, const O extends z.ZodObject>(spec: ToolSpec<I, O>): Tool {
  return {
    ...spec,
    run: async (input, call) => spec.output.parse(await spec.run(spec.input.parse(input), call)),
    text: (result) => spec.text?.(spec.output.parse(result)) ?? JSON.stringify(result),
    unreachable: (input) => {
      const answer = spec.unreachable?.(spec.input.parse(input));
      return answer === undefined ? undefined : spec.output.parse(answer);
    },
  };
}

export const READS: Hints = { readOnly: true, destructive: false, idempotent: true };
