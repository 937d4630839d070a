import { VERSION_HEADER } from "./headers.js";

/** Options of a call, sent as headers. */
export interface HeaderOptions {
  /** For routes that change something: within a day, the same key with the same input is the same call, also after a lost response. */
  readonly key?: string;
  /** For routes that change a session: the `rev` that the caller saw. @throws REV_CONFLICT, without any effect, if it has changed since */
  readonly rev?: number;
}

export function callHeaders({
  version,
  key,
  rev,
}: HeaderOptions & { readonly version: string | undefined }): Readonly<Record<string, string>> {
  return {
    ...(version === undefined ? {} : { [VERSION_HEADER]: version }),
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
    ...(rev === undefined ? {} : { "If-Match": `"${rev}"` }),
  };
}
