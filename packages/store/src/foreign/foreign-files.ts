/** A file of another program before decoding. Integers beyond a number's range are bigints (YAML) or lossless numbers (JSON). */
export type ForeignContent =
  | { readonly readable: true; readonly document: unknown }
  | { readonly readable: false; readonly reason: string };

export type ForeignDocument = ForeignContent & {
  /** The file's absolute path. */
  readonly source: string;
};

/** A session of ao-rs, with the project and id from the names of its folder and file. */
export type AoDocument = ForeignDocument & {
  readonly project_id: string;
  readonly id: string;
  readonly archived: boolean;
};

/** The session files of another program. */
export type ForeignFiles =
  | { readonly from: "trusty-mpm"; readonly sessions: ForeignDocument }
  | { readonly from: "ao-rs"; readonly sessions: readonly AoDocument[]; readonly unreadable: readonly ForeignDocument[] }
  /** Rows of `acp_sessions`, each with its rows of `acp_messages` as `messages`. */
  | { readonly from: "zeroclaw"; readonly sessions: readonly ForeignDocument[] }
  | { readonly from: "swimmers"; readonly registry: ForeignDocument; readonly thoughts: ForeignDocument | null };

export type ForeignProgram = ForeignFiles["from"];

/** Files written for another program; `file` is relative and made of plain names. */
export type ForeignExport =
  | { readonly to: "trusty-mpm"; readonly document: unknown }
  /** The sessions of `session_registry.json`, each with its thought. */
  | { readonly to: "swimmers"; readonly registry: readonly unknown[] }
  | { readonly to: "ao-rs"; readonly files: readonly { readonly file: string; readonly document: unknown }[] };
