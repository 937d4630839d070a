import { SessionId, SessionState, Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";

/** Absolute, as the daemon sees it. */
const path = z.string().min(1);
/** Look and answer, and write nothing. */
const dryRun = z.boolean().optional();

export const ImportBody = z.strictObject({ from: z.enum(["trusty-mpm", "ao-rs", "swimmers"]), path, dry_run: dryRun });
export type ImportBody = z.input<typeof ImportBody>;

export const ImportAnswer = z.object({
  from: ImportBody.shape.from,
  path,
  dry_run: z.boolean(),
  /** One for each document that was found, in the order of the files. */
  documents: z.array(
    z.object({
      /** The file. */
      source: z.string(),
      /** The other program's id; null where the document does not say it. */
      id: z.string().nullable(),
      outcome: z.enum(["mapped", "already_there", "skipped"]),
      session: z.object({ id: SessionId, name: Slug, project_id: Slug, state: SessionState }).nullable(),
      /** Why it was skipped. */
      reason: z.string().nullable(),
      /** What a mapped session is not as it was. */
      notes: z.array(z.string()),
    }),
  ),
});
export type ImportAnswer = z.infer<typeof ImportAnswer>;

export const ExportBody = z.strictObject({ to: z.enum(["trusty-mpm", "ao-rs"]), path, dry_run: dryRun });
export type ExportBody = z.input<typeof ExportBody>;

export const ExportAnswer = z.object({
  to: ExportBody.shape.to,
  path,
  dry_run: z.boolean(),
  sessions: z.array(
    z.object({
      id: z.string(),
      /** Null for a record that cannot be read. */
      name: z.string().nullable(),
      outcome: z.enum(["written", "skipped"]),
      /** Why the other program's form cannot hold it. */
      reason: z.string().nullable(),
      /** What the other program is not told. */
      notes: z.array(z.string()),
    }),
  ),
});
export type ExportAnswer = z.infer<typeof ExportAnswer>;

export const IMPORT_ROUTES = {
  import: { scope: "admin", params: none, query: none, body: ImportBody, status: 200, answer: ImportAnswer },
  export: { scope: "admin", params: none, query: none, body: ExportBody, status: 200, answer: ExportAnswer },
} as const satisfies Record<string, Contract>;
