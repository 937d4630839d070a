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
/** The largest message of a link, and a little more. */
const LEAST_PAYLOAD = 128 * 1024;

/** A connection that is not made again by itself: what was under way when it broke is lost, and links have to know. @throws WireFault */
export async function natsConnection({ url, identity, name }: NatsAccess): Promise<NatsConnection> {
  const nkey = nkeyOf(identity);
  const connection = await connected({ url, nkey, name });
  const most = connection.info?.max_payload ?? 0;
  if (most >= LEAST_PAYLOAD) return connection;
  await connection.close();
  throw new WireFault({
    reason: `the NATS server takes messages of ${most} bytes at most`,
    hint: `Set max_payload to ${LEAST_PAYLOAD} or more.`,
  });
}

/** Why there is no connection, in words. */
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

/** What a subscription's failure means. */
export function subscriptionEnd(error: Error): WireEnd {
  if (!(error instanceof PermissionViolationError)) return { reason: `the NATS subscription failed: ${error.message}` };
  return {
    reason: `the NATS server does not permit this machine to ${error.operation === "publish" ? "publish" : "subscribe"} to ${error.subject}`,
    hint: "The names in the server's permissions have to be those of this machine and of the node; see docs/fleet.md.",
  };
}

/** Why a connection ended. */
export function closedEnd(error: undefined | Error): WireEnd {
  return { reason: `the connection to the NATS server ended${error instanceof Error ? `: ${error.message}` : ""}` };
}

/** What the server refused to pass on. */
export async function watchRefusals(connection: NatsConnection, refused: (subject: string, end: WireEnd) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type !== "error" || !(status.error instanceof PermissionViolationError)) continue;
    refused(status.error.subject, subscriptionEnd(status.error));
  }
}

/** There are no responders on its subject. */
export function isNobody({
  data,
  headers,
}: {
  readonly data: Uint8Array;
  readonly headers?: { readonly code: number } | undefined;
}): boolean {
  return data.length === 0 && headers?.code === 503;
}
