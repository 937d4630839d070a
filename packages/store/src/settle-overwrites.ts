import type { CopyFolder } from "./durable/copy-folder.js";
import type { ItemCodec } from "./session-item.js";
import type { SingleFileReader } from "./single-file-reader.js";

export interface OverwriteParts {
  readonly reader: SingleFileReader;
  readonly codec: ItemCodec;
  readonly copies: CopyFolder;
}

/**
 * Keeps both versions of each record that another program overwrote or removed, reports it, and accepts the other version. The caller holds
 * the file's lock, which covers file and copies.
 */
export async function settleOverwrites(settling: OverwriteParts): Promise<void> {
  const { reader, codec, copies } = settling;
  if (!suspicious(reader)) return;
  reader.forget();
  reader.reload();
  if (reader.health().state === "degraded") return;
  const { overwritten, gone } = reader.suspects();
  for (const item of overwritten) {
    if (item.copy === null) continue;
    await keep(settling, { id: item.id, ours: item.copy.text, theirs: item.text });
    await copies.write(item.id, { changed: [], text: codec.settled(item) });
  }
  for (const id of gone) {
    const copy = copies.read(id);
    if (copy !== null) await keep(settling, { id, ours: copy.text, theirs: null });
    await copies.remove(id);
  }
  reader.forget();
  reader.reload();
}

export function suspicious(reader: SingleFileReader): boolean {
  const { overwritten, gone } = reader.suspects();
  return overwritten.length + gone.length > 0;
}

async function keep({ reader, copies }: OverwriteParts, overwrite: Parameters<CopyFolder["keepConflict"]>[0]): Promise<void> {
  const conflict = await copies.keepConflict(overwrite);
  reader.catalog.listeners.notify({ type: "conflict", ...conflict });
}
