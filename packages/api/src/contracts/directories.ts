import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, none } from "./contract.js";

export const DirectoryList = z.object({
  directories: z.array(
    z.object({
      path: z.string(),
      last_used_at: Timestamp.describe("When its most recent session was created."),
      sessions: z.number().int(),
    }),
  ),
  next: z.string().nullable(),
});
export type DirectoryList = z.infer<typeof DirectoryList>;

export const DIRECTORY_ROUTES = {
  directories: {
    method: "GET",
    path: "/v1/directories",
    scope: "observer",
    summary: "The directories that sessions were created in, most recent first",
    description: "A workspace counts as the directory it was made from. Whether a directory still exists is not checked.",
    params: none,
    query: z.strictObject({ limit: count(1, 1_000).optional().describe("30 by default.") }),
    body: null,
    status: 200,
    answer: DirectoryList,
    errors: [],
    example: { answer: { directories: [{ path: "/home/me/api", last_used_at: "2026-01-02T03:04:05Z", sessions: 3 }], next: null } },
  },
} as const satisfies Record<string, Contract>;
