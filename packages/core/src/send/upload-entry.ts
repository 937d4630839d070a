import * as z from "zod";
import { Timestamp } from "../time/timestamp.js";

/** `sha256:` and the digest of a file's bytes in lower-case hexadecimal (zeroclaw 1.3). */
export const UploadRef = z.string().regex(/^sha256:[0-9a-f]{64}$/, "not a reference to an upload");
export type UploadRef = z.infer<typeof UploadRef>;

/** An uploaded file of a session. Equal bytes are one upload, under the first name. */
export const UploadEntry = z.object({
  ref_id: UploadRef,
  /** The mention in a prompt that makes the agent read the file. */
  marker: z.string(),
  /** Absolute. */
  workspace_path: z.string(),
  size_bytes: z.number().int().nonnegative(),
  filename: z.string(),
  uploaded_at: Timestamp,
});
export type UploadEntry = z.infer<typeof UploadEntry>;

const EXTENSION = /\.([A-Za-z0-9]{1,16})$/;

/** `<64hex>.<ext>`: the name's extension in lower case if it is plain letters and digits; nothing else of the name. */
export function uploadFileName(digest: string, filename: string): string {
  const extension = EXTENSION.exec(filename)?.[1];
  return extension === undefined ? digest : `${digest}.${extension.toLowerCase()}`;
}

const MOST = 255;

/** The last part of a name for display: without folders and control characters; `upload` when empty. */
export function uploadDisplayName(filename: string): string {
  const name = filename
    .replace(/^.*[/\\]/su, "")
    .replace(/\p{C}/gu, "")
    .trim();
  return name === "" || name === "." || name === ".." ? "upload" : [...name].slice(0, MOST).join("");
}

/** The stored part of a session's uploads; markers and paths derive from the session. */
export const UploadList = z.object({
  uploads: z.array(UploadEntry.omit({ marker: true, workspace_path: true }).extend({ name: z.string() })),
});
export type UploadList = z.infer<typeof UploadList>;
