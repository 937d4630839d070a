import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { opencodeFolder } from "./programs.js";

export interface Place {
  readonly home: string;
  /** The agent's working directory: a folder that its user trusts. */
  readonly dir: string;
  readonly modelUrl: string;
}

/** A real agent with a user who has used it before, and with the mock as its model. */
export interface RealAgent {
  readonly id: string;
  /** Options of `tmpm new` that make it ask before it runs a command. */
  readonly askingFlags?: readonly string[];
  /** Writes the user's own configuration. */
  settle(place: Place): Promise<void>;
  /** Variables of the user's shell. */
  env(place: Place): Readonly<Record<string, string>>;
}

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    id: "claude",
    // 2.1.332 starts in its auto mode, in which it runs `touch` without asking.
    askingFlags: ["--permissions", "default"],
    settle: ({ home, dir }) =>
      write(join(home, ".claude.json"), {
        hasCompletedOnboarding: true,
        lastOnboardingVersion: "2.1.197",
        theme: "dark",
        projects: { [dir]: { hasTrustDialogAccepted: true } },
      }),
    env: ({ modelUrl }) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_AUTH_TOKEN: "none",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
  {
    id: "codex",
    settle: ({ home, dir, modelUrl }) =>
      writeText(
        join(home, ".codex/config.toml"),
        `model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false

[model_providers.mock]
name = "Mock"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"

[features]
daemon_auto_start = false

[analytics]
enabled = false

[projects.${JSON.stringify(dir)}]
trust_level = "trusted"
`,
      ),
    env: () => ({ OPENAI_API_KEY: "none" }),
  },
  {
    id: "gemini",
    async settle({ home, dir }) {
      await write(join(home, ".gemini/settings.json"), {
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      });
      await write(join(home, ".gemini/trustedFolders.json"), { [dir]: "TRUST_FOLDER" });
    },
    env: ({ modelUrl }) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: modelUrl, COLORTERM: "truecolor" }),
  },
  {
    id: "opencode",
    async settle({ home, modelUrl }) {
      await cp(await opencodeFolder(), join(home, ".config/opencode"), { recursive: true });
      await write(join(home, ".config/opencode/opencode.json"), {
        autoupdate: false,
        share: "disabled",
        model: "mock/mock-model",
        small_model: "mock/mock-model",
        enabled_providers: ["mock"],
        permission: { bash: "ask", edit: "ask" },
        provider: {
          mock: {
            npm: "@ai-sdk/openai-compatible",
            name: "Mock",
            options: { baseURL: `${modelUrl}/v1`, apiKey: "none" },
            models: { "mock-model": { name: "Mock Model", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
          },
        },
      });
    },
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" }),
  },
];

function write(path: string, document: unknown): Promise<void> {
  return writeText(path, JSON.stringify(document));
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
