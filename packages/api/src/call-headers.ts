import { VERSION_HEADER } from "./paths.js";

/** What a call asks beside its input. */
export interface Asking {
  /** For what changes something: the same key with the same input is the same call, for a day, also after a lost answer. */
  readonly key?: string;
  /** For what changes a session: its `rev` as the caller saw it. @throws REV_CONFLICT when it has another by now, with nothing done */
  readonly rev?: number;
}

export function callHeaders({ version, key, rev }: Asking & { readonly version: string | undefined }): Readonly<Record<string, string>> {
  return {
    ...(version === undefined ? {} : { [VERSION_HEADER]: version }),
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
    ...(rev === undefined ? {} : { "If-Match": `"${rev}"` }),
  };
}
