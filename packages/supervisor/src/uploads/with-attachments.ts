import { type SessionRecord, TmpmError, type UploadEntry } from "@tmpm/core";
import type { Context } from "../context.js";
import { uploadEntry, uploadPlace } from "./upload-place.js";

export interface Attaching {
  readonly record: SessionRecord;
  readonly text: string;
  /** References to uploads of the session, in the order of their mentions. */
  readonly attachments: readonly string[];
}

export interface PromptWithFiles {
  /** The prompt, followed by one line for each file. */
  readonly text: string;
  readonly attachments: readonly UploadEntry[];
}

/** A prompt that mentions its files in the agent's form (zeroclaw 4). @throws UPLOAD_NOT_FOUND, UPLOAD_TOO_LARGE */
export async function withAttachments(ctx: Context, { record, text, attachments }: Attaching): Promise<PromptWithFiles> {
  if (attachments.length === 0) return { text, attachments: [] };
  const refs = [...new Set(attachments)];
  const { requestFiles, requestBytes } = ctx.settings.uploads;
  if (refs.length > requestFiles)
    throw tooMany(`a prompt accepts at most ${requestFiles} files, and this one has ${refs.length}`, requestFiles);
  const entries: UploadEntry[] = [];
  for (const ref of refs) entries.push(await requireUpload(ctx, { record, ref }));
  const bytes = entries.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (bytes > requestBytes)
    throw tooMany(`the files of a prompt may have at most ${requestBytes} bytes in total; these have ${bytes}`, requestBytes);
  return { text: [...(text === "" ? [] : [text]), ...entries.map(({ marker }) => marker)].join("\n"), attachments: entries };
}

async function requireUpload(
  ctx: Context,
  { record, ref }: { readonly record: SessionRecord; readonly ref: string },
): Promise<UploadEntry> {
  const upload = (await ctx.uploadRegistry.of(record.id)).find(({ ref_id }) => ref_id === ref);
  const there = upload !== undefined && (await ctx.uploads.holds(uploadPlace(record), { name: upload.name, size: upload.size_bytes }));
  if (there) return uploadEntry(ctx, { record, upload });
  const why = upload === undefined ? "has no upload" : "no longer has the file of";
  throw new TmpmError("UPLOAD_NOT_FOUND", `session ${record.name} ${why} ${ref}`, {
    hint: "Upload it again.",
    details: { session: record.id, ref },
  });
}

function tooMany(message: string, limit: number): TmpmError {
  return new TmpmError("UPLOAD_TOO_LARGE", message, { hint: "Send them in several prompts.", details: { limit } });
}
