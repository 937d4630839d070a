import type { TmpmError } from "@tmpm/core";
import type { Refusal } from "../failure.js";

/** One tmux command: its name and its arguments, before any quoting. */
export type Command = readonly [string, ...string[]];

export interface Request {
  /** Run in this order, without any other command in between, up to the first failure. */
  readonly commands: readonly Command[];
  /** An unanswered `mutate` may still run later. */
  readonly kind: "read" | "mutate";
  /** Standard input for the `load-buffer -` among the commands. */
  readonly input?: string;
  /**
   * The commands' last output, unless one fails, begins with one of these unguessable words. Without them a transport needs one more
   * command to detect the end.
   */
  readonly ends?: readonly string[];
}

/** `refused` is an answer too: of the server, or proof that none listens. `output` is that of the commands before the rejection. */
export type Reply =
  | { readonly kind: "answered"; readonly output: string }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly output: string }
  | { readonly kind: "unanswered"; readonly error: TmpmError };

/** How commands reach a server. Each transport is one implementation; everything else is built on it. */
export interface Channel {
  ask(request: Request): Promise<Reply>;
}
