/** How agents report, and the files for it. Without it nothing reports, and activity comes from screens only. */
export interface HookPort {
  /** The program that takes an event as JSON on its standard input, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The program that serves tmpm's tools on its standard input and output, for sessions with a grant; undefined without one. */
  readonly tools?: readonly [string, ...string[]];
  /** A fresh unguessable secret. */
  readonly newToken: () => string;
  /** A private folder for the files of one session's launch, absolute. */
  folder(sessionId: string): string;
  /** Replaces the files of the session's last launch. `token_sha256` is stored with the files, as the only trace of the token. */
  write(sessionId: string, launch: HookFiles): Promise<void>;
  /** The digest of the newest launch's token; null without one. */
  tokenDigest(sessionId: string): Promise<string | null>;
  /** Idempotent. */
  remove(sessionId: string): Promise<void>;
}

export interface HookFiles {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly token_sha256: string;
}
