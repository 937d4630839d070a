import { AuthorizationError, connect, type NatsConnection, PermissionViolationError } from "@nats-io/transport-node";
import type { NodeIdentity } from "../identity.js";
import type { WireEnd } from "../wire.js";
import { type Nkey, nkeyOf } from "./nkey.js";

export interface NatsAccess {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`; several of one cluster, comma-separated. */
  readonly url: string;
  readonly identity: NodeIdentity;
  /** Shown in the server's list of connections. */
  readonly name: string;
}

const PING_MS = 15_000;
const CONNECT_MS = 10_000;
/** The maximum size of a link's message, with some reserve. */
const LEAST_PAYLOAD = 128 * 1024;

/**
 * A connection without automatic reconnection: messages in transit are lost when it breaks, and links have to detect that. @throws
 * WireFault
 */
export async function natsConnection({ url, identity, name }: NatsAccess): Promise<NatsConnection> {
  const nkey = nkeyOf(identity);
  const connection = await connected({ url, nkey, name });
  const most = connection.info?.max_payload ?? 0;
  if (most >= LEAST_PAYLOAD) return connection;
  await connection.close();
  throw new WireFault({
    reason: `the NATS server accepts messages of at most ${most} bytes`,
    hint: `Set max_payload to ${LEAST_PAYLOAD} or more.`,
  });
}

/** The reason why there is no connection. */
export class WireFault extends Error {
  override readonly name = "WireFault";
  readonly end: WireEnd;
  constructor(end: WireEnd) {
    super(end.reason);
    this.end = end;
  }
}

async function connected({ url, nkey, name }: { readonly url: string; readonly nkey: Nkey; readonly name: string }) {
  try {
    return await connect({
      servers: url.split(","),
      name,
      reconnect: false,
      timeout: CONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
      ignoreClusterUpdates: true,
      authenticator: (challenge) => ({ nkey: nkey.public_key, sig: challenge === undefined ? "" : nkey.sign(challenge) }),
      ...(url.includes("tls://") ? { tls: {} } : {}),
    });
  } catch (error) {
    throw new WireFault(connectEnd(error, { url, key: nkey.public_key }));
  }
}

function connectEnd(error: unknown, { url, key }: { readonly url: string; readonly key: string }): WireEnd {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AuthorizationError)
    return {
      reason: `the NATS server at ${url} refuses this machine's key`,
      hint: `Add ${key} to the users of its configuration; see docs/fleet.md.`,
    };
  return { reason: `the NATS server at ${url} cannot be reached: ${message}` };
}

/** Meaning of a subscription's failure. */
export function subscriptionEnd(error: Error): WireEnd {
  if (!(error instanceof PermissionViolationError)) return { reason: `the NATS subscription failed: ${error.message}` };
  return {
    reason: `the NATS server does not permit this machine to ${error.operation === "publish" ? "publish" : "subscribe"} to ${error.subject}`,
    hint: "The names in the server's permissions must be those of this machine and of the node; see docs/fleet.md.",
  };
}

/** The reason why a connection ended. */
export function closedEnd(error: undefined | Error): WireEnd {
  return { reason: `the connection to the NATS server ended${error instanceof Error ? `: ${error.message}` : ""}` };
}

/** Messages that the server refused to deliver. */
export async function watchRefusals(connection: NatsConnection, refused: (subject: string, end: WireEnd) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type !== "error" || !(status.error instanceof PermissionViolationError)) continue;
    refused(status.error.subject, subscriptionEnd(status.error));
  }
}

/** The server found no responder on the subject: status 503 and no data. */
export function hasNoResponder({
  data,
  headers,
}: {
  readonly data: Uint8Array;
  readonly headers?: { readonly code: number } | undefined;
}): boolean {
  return data.length === 0 && headers?.code === 503;
}
