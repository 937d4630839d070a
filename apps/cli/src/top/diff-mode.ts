import type { ChangedFile, DiffAnswer } from "@tmpm/api";
import type { Named } from "./state.js";

/** What is asked of a daemon, and shown once it answers. */
export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "shown"; readonly value: T };

export interface Changes {
  readonly files: readonly ChangedFile[];
  readonly total: DiffAnswer["total"];
  readonly base: DiffAnswer["base"];
  /** What could not be read. */
  readonly notes: readonly string[];
  /** Some files are missing: there are too many. */
  readonly isCut: boolean;
}

/** The patch of one file, in lines as git prints them. */
export interface Hunks {
  readonly lines: readonly string[];
  /** Lines, or ends of lines, are missing. */
  readonly isCut: boolean;
}

/** A tab of a patch, as shown. */
export const TAB = "    ";

/** The files that a session changed. */
export interface ChangesMode {
  readonly kind: "changes";
  readonly session: Named;
  readonly loaded: Loaded<Changes>;
  /** The number of the selected file. */
  readonly at: number;
}

/** The hunks of one of them. */
export interface HunksMode {
  readonly kind: "hunks";
  /** What is returned to. */
  readonly list: ChangesMode;
  readonly file: ChangedFile;
  readonly loaded: Loaded<Hunks>;
  /** The first visible line, and how far lines are moved to the left, in cells. */
  readonly from: number;
  readonly column: number;
}
