import * as z from "zod";

/** The first byte of a message: the kind of the rest. An unlisted kind belongs to a later version, and is skipped. */
export const KIND = { open: 1, ready: 2, frames: 3, end: 4 } as const;

/** The acceptor of a link, and the subject for its frames. */
export const Ready = z.object({ instance: z.string().regex(/^[0-9a-z]{1,32}$/), host_name: z.string().max(255) });
export type Ready = z.infer<typeof Ready>;

export function message(kind: number, rest: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(1 + rest.length);
  bytes[0] = kind;
  bytes.set(rest, 1);
  return bytes;
}

export function readyMessage(ready: Ready): Uint8Array {
  return message(KIND.ready, new TextEncoder().encode(JSON.stringify(ready)));
}

/** Null for anything else. */
export function readReady(rest: Uint8Array): Ready | null {
  try {
    return Ready.safeParse(JSON.parse(new TextDecoder().decode(rest))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function endMessage(reason: string): Uint8Array {
  return message(KIND.end, new TextEncoder().encode(reason.slice(0, 500)));
}

export function readEnd(rest: Uint8Array): string {
  return new TextDecoder().decode(rest) || "the connection ended";
}
