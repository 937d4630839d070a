import { Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { SessionAnswer } from "./session.js";

export const RenameAnswer = SessionAnswer.extend({
  /** Why the tmux session kept its name; null when it did not. */
  left_alone: z.string().nullable(),
});
export type RenameAnswer = z.infer<typeof RenameAnswer>;

/** Null or an empty text takes a value away; what is not named stays. */
export const SetBody = z.strictObject({
  task: z.string().optional(),
  issue_id: z.string().nullable().optional(),
  issue_url: z.string().nullable().optional(),
  claimed_pr_number: z.number().int().positive().nullable().optional(),
  claimed_pr_url: z.string().nullable().optional(),
  /** For the next launch. */
  model: z.string().nullable().optional(),
});
export type SetBody = z.input<typeof SetBody>;

export const DeleteAnswer = SessionAnswer.extend({
  /** Its record is gone; otherwise it is kept as deleted. */
  purged: z.boolean(),
});
export type DeleteAnswer = z.infer<typeof DeleteAnswer>;

const common = { scope: "operator", params: session, query: none, status: 200 } as const;

/** What changes the record of a session and nothing that it runs, but for the name of its tmux session. */
export const RECORD_ROUTES = {
  rename: { ...common, body: z.strictObject({ name: Slug }), answer: RenameAnswer },
  set: { ...common, body: SetBody, answer: SessionAnswer },
  markErrored: { ...common, body: z.strictObject({ message: z.string() }), answer: SessionAnswer },
  archive: { ...common, body: none, answer: SessionAnswer },
  reactivate: { ...common, body: z.strictObject({ name: Slug.optional() }), answer: SessionAnswer },
  delete: { ...common, body: z.strictObject({ purge: z.boolean().optional() }), answer: DeleteAnswer },
} as const satisfies Record<string, Contract>;
