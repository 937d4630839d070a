import { closeSync, constants, createReadStream, fstatSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import type { AuditAnswer, AuditEntryAnswer, AuditFinding } from "@tmpm/api";
import { openOwnFile, unsafeFile } from "@tmpm/api/local";
import { type ChainedEntry, digest, readLine } from "./audit-chain.js";
import { auditFiles } from "./audit-files.js";

/** Maximum number of findings reported. */
const MAX_FINDINGS = 20;
/** Several times the size of a full file. */
const MOST_BYTES = 64 * 1024 * 1024;

interface Seen {
  readonly line: string;
  readonly entry: ChainedEntry | null;
  readonly file: string;
  readonly number: number;
}

/** Verifies the whole stored chain and returns its newest entries. After older files were removed, the first line is trusted. */
export async function checkAudit(dir: string, { limit }: { readonly limit: number }): Promise<AuditAnswer> {
  const findings: AuditFinding[] = [];
  const newest: AuditEntryAnswer[] = [];
  let before: Seen | null = null;
  let lastSeq: number | null = null;
  let checked = 0;
  for await (const seen of linesOf(dir)) {
    const what = faultOf(seen, { before, lastSeq });
    const torn = before !== null && before.entry === null && seen.entry?.torn === true;
    if (torn && before !== null) replaceLast(findings, { ...place(before), kind: "torn", what: "cut off while it was written" });
    if (what !== null && findings.length < MAX_FINDINGS) findings.push({ ...place(seen), kind: "damaged", what });
    if (seen.entry !== null) {
      lastSeq = seen.entry.seq;
      newest.push(seen.entry.value as AuditEntryAnswer);
      if (newest.length > limit) newest.shift();
    }
    before = seen;
    checked += 1;
  }
  return { entries: newest, checked, findings, next: null };
}

function faultOf(
  { line, entry }: Seen,
  { before, lastSeq }: { readonly before: Seen | null; readonly lastSeq: number | null },
): string | null {
  if (entry === null) return line.endsWith("}") ? "modified after it was written" : "an incomplete entry";
  if (before !== null && entry.prev !== digest(before.line)) return "does not follow the previous line";
  if (lastSeq !== null && entry.seq !== lastSeq + 1) return `entry ${entry.seq} follows entry ${lastSeq}`;
  return null;
}

function place({ file, number }: Seen): Pick<AuditFinding, "file" | "line"> {
  return { file: basename(file), line: number };
}

function replaceLast(findings: AuditFinding[], finding: AuditFinding): void {
  if (findings.at(-1)?.file === finding.file && findings.at(-1)?.line === finding.line) findings.pop();
  findings.push(finding);
}

async function* linesOf(dir: string): AsyncGenerator<Seen> {
  for (const file of auditFiles(dir)) {
    const input = createReadStream(file, { fd: opened(file), encoding: "latin1" });
    let number = 0;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      yield { line, entry: readLine(line), file, number };
    }
  }
}

/** @throws UNSAFE_PATH */
function opened(file: string): number {
  const fd = openOwnFile(file, constants.O_RDONLY);
  if (fstatSync(fd).size <= MOST_BYTES) return fd;
  closeSync(fd);
  throw unsafeFile(file, `is larger than ${MOST_BYTES} bytes, more than any audit log file`);
}
