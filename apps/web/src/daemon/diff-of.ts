import type { DiffAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";

export interface DiffWanted {
  readonly session: string;
  /** As many files at least, where there are as many: what was shown stays shown. */
  readonly files: number;
  readonly signal: AbortSignal;
}

/** A session's changes, in as many pages as it takes. */
export async function diffOf(client: Pick<Client, "diff">, { session, files: wanted, signal }: DiffWanted): Promise<DiffAnswer> {
  let diff = await client.diff({ session }, { signal });
  while (diff.next !== null && diff.files.length < wanted) {
    const page = await client.diff({ session, cursor: diff.next }, { signal });
    diff = { ...page, files: [...diff.files, ...page.files] };
  }
  return diff;
}
