/** An agent program by its display name (swimmers 5). `id` is the adapter's; the limit is in tokens. */
export interface KnownAgent {
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly contextLimit: number;
}

/** In search order for titles. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  { id: "claude", title: "Claude Code", aliases: ["claude", "claude-code", "claude_code"], contextLimit: 200_000 },
  { id: "codex", title: "Codex", aliases: ["codex", "codex-cli", "codex_cli"], contextLimit: 192_000 },
  { id: "grok", title: "Grok", aliases: ["grok", "grok-cli", "grok_cli"], contextLimit: 128_000 },
  { id: "aider", title: "Aider", aliases: ["aider"], contextLimit: 128_000 },
  { id: "goose", title: "Goose", aliases: ["goose"], contextLimit: 200_000 },
  { id: "cline", title: "Cline", aliases: ["cline"], contextLimit: 200_000 },
  { id: "amp", title: "Amp", aliases: ["amp"], contextLimit: 200_000 },
  { id: "opencode", title: "OpenCode", aliases: ["opencode", "open-code", "open_code"], contextLimit: 128_000 },
  { id: "cursor", title: "Cursor", aliases: ["cursor"], contextLimit: 200_000 },
];

/** The default context limit, in tokens. */
export const DEFAULT_CONTEXT_LIMIT = 128_000;

/** Short or common names, which may be in a title by chance, are not searched there. */
const IN_TITLES: ReadonlySet<string> = new Set(["claude", "codex", "grok", "aider", "goose", "cline"]);

const BY_ALIAS = new Map(KNOWN_AGENTS.flatMap((agent) => agent.aliases.map((alias) => [alias, agent] as const)));

/** The adapter's id for an id, an alias or a display name, in any case; any other text is returned as an id. */
export function agentIdFrom(text: string): string {
  const wanted = text.trim();
  const lower = wanted.toLowerCase();
  const known = BY_ALIAS.get(lower) ?? KNOWN_AGENTS.find(({ title }) => title.toLowerCase() === lower);
  return known?.id ?? wanted;
}

/** The agent that a command line starts: its first word that names one, without path, quotes and login dash; null when none does. */
export function agentFromCommand(commandLine: string): KnownAgent | null {
  for (const word of commandLine.split(/\s+/u)) {
    const known = BY_ALIAS.get(programWord(word));
    if (known !== undefined) return known;
  }
  return null;
}

/** The agent that a terminal's title names. */
export function agentFromTitle(title: string): KnownAgent | null {
  const lower = title.toLowerCase();
  return KNOWN_AGENTS.find(({ id }) => IN_TITLES.has(id) && lower.includes(id)) ?? null;
}

/** The agent's context size in tokens, by id, alias or display name. A reported count above 0 takes precedence. */
export function contextLimitOf(agent: string | null, reported = 0): number {
  if (reported > 0) return reported;
  const id = agent === null ? null : agentIdFrom(agent);
  return KNOWN_AGENTS.find((known) => known.id === id)?.contextLimit ?? DEFAULT_CONTEXT_LIMIT;
}

const QUOTES = "[\"'`,;:()\\[\\]{}]";
const TRIMMED = new RegExp(`^${QUOTES}+|${QUOTES}+$`, "gu");

function programWord(word: string): string {
  const bare = word.replace(TRIMMED, "");
  return bare
    .slice(bare.lastIndexOf("/") + 1)
    .replace(/^-+/, "")
    .toLowerCase();
}
