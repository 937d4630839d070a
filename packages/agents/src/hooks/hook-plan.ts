export interface HookRequest {
  /** The program that takes an event as JSON on its standard input, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** A private folder of this session, absolute, where `files` go. */
  readonly folder: string;
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What makes one session of an agent report its events: files to write (mode 0600) before it starts, arguments and environment to add. */
export interface HookPlan {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
