import type { ChangedFile, DiffAnswer } from "@tmpm/api";
import type { Named } from "./state.js";

/** Data requested from a daemon, shown once it responds. */
export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "shown"; readonly value: T };

export interface Changes {
  readonly files: readonly ChangedFile[];
  readonly total: DiffAnswer["total"];
  readonly base: DiffAnswer["base"];
  /** Unreadable files. */
  readonly notes: readonly string[];
  /** Some files are missing, because there are too many. */
  readonly isCut: boolean;
}

/** The patch of one file, in lines as printed by git. */
export interface Hunks {
  readonly lines: readonly string[];
  /** Lines, or ends of lines, are missing. */
  readonly isCut: boolean;
}

/** Replacement for a tab in a patch. */
export const TAB = "    ";

/** The changed files of a session. */
export interface ChangesMode {
  readonly kind: "changes";
  readonly session: Named;
  readonly loaded: Loaded<Changes>;
  /** Index of the selected file. */
  readonly at: number;
}

/** The hunks of one file. */
export interface HunksMode {
  readonly kind: "hunks";
  /** The list to return to. */
  readonly list: ChangesMode;
  readonly file: ChangedFile;
  readonly loaded: Loaded<Hunks>;
  /** The first visible line, and the horizontal scroll offset, in cells. */
  readonly from: number;
  readonly column: number;
}
