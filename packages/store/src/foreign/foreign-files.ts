/** What was read of a file of another program, before a codec has seen it. Integers that no number holds are bigints (YAML) or lossless numbers (JSON). */
export type ForeignContent =
  | { readonly readable: true; readonly document: unknown }
  | { readonly readable: false; readonly reason: string };

export type ForeignDocument = ForeignContent & {
  /** The file's absolute path. */
  readonly source: string;
};

/** A session of ao-rs: the names of its folder and its file say what it has to hold. */
export type AoDocument = ForeignDocument & {
  readonly project_id: string;
  readonly id: string;
  readonly archived: boolean;
};

/** The files in which another program keeps its sessions. */
export type ForeignFiles =
  | { readonly from: "trusty-mpm"; readonly sessions: ForeignDocument }
  | { readonly from: "ao-rs"; readonly sessions: readonly AoDocument[]; readonly unreadable: readonly ForeignDocument[] }
  /** A row of `acp_sessions` each, with its rows of `acp_messages` as `messages`. */
  | { readonly from: "zeroclaw"; readonly sessions: readonly ForeignDocument[] }
  | { readonly from: "swimmers"; readonly registry: ForeignDocument; readonly thoughts: ForeignDocument | null };

export type ForeignProgram = ForeignFiles["from"];

/** What is written for another program; `file` is relative and made of plain names. */
export type ForeignExport =
  | { readonly to: "trusty-mpm"; readonly document: unknown }
  /** The sessions of `session_registry.json`, each with the thought that it holds. */
  | { readonly to: "swimmers"; readonly registry: readonly unknown[] }
  | { readonly to: "ao-rs"; readonly files: readonly { readonly file: string; readonly document: unknown }[] };
