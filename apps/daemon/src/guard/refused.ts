import type { TmpmError } from "@tmpm/core";

/** Why a request is refused. */
export interface Refused {
  readonly error: TmpmError;
  /** Headers of the answer besides those of `errorHeaders`. */
  readonly headers?: Readonly<Record<string, string>>;
}
