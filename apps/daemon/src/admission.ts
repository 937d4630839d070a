import { randomBytes, randomUUID } from "node:crypto";
import { TmpmError } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import type { AuditLog } from "./audit/audit-log.js";
import { type RequestAudit, requestAudit } from "./audit/audit-requests.js";
import { checkAudit } from "./audit/check-audit.js";
import type { TcpEntrance } from "./guard/entrance.js";
import { type Guard, type GuardOptions, guard } from "./guard/guard.js";
import type { Ledger } from "./push/ledger.js";
import { type Push, push } from "./push/push.js";
import type { Subscription, VapidKeys } from "./push/push-service.js";
import { type Access, access } from "./routes/access.js";
import { logins } from "./tokens/logins.js";
import { digestOf, sameDigest } from "./tokens/secret.js";
import type { Token } from "./tokens/token.js";
import { tokens } from "./tokens/tokens.js";

export interface AdmissionOptions {
  readonly version: string;
  readonly tokenStore: DocumentStore<Token>;
  readonly pushStores: {
    readonly subscriptions: DocumentStore<Subscription>;
    readonly keys: DocumentStore<VapidKeys>;
    readonly ledger: DocumentStore<Ledger>;
  };
  /** The digest of a session's launch token; null without one. */
  readonly sessionDigest: (sessionId: string) => Promise<string | null>;
  /** Whether a session's agent may report. @throws TOKEN_REFUSED */
  readonly authoriseReport: GuardOptions["authoriseReport"];
  readonly audit: { readonly dir: string; readonly log: AuditLog };
  /** The address for browsers; null when the daemon listens on the socket only. */
  readonly entrance: () => TcpEntrance | null;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** Authentication, its administration, and its audit log. */
export interface Admission {
  readonly guard: Guard;
  readonly access: Access;
  readonly requests: RequestAudit;
  readonly push: Push;
}

export async function admission(options: AdmissionOptions): Promise<Admission> {
  const { version, sessionDigest, audit, entrance, report } = options;
  const clock = Date.now;
  const now = () => performance.now();
  const known = await tokens({ documents: options.tokenStore, clock, newId: randomUUID, randomBytes, report });
  const requests = requestAudit({ log: audit.log, now });
  const keeper = guard({
    version,
    tokens: known,
    async opensSession(sessionId, secret) {
      const digest = await sessionDigest(sessionId);
      return digest !== null && sameDigest(digest, digestOf(secret));
    },
    authoriseReport: options.authoriseReport,
    newId: randomUUID,
    now,
    refused: requests.refused,
  });
  const toDevices = await push({
    subscriptions: options.pushStores.subscriptions,
    keyStore: options.pushStores.keys,
    ledgerStore: options.pushStores.ledger,
    device: (id) => known.list().find((token) => token.id === id && token.kind === "login") ?? null,
    clock,
    report,
  });
  const routes = access({
    push: toDevices,
    tokens: known,
    connections: keeper.connections,
    logins: logins({ tokens: known, guard: keeper, entrance, clock, randomBytes }),
    async audit({ limit }) {
      const failure = audit.log.failure();
      if (failure !== null) throw new TmpmError("STORE_DEGRADED", failure.message);
      return checkAudit(audit.dir, { limit });
    },
  });
  return { guard: keeper, access: routes, requests, push: toDevices };
}
