import {
  invalidState,
  isTerminal,
  type SessionRecord,
  type SessionState,
  TmpmError,
  timestampFromMs,
  type UploadEntry,
  uploadDisplayName,
  uploadFileName,
} from "@tmpm/core";
import type { KeptUpload } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { uploadEntry, uploadPlace } from "../uploads/upload-place.js";
import type { RegisteredUpload } from "../uploads/upload-registry.js";

export interface UploadInput {
  readonly session: string;
  /** The user's file name: only its extension is used, and it is displayed. */
  readonly filename: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Number of bytes, when known beforehand. */
  readonly size?: number | undefined;
}

export interface Uploaded {
  readonly upload: UploadEntry;
  /** Whether the session already had the same bytes. */
  readonly deduplicated: boolean;
}

const FROM: readonly SessionState[] = ["active", "stopped", "errored"];

/**
 * Stores a file for a session where its agent can read it. Equal bytes are the same upload; a failure leaves nothing.
 * @throws UPLOAD_TOO_LARGE, INVALID_STATE, DIRECTORY_NOT_FOUND, UNSAFE_PATH, STORAGE_FULL, STORE_READ_ONLY, and the stream's errors
 */
export async function upload(ctx: Context, input: UploadInput): Promise<Uploaded> {
  const record = await requireKeeping(ctx, input.session);
  await requireRoom(ctx, { record, size: input.size ?? 0 });
  return ctx.uploadRegistry.during(record.id, async () => {
    const place = uploadPlace(record);
    const registered = await ctx.uploadRegistry.of(record.id);
    const nameOf = (digest: string) =>
      registered.find(({ ref_id }) => ref_id === refOf(digest))?.name ?? uploadFileName(digest, input.filename);
    const kept = await ctx.uploads.keep(place, { bytes: input.bytes, maxBytes: ctx.settings.uploads.fileBytes, nameOf });
    return { upload: await register(ctx, { record, kept, filename: input.filename }), deduplicated: kept.deduplicated };
  });
}

/** A session's uploads, oldest first. @throws the errors of `findSession` */
export async function uploads(ctx: Context, input: { readonly session: string }): Promise<readonly UploadEntry[]> {
  const record = await findSession(ctx, input.session);
  return (await ctx.uploadRegistry.of(record.id)).map((upload) => uploadEntry(ctx, { record, upload }));
}

/** One of them. `upload` is its reference or a prefix of its digest. @throws UPLOAD_NOT_FOUND, and the errors of `findSession` */
export async function oneUpload(ctx: Context, input: { readonly session: string; readonly upload: string }): Promise<UploadEntry> {
  const record = await findSession(ctx, input.session);
  return uploadEntry(ctx, { record, upload: await requireUpload(ctx, { record, wanted: input.upload }) });
}

/** Removes one file. `upload` is its reference or a prefix of its digest. @throws UPLOAD_NOT_FOUND, and the errors of `findSession` */
export async function discardUpload(ctx: Context, input: { readonly session: string; readonly upload: string }): Promise<UploadEntry> {
  const record = await findSession(ctx, input.session);
  const found = await requireUpload(ctx, { record, wanted: input.upload });
  await ctx.uploads.discard(uploadPlace(record), found.name);
  await ctx.uploadRegistry.strike(record.id, found.ref_id);
  return uploadEntry(ctx, { record, upload: found });
}

/** @throws UPLOAD_NOT_FOUND */
async function requireUpload(
  ctx: Pick<Context, "uploadRegistry">,
  { record, wanted }: { readonly record: SessionRecord; readonly wanted: string },
): Promise<RegisteredUpload> {
  const found = findUpload(await ctx.uploadRegistry.of(record.id), wanted);
  if (found !== undefined) return found;
  throw new TmpmError("UPLOAD_NOT_FOUND", `session ${record.name} has no upload ${JSON.stringify(wanted)}`, {
    hint: `\`tmpm uploads ${record.name}\` lists them.`,
    details: { session: record.id, upload: wanted },
  });
}

function findUpload(registered: readonly RegisteredUpload[], wanted: string): RegisteredUpload | undefined {
  const [first, second] = registered.filter(({ ref_id }) => ref_id === wanted || ref_id.startsWith(refOf(wanted)));
  return wanted === "" || second !== undefined ? undefined : first;
}

async function requireKeeping(ctx: Context, session: string): Promise<SessionRecord> {
  const record = await findSession(ctx, session);
  if (!FROM.includes(record.state)) throw invalidState(record, { verb: "upload to", allowed: FROM });
  return record;
}

/** Checked before the first byte, and again with the received size. */
async function requireRoom(
  ctx: Pick<Context, "settings" | "uploadRegistry">,
  { record, size }: { readonly record: SessionRecord; readonly size: number },
): Promise<void> {
  const { fileBytes, sessionBytes, sessionFiles } = ctx.settings.uploads;
  const registered = await ctx.uploadRegistry.of(record.id);
  const all = registered.reduce((sum, { size_bytes }) => sum + size_bytes, size);
  if (size > fileBytes) throw tooLarge(`a file may have at most ${fileBytes} bytes; this one has ${size}`, fileBytes);
  if (all > sessionBytes) throw tooLarge(`session ${record.name} keeps at most ${sessionBytes} bytes of files`, sessionBytes);
  if (registered.length >= sessionFiles) throw tooLarge(`session ${record.name} keeps at most ${sessionFiles} files`, sessionFiles);
}

function tooLarge(message: string, limit: number): TmpmError {
  return new TmpmError("UPLOAD_TOO_LARGE", message, {
    hint: "Put it where the agent can read it, and give its path in the prompt.",
    details: { limit },
  });
}

interface Registration {
  readonly record: SessionRecord;
  readonly kept: KeptUpload;
  readonly filename: string;
}

/** A session removed meanwhile keeps nothing, nor does one over its limits. */
async function register(ctx: Context, { record, kept, filename }: Registration): Promise<UploadEntry> {
  const ref_id = refOf(kept.digest);
  try {
    const now = await findSession(ctx, record.id);
    if (isTerminal(now)) throw invalidState(now, { verb: "upload to", allowed: FROM });
    const known = (await ctx.uploadRegistry.of(record.id)).some((registered) => registered.ref_id === ref_id);
    if (!known) await requireRoom(ctx, { record, size: kept.size });
    const upload = await ctx.uploadRegistry.add(record.id, {
      ref_id,
      name: kept.name,
      size_bytes: kept.size,
      filename: uploadDisplayName(filename),
      uploaded_at: timestampFromMs(ctx.clock.now()),
    });
    return uploadEntry(ctx, { record, upload });
  } catch (error) {
    if (!kept.deduplicated) await ctx.uploads.discard(uploadPlace(record), kept.name);
    throw error;
  }
}

function refOf(digest: string): string {
  return digest.startsWith("sha256:") ? digest : `sha256:${digest}`;
}
