import type { TmpmError } from "@tmpm/core";

/** Why a request is not let in. */
export interface Refused {
  readonly error: TmpmError;
  /** What the answer has beside the envelope and what `errorHeaders` adds. */
  readonly headers?: Readonly<Record<string, string>>;
}
