/** Where agents report to, and what has to lie on the disk for it. Without it nothing reports, and screens alone are believed. */
export interface HookPort {
  /** The program that takes an event as JSON on its standard input, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The program that serves tmpm's tools on its standard input and output, for sessions with a grant; absent where there is none. */
  readonly tools?: readonly [string, ...string[]];
  /** A fresh unguessable secret. */
  readonly newToken: () => string;
  /** A private folder for the files of one session's launch, absolute. */
  folder(sessionId: string): string;
  /** Replaces what the session's last launch had. `token_sha256` is kept with the files, as the only trace of the token. */
  write(sessionId: string, launch: HookFiles): Promise<void>;
  /** The digest of the newest launch's token; null when there is none. */
  tokenDigest(sessionId: string): Promise<string | null>;
  /** Idempotent. */
  remove(sessionId: string): Promise<void>;
}

export interface HookFiles {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly token_sha256: string;
}
