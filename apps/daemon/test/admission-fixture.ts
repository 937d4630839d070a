import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { onTestFinished as whenTestFinished } from "vitest";
import { type AdmissionOptions, admission } from "../src/admission.js";
import { auditLog } from "../src/audit/audit-log.js";
import { digestOf, sameDigest } from "../src/tokens/secret.js";

/** Authentication and authorization, with tokens in memory and a separate audit log. */
export async function openAdmission({
  onTestFinished = whenTestFinished,
  sessionDigest = async () => null,
  ...options
}: Partial<AdmissionOptions> & { readonly onTestFinished?: typeof whenTestFinished } = {}) {
  const dir = join(mkdtempSync(join(tmpdir(), "tmpm-audit-")), "audit");
  onTestFinished(() => rmSync(join(dir, ".."), { recursive: true, force: true }));
  const faults: unknown[] = [];
  const report = (fault: unknown) => void faults.push(fault);
  const log = auditLog({ dir, clock: Date.now, report });
  onTestFinished(() => log.close());
  const opened = await admission({
    version: "1.2.3",
    tokenStore: memoryDocuments(),
    pushStores: { subscriptions: memoryDocuments(), keys: memoryDocuments(), ledger: memoryDocuments() },
    sessionDigest,
    async authoriseReport({ session, token }) {
      const digest = await sessionDigest(session);
      if (token === null || digest === null || !sameDigest(digest, digestOf(token))) throw new TmpmError("TOKEN_REFUSED", "refused");
    },
    audit: { dir, log },
    entrance: () => null,
    report,
    ...options,
  });
  return { ...opened, dir, log, faults };
}
