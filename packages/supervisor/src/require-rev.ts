import { type SessionRecord, TmpmError } from "@tmpm/core";

/** A condition of a change: the record must be unchanged since its caller read it. */
export interface AsSeen {
  readonly rev?: number | undefined;
}

/** @throws REV_CONFLICT with the record's current `rev` in its details */
export function requireRev(record: SessionRecord, { rev }: AsSeen): void {
  if (rev === undefined || rev === record.rev) return;
  throw new TmpmError("REV_CONFLICT", `session ${record.name} was changed meanwhile: its record is at ${record.rev}, not ${rev}`, {
    hint: "Read it again before you change it.",
    details: { id: record.id, rev: record.rev, expected: rev },
  });
}
