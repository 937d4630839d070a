/** Values known only to the daemon or the configuration. */
export type LiveKind =
  | "sessions"
  | "agents"
  | "projects"
  | "owners"
  | "turns"
  | "groups"
  | "waiting_turns"
  | "sends"
  | "uploads"
  | "decisions"
  | "choices"
  | "discovered"
  | "tokens"
  | "devices"
  | "nodes"
  | "profiles"
  | "settings"
  | "set_settings"
  | "setting_values";

/** Values at a position of a command line. */
export type Completions =
  /** `several`: comma-separated. */
  | { readonly kind: "words"; readonly words: readonly string[]; readonly several?: true }
  | { readonly kind: LiveKind | "verbs" | "answers" }
  | { readonly kind: "files" | "directories" }
  | { readonly kind: "anything" };

/** By the arguments before it, if its values depend on them. */
export type Completes = Completions | ((positionals: readonly string[]) => Completions);

export const NO_VALUES: Completions = { kind: "words", words: [] };
