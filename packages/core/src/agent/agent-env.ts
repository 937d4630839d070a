type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of one login of the user, which differ at the next: tmux's `update-environment`, and later additions. */
const OF_A_LOGIN = [
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "SSH_ASKPASS",
  "SSH_CONNECTION",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "DBUS_SESSION_BUS_ADDRESS",
  "KRB5CCNAME",
  "GNUPGHOME",
];

/** Used by any program; `*` matches the rest of a name. */
const COMMON = [
  ...OF_A_LOGIN,
  "COLORTERM",
  "EDITOR",
  "VISUAL",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

const CLOUDS = ["AWS_*", "GOOGLE_*", "CLOUD_ML_REGION", "AZURE_*"];

/** An agent's program, and the variables that it reads: its keys, the address of its model, and its switches. */
interface AgentProgram {
  readonly program: string;
  readonly env: readonly string[];
}

const BY_AGENT: Readonly<Record<string, AgentProgram>> = {
  claude: {
    program: "claude",
    env: ["ANTHROPIC_*", "CLAUDE_*", "DISABLE_*", "MAX_THINKING_TOKENS", "MCP_*", "VERTEX_*", "IS_SANDBOX", ...CLOUDS],
  },
  codex: { program: "codex", env: ["OPENAI_*", "CODEX_*", "AZURE_*"] },
  gemini: { program: "gemini", env: ["GEMINI_*", "GOOGLE_*"] },
  opencode: { program: "opencode", env: ["OPENCODE_*", "*_API_KEY", "*_BASE_URL", ...CLOUDS] },
  copilot: { program: "copilot", env: ["COPILOT_*", "GITHUB_TOKEN", "GH_TOKEN", "GH_HOST"] },
  qwen: { program: "qwen", env: ["QWEN_*", "OPENAI_*", "DASHSCOPE_*", "*_API_KEY"] },
  pi: { program: "pi", env: ["PI_*", "*_API_KEY", "*_BASE_URL", ...CLOUDS] },
  continue: { program: "cn", env: ["CONTINUE_*", "*_API_KEY", "*_BASE_URL", ...CLOUDS] },
};

/** The ids of the built-in agents, by the names of their programs. */
export const AGENT_PROGRAMS: ReadonlyMap<string, string> = new Map(Object.entries(BY_AGENT).map(([id, { program }]) => [program, id]));

/** Variables that an agent sets for programs that it starts. A session created inside an agent is not part of that agent's session. */
const OF_A_PARENT = [
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_PROJECT_DIR",
  "GEMINI_CLI",
];

/** Comma-separated names of additional variables to pass to sessions. */
const PASS = "TMPM_PASS_ENV";

/**
 * The part of a caller's environment passed to a session of this agent: only variables that the agent reads, or that `TMPM_PASS_ENV` names.
 */
export function agentEnv(agent: string, env: Environment): Record<string, string> {
  return pick(env, [...COMMON, ...(BY_AGENT[agent]?.env ?? []), ...passed(env)]);
}

/** The part of a caller's environment that any agent may receive, and the variables that select from it. */
export function anyAgentEnv(env: Environment): Record<string, string> {
  return pick(env, [PASS, ...COMMON, ...Object.values(BY_AGENT).flatMap(({ env: names }) => names), ...passed(env)]);
}

/** The environment without variables of a previous login. */
export function withoutLogin(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_A_LOGIN.includes(name)));
}

function passed(env: Environment): readonly string[] {
  return (env[PASS] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
}

function pick(env: Environment, patterns: readonly string[]): Record<string, string> {
  const wanted = new RegExp(`^(${patterns.map((pattern) => pattern.replaceAll("*", "[A-Za-z0-9_]*")).join("|")})$`);
  const entries = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      wanted.test(entry[0].toUpperCase() in PROXIES ? entry[0].toUpperCase() : entry[0]) &&
      !OF_A_PARENT.includes(entry[0]),
  );
  return Object.fromEntries(entries);
}

/** Programs also read these in lower case. */
const PROXIES: Readonly<Record<string, true>> = { HTTP_PROXY: true, HTTPS_PROXY: true, NO_PROXY: true };
