import * as z from "zod";
import { BadFrame } from "./frame.js";

/** The protocol versions that this tmpm supports, oldest and newest. */
export const PROTOCOL: VersionRange = [1, 1];

export type VersionRange = readonly [oldest: number, newest: number];

const Versions = z.tuple([z.int().positive(), z.int().positive()]);

/** The first frame of the client. Unknown fields are ignored, here and below. */
export const ClientHello = z.object({
  versions: Versions,
  tmpm: z.string().max(100),
  nonce: z.string().min(16).max(200),
});
export type ClientHello = z.infer<typeof ClientHello>;

/** The answer, and the node's first frame. */
export const NodeHello = z.object({
  versions: Versions,
  tmpm: z.string().max(100),
  node_id: z.string().regex(/^[0-9a-f]{32}$/),
  public_key: z.string().max(500),
  signature: z.string().max(500),
  host_name: z.string().max(255),
  user: z.string().max(255),
  /** The user's home folder on the node. */
  home: z.string().max(4096),
  /** The node's clock, in milliseconds since 1970. */
  clock_ms: z.number(),
  /** Capabilities beyond the first version. */
  capabilities: z.array(z.string().max(100)).max(100),
});
export type NodeHello = z.infer<typeof NodeHello>;

/** The reason why a node ends the link at once. */
export const Refusal = z.object({ refused: z.string().max(500), hint: z.string().max(500).optional() });

export const Beat = z.object({ at: z.number(), clock_ms: z.number().optional() });
export type Beat = z.infer<typeof Beat>;

/** The newest version that both support; null if there is none. */
export function agreedVersion(ours: VersionRange, theirs: VersionRange): number | null {
  const newest = Math.min(ours[1], theirs[1]);
  return newest >= Math.max(ours[0], theirs[0]) ? newest : null;
}

export function encode(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** @throws BadFrame */
export function decode<T>(schema: z.ZodType<T>, payload: Uint8Array): T {
  const read = schema.safeParse(json(payload));
  if (!read.success) throw new BadFrame(`a greeting that cannot be read (${read.error.issues[0]?.path.join(".") ?? ""})`);
  return read.data;
}

function json(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadFrame("a greeting that is not JSON");
    throw error;
  }
}
