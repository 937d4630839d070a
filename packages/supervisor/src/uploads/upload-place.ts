import { join } from "node:path";
import type { AgentAdapter } from "@tmpm/agents";
import type { SessionRecord, UploadEntry } from "@tmpm/core";
import type { UploadPlace } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { workingDirectory } from "../launch/launch.js";
import type { BookedUpload } from "./upload-book.js";

/** Where the files of a session lie: in its directory, since agents read there without asking. */
export function uploadPlace(ctx: Pick<Context, "agent">, record: SessionRecord): UploadPlace {
  return { sessionId: record.id, directory: ctx.agent(record.agent).readsIgnored === false ? null : workingDirectory(record) };
}

/** The folder that a launch is told of, made by then; undefined for an agent that needs none. */
export async function uploadsDirFor(
  ctx: Context,
  { adapter, sessionId }: { readonly adapter: AgentAdapter; readonly sessionId: string },
): Promise<string | undefined> {
  if (adapter.readsIgnored !== false) return undefined;
  const place = { sessionId, directory: null };
  await ctx.uploads.prepare(place);
  return ctx.uploads.folderOf(place);
}

/** An upload as it is answered. */
export function uploadEntry(
  ctx: Context,
  { record, upload }: { readonly record: SessionRecord; readonly upload: BookedUpload },
): UploadEntry {
  const { name, ...rest } = upload;
  const path = join(ctx.uploads.folderOf(uploadPlace(ctx, record)), name);
  return { ...rest, marker: ctx.agent(record.agent).mention?.(path) ?? path, workspace_path: path };
}
