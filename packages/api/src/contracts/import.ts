import { SessionId, SessionState, Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";

/** Absolute, as the daemon sees it. */
const path = z.string().min(1);
/** Only return what would be imported. */
const dryRun = z.boolean().optional();

export const ImportBody = z.strictObject({ from: z.enum(["trusty-mpm", "ao-rs", "swimmers", "zeroclaw"]), path, dry_run: dryRun });
export type ImportBody = z.input<typeof ImportBody>;

export const ImportAnswer = z.object({
  from: ImportBody.shape.from,
  path,
  dry_run: z.boolean(),
  /** One per document found, in the order of the files. */
  documents: z.array(
    z.object({
      source: z.string().describe("The file."),
      id: z.string().nullable().describe("The other program's id; null if the document has none."),
      outcome: z.enum(["mapped", "already_there", "skipped"]),
      session: z.object({ id: SessionId, name: Slug, project_id: Slug, state: SessionState }).nullable(),
      reason: z.string().nullable().describe("Why it was skipped."),
      notes: z.array(z.string()).describe("Differences between the mapped session and the original."),
    }),
  ),
});
export type ImportAnswer = z.infer<typeof ImportAnswer>;

export const ExportBody = z.strictObject({ to: z.enum(["trusty-mpm", "ao-rs", "swimmers"]), path, dry_run: dryRun });
export type ExportBody = z.input<typeof ExportBody>;

export const ExportAnswer = z.object({
  to: ExportBody.shape.to,
  path,
  dry_run: z.boolean(),
  sessions: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable().describe("Null for a record that cannot be read."),
      outcome: z.enum(["written", "skipped"]),
      reason: z.string().nullable().describe("Why the other program's format cannot represent it."),
      notes: z.array(z.string()).describe("Information that the other program's format loses."),
    }),
  ),
});
export type ExportAnswer = z.infer<typeof ExportAnswer>;

export const IMPORT_ROUTES = {
  import: {
    method: "POST",
    path: "/v1/import",
    scope: "admin",
    summary: "Imports the sessions of another program",
    params: none,
    query: none,
    body: ImportBody,
    status: 200,
    answer: ImportAnswer,
    errors: ["FILE_NOT_FOUND", "DIRECTORY_NOT_FOUND", "NAME_TAKEN"],
    long: true,
    example: {
      body: { from: "trusty-mpm", path: "/home/me/.trusty-mpm", dry_run: true },
      answer: {
        from: "trusty-mpm",
        path: "/home/me/.trusty-mpm",
        dry_run: true,
        documents: [
          {
            source: "/home/me/.trusty-mpm/sessions.json",
            id: EXAMPLE_SESSION.id,
            outcome: "mapped",
            session: { id: EXAMPLE_SESSION.id, name: "demo", project_id: "default", state: "stopped" },
            reason: null,
            notes: [],
          },
        ],
      },
    },
  },
  export: {
    method: "POST",
    path: "/v1/export",
    scope: "admin",
    summary: "Exports the sessions in another program's format",
    params: none,
    query: none,
    body: ExportBody,
    status: 200,
    answer: ExportAnswer,
    errors: ["TARGET_EXISTS", "DIRECTORY_NOT_FOUND"],
    example: {
      body: { to: "ao-rs", path: "/home/me/sessions" },
      answer: {
        to: "ao-rs",
        path: "/home/me/sessions",
        dry_run: false,
        sessions: [{ id: EXAMPLE_SESSION.id, name: "demo", outcome: "written", reason: null, notes: [] }],
      },
    },
  },
} as const satisfies Record<string, Contract>;
