import type { TmpmError } from "@tmpm/core";

/** The reason of a refused request. */
export interface Refused {
  readonly error: TmpmError;
  /** Headers of the response in addition to `errorHeaders`. */
  readonly headers?: Readonly<Record<string, string>>;
}
