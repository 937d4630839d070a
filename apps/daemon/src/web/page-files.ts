import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { hasErrno } from "@tmpm/core";

/** A served file of the dashboard. */
export interface PageFile {
  /** Path below the page's own address, without a leading slash: `assets/main-x1.js`; empty for the page itself. */
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** Null if compression saves nothing. Made on first use, because most daemons never serve the page. */
  readonly gzipped: () => Buffer | null;
  /** Its name changes with its content, so it may be cached indefinitely. */
  readonly isHashed: boolean;
  readonly etag: string;
}

const INDEX = "index.html";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** Already compressed. */
const PACKED: ReadonlySet<string> = new Set([".png", ".webp", ".woff2"]);

/**
 * The files of the built dashboard, read once: other paths are not served, so request paths never reach the file system. Files of unknown
 * types are omitted. Empty if the folder or its page does not exist.
 */
export function pageFiles(dir: string): readonly PageFile[] {
  const files = namesIn(dir).flatMap((path) => readFile(dir, path) ?? []);
  return files.some(({ path }) => path === "") ? files : [];
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .sort();
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

function readFile(dir: string, path: string): PageFile | null {
  const extension = extname(path);
  const type = TYPES[extension];
  if (type === undefined || !/^[\w./-]+$/.test(path)) return null;
  const bytes = readFileSync(join(dir, path));
  return {
    path: path === INDEX ? "" : path,
    type,
    bytes,
    gzipped: PACKED.has(extension) ? () => null : once(() => gzippedOf(bytes)),
    isHashed: path.startsWith("assets/"),
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
  };
}

function gzippedOf(bytes: Buffer): Buffer | null {
  const packed = gzipSync(bytes, { level: 9 });
  return packed.length < bytes.length ? packed : null;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
