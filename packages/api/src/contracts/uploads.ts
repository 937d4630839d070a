import { UploadEntry } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { MAY_FAIL } from "./may-fail.js";

export const UploadAnswer = UploadEntry.extend({
  deduplicated: z.boolean().describe("Whether the session already had the same bytes."),
});
export type UploadAnswer = z.infer<typeof UploadAnswer>;

export const UploadsAnswer = z.object({ uploads: z.array(UploadEntry), next: z.null() });
export type UploadsAnswer = z.infer<typeof UploadsAnswer>;

const upload = session.extend({ upload: z.string().min(1).describe("Its `ref_id`, or a prefix of its digest.") });

const DIGEST = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const EXAMPLE_PATH = `/home/me/api/.tmpm/uploads/8f14e45f-ceea-467f-a9d0-1c2b3d4e5f60/${DIGEST}.txt`;
const EXAMPLE_UPLOAD: UploadEntry = {
  ref_id: `sha256:${DIGEST}`,
  marker: `@${EXAMPLE_PATH}`,
  workspace_path: EXAMPLE_PATH,
  size_bytes: 5,
  filename: "notes.txt",
  uploaded_at: "2026-01-02T03:04:05Z",
};

export const UPLOAD_ROUTES = {
  upload: {
    method: "POST",
    path: "/v1/sessions/:session/uploads",
    scope: "operator",
    summary: "Uploads a file for a session's prompts",
    description:
      "The body is the file itself (`application/octet-stream`), and is written as it arrives. Identical bytes are one upload. `send` takes the `ref_id` in `attachments`. See `docs/uploads.md`.",
    params: session,
    query: z.strictObject({ filename: z.string().max(4096).default("upload").describe("Displayed; only its extension is used.") }),
    body: none,
    bytes: true,
    status: 201,
    answer: UploadAnswer,
    errors: ["INVALID_STATE", "UPLOAD_TOO_LARGE", "DIRECTORY_NOT_FOUND", "UNSAFE_PATH", "TIMEOUT"],
    example: { params: { session: "demo" }, query: { filename: "notes.txt" }, answer: { ...EXAMPLE_UPLOAD, deduplicated: false } },
  },
  uploads: {
    method: "GET",
    path: "/v1/sessions/:session/uploads",
    scope: "observer",
    summary: "A session's uploads, oldest first",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: UploadsAnswer,
    errors: [],
    example: { params: { session: "demo" }, answer: { uploads: [EXAMPLE_UPLOAD], next: null } },
  },
  oneUpload: {
    method: "GET",
    path: "/v1/sessions/:session/uploads/:upload",
    scope: "observer",
    summary: "One upload of a session",
    params: upload,
    query: none,
    body: null,
    status: 200,
    answer: UploadEntry,
    errors: ["UPLOAD_NOT_FOUND"],
    example: { params: { session: "demo", upload: DIGEST.slice(0, 12) }, answer: EXAMPLE_UPLOAD },
  },
  discardUpload: {
    method: "DELETE",
    path: "/v1/sessions/:session/uploads/:upload",
    scope: "operator",
    summary: "Deletes an upload of a session",
    params: upload,
    query: none,
    body: null,
    status: 200,
    answer: UploadEntry,
    errors: ["UPLOAD_NOT_FOUND", ...MAY_FAIL.WRITE],
    example: { params: { session: "demo", upload: DIGEST.slice(0, 12) }, answer: EXAMPLE_UPLOAD },
  },
} as const satisfies Record<string, Contract>;
