import type { AuditAnswer } from "@tmpm/api";
import type { Finding } from "@tmpm/api/local";

/** Whether the chain is intact. An incomplete line after a power failure is reported, but is not an error. */
export async function auditChain(audit: () => Promise<AuditAnswer>): Promise<readonly Finding[]> {
  const name = "audit log";
  const checked = await audit().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  if (typeof checked === "string") return [{ name, status: "fail", message: `it cannot be read: ${checked}`, hint: null }];
  const [first] = checked.findings.filter(({ kind }) => kind === "damaged");
  if (first === undefined) return [{ name, status: "ok", message: `the chain of ${checked.checked} lines is intact`, hint: null }];
  const message = `${first.file}:${first.line}: ${first.what}`;
  return [{ name, status: "fail", message, hint: "It was edited, or the disk is faulty; `tmpm daemon audit` shows every position." }];
}
