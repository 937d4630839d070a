import { join } from "node:path";
import * as z from "zod";
import { readPrivate, writePrivate } from "../files/private-file.js";

/** The file in a workspace's git folder that names its owner; it never appears in a work tree. */
const MARKER = "tmpm-workspace.json";

/** Session, nonce and place must agree with the record, so that a copied or moved marker is invalid. */
export const Marker = z.object({
  schema_version: z.literal(1),
  session_id: z.string(),
  nonce: z.string(),
  path: z.string(),
  device: z.string(),
  inode: z.string(),
  /** Commits of a clone that no branch of its remote contains, but the remote does. */
  known: z.array(z.string().regex(/^[0-9a-f]{40,64}$/)),
});
export type Marker = z.infer<typeof Marker>;

export type MarkerFound = { readonly kind: "found"; readonly marker: Marker } | { readonly kind: "none"; readonly reason: string };

export function markerPath(gitDir: string): string {
  return join(gitDir, MARKER);
}

export function writeMarker(gitDir: string, marker: Marker): Promise<void> {
  return writePrivate(markerPath(gitDir), `${JSON.stringify(marker)}\n`);
}

export async function readMarker(gitDir: string): Promise<MarkerFound> {
  const file = await readPrivate(markerPath(gitDir));
  if (file.kind !== "read") return { kind: "none", reason: file.kind === "missing" ? "it is missing" : file.reason };
  const parsed = Marker.safeParse(jsonOf(file.text));
  return parsed.success ? { kind: "found", marker: parsed.data } : { kind: "none", reason: "it is malformed" };
}

/** Null for text that is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
