import type { TmpmError } from "@tmpm/core";
import type { Refusal } from "../failure.js";

/** One tmux command: its name and its arguments, before any quoting. */
export type Command = readonly [string, ...string[]];

export interface Request {
  /** Run in this order, without anything in between, and no further than the first that fails. */
  readonly commands: readonly Command[];
  /** A `mutate` that got no answer may still run later. */
  readonly kind: "read" | "mutate";
  /** What the `load-buffer -` among the commands reads. */
  readonly input?: string;
  /** The last that its commands print, unless one fails, begins with one of these words, which are unguessable. Without them the end costs a transport a command more. */
  readonly ends?: readonly string[];
}

/** `refused` is an answer too: of the server, or proof that none listens. `output` is what the commands before the refusal printed. */
export type Reply =
  | { readonly kind: "answered"; readonly output: string }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly output: string }
  | { readonly kind: "unanswered"; readonly error: TmpmError };

/** How commands reach a server. Each transport is one implementation; everything else is built on it. */
export interface Channel {
  ask(request: Request): Promise<Reply>;
}
