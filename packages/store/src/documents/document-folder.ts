import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasErrno, keyedQueue, MOST_DOCUMENT_BYTES, TmpmError } from "@tmpm/core";
import { makeFolders, removeDurably } from "../durable/durable-folder.js";
import { statOf } from "../durable/file-identity.js";
import { readBounded } from "../durable/read-bounded.js";
import { storeFailure } from "../durable/store-failure.js";
import { nodeWriteCalls, type WriteCalls, writeDurably } from "../durable/write-durably.js";
import type { DamagedDocument, DocumentStore } from "./document-store.js";

export interface DocumentFolderOptions<T> {
  readonly dir: string;
  /** The document in a parsed value; null when invalid. */
  readonly decode: (value: unknown) => T | null;
  readonly calls?: WriteCalls;
  /** The largest document that is written or read, in bytes. */
  readonly maxBytes?: number;
}

const SUFFIX = ".json";

type Found<T> = { readonly kind: "document"; readonly key: string; readonly document: T } | Unusable;

interface Unusable extends DamagedDocument {
  /** `malformed`: not a document at all, so nothing is lost with it. */
  readonly kind: "unreadable" | "malformed" | "not_understood";
}

/** Keeps each document in its own file, mode 0600, named after a digest of the key, which may be any text. */
export function documentFolder<T>({
  dir,
  decode,
  calls = nodeWriteCalls,
  maxBytes = MOST_DOCUMENT_BYTES,
}: DocumentFolderOptions<T>): DocumentStore<T> {
  const queue = keyedQueue();
  /** Files last read or written as documents of this kind. One process at a time writes to the folder. */
  const sound = new Set<string>();

  function pathOf(key: string): string {
    return join(dir, createHash("sha256").update(key).digest("hex").slice(0, 32) + SUFFIX);
  }

  function read(path: string): Found<T> | null {
    const content = readBounded(path, { maxBytes });
    if (content.kind === "absent") return null;
    if (content.kind === "unreadable") return { kind: "unreadable", path, reason: content.reason };
    const found = parse(content.text);
    if (found === null || pathOf(found.key) !== path) return { kind: "malformed", path, reason: "not a document under its key" };
    const document = decode(found.document);
    if (document === null) return { kind: "not_understood", path, reason: "not a document of this kind" };
    sound.add(path);
    return { kind: "document", key: found.key, document };
  }

  /** A document of a newer version would be lost. @throws RECORD_UNSUPPORTED; STORE_DEGRADED when it is unreadable */
  function refuseToReplace(path: string): void {
    if (sound.has(path)) return;
    const found = read(path);
    if (found?.kind === "not_understood" || found?.kind === "unreadable") throw unusable(found, "is not replaced");
  }

  return {
    async all() {
      const found = namesIn(dir).flatMap((name) => read(join(dir, name)) ?? []);
      return {
        documents: new Map(found.flatMap((one) => (one.kind === "document" ? [[one.key, one.document] as const] : []))),
        damaged: found.flatMap((one) => (one.kind === "document" ? [] : [{ path: one.path, reason: one.reason }])),
      };
    },
    get: (key) =>
      queue.run(key, async () => {
        const found = read(pathOf(key));
        if (found === null || found.kind === "document") return found?.document ?? null;
        throw unusable(found, "cannot be used");
      }),
    put: (key, document) =>
      queue.run(key, async () => {
        const text = JSON.stringify({ key, document });
        // A larger one could not be read again.
        if (Buffer.byteLength(text) > maxBytes)
          throw new TmpmError("STORE_DEGRADED", `a document of more than ${maxBytes} bytes cannot be stored in ${dir}`, {
            effect: "none",
            details: { path: pathOf(key) },
          });
        refuseToReplace(pathOf(key));
        await makeFolders(dir, calls);
        await writeDurably(pathOf(key), { calls, text });
        sound.add(pathOf(key));
      }),
    delete: (key) =>
      queue.run(key, async () => {
        sound.delete(pathOf(key));
        if (statOf(pathOf(key)) !== null) await removeDurably(pathOf(key), calls);
      }),
  };
}

function unusable({ kind, path, reason }: Unusable, what: "is not replaced" | "cannot be used"): TmpmError {
  const details = { path };
  if (kind !== "not_understood") return new TmpmError("STORE_DEGRADED", `${path} ${what}: ${reason}`, { effect: "none", details });
  return new TmpmError("RECORD_UNSUPPORTED", `${path} ${what}: it is damaged, or of a newer tmpm`, { effect: "none", details });
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(SUFFIX) && !name.startsWith("."));
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return [];
    throw storeFailure(error, { doing: "cannot read the folder", path: dir });
  }
}

function parse(text: string): { readonly key: string; readonly document: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("key" in value) || typeof value.key !== "string") return null;
    return { key: value.key, document: "document" in value ? value.document : null };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
