import { join } from "node:path";
import type { SessionRecord, UploadEntry } from "@tmpm/core";
import type { UploadPlace } from "@tmpm/workspace";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { workingDirectory } from "../launch/launch.js";
import type { RegisteredUpload } from "./upload-registry.js";

/** The place of a session's files: in its directory, which agents read without asking. */
export function uploadPlace(record: SessionRecord): UploadPlace {
  return { sessionId: record.id, directory: workingDirectory(record) };
}

/** An upload in a response. */
export function uploadEntry(
  ctx: Pick<Context, "agent" | "host" | "uploads">,
  { record, upload }: { readonly record: SessionRecord; readonly upload: RegisteredUpload },
): UploadEntry {
  const { name, ...rest } = upload;
  const path = join(ctx.uploads.folderOf(uploadPlace(record)), name);
  return { ...rest, marker: agentOf(ctx, record).mention?.(path) ?? path, workspace_path: path };
}
