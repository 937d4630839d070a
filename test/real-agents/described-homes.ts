import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RealAgent } from "./agent-homes.js";

export interface DescribedAgent extends RealAgent {
  /** It asks its user before it runs a command, if started that way; `onScreen`: its description has the answer for a terminal. */
  readonly asks: { readonly permissions?: string; readonly onScreen: boolean } | null;
  /** A resumed session continues its conversation. */
  readonly resumes: boolean;
  readonly keepsWords: boolean;
  readonly speaks: boolean;
}

/** The described agents with users, and with the mock as their model. */
export const DESCRIBED_AGENTS: readonly DescribedAgent[] = [
  {
    id: "copilot",
    settle: ({ home, dir }) =>
      write(join(home, ".copilot/config.json"), { trusted_folders: [dir], trustedFolders: [dir], banner: "never" }),
    env: ({ modelUrl }) => ({ COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`, COPILOT_PROVIDER_API_KEY: "none", COPILOT_MODEL: "mock-model" }),
    asks: { onScreen: false },
    resumes: true,
    keepsWords: true,
    speaks: true,
  },
  {
    id: "qwen",
    settle: ({ home }) =>
      write(join(home, ".qwen/settings.json"), {
        security: { auth: { selectedType: "openai" } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    env: ({ modelUrl }) => ({
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: "mock-model",
      COLORTERM: "truecolor",
    }),
    asks: { permissions: "default", onScreen: false },
    resumes: true,
    keepsWords: true,
    speaks: true,
  },
  {
    id: "pi",
    async settle({ home, modelUrl }) {
      const mock = { baseUrl: `${modelUrl}/v1`, api: "openai-completions", apiKey: "none", models: [{ id: "mock-model" }] };
      await write(join(home, ".pi/agent/models.json"), { providers: { mock } });
      await write(join(home, ".pi/agent/settings.json"), { defaultProvider: "mock", defaultModel: "mock-model" });
    },
    env: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
    asks: null,
    resumes: true,
    keepsWords: true,
    speaks: false,
  },
  {
    id: "continue",
    async settle({ home, modelUrl }) {
      await writeText(join(home, ".continue/.onboarding_complete"), "");
      await writeText(
        join(home, ".continue/config.yaml"),
        `name: Mock
version: 1.0.0
schema: v1
models:
  - name: mock
    provider: openai
    model: mock-model
    apiBase: ${modelUrl}/v1
    apiKey: none
    roles: [chat]
`,
      );
    },
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: "0" }),
    asks: { onScreen: true },
    resumes: false,
    keepsWords: false,
    speaks: false,
  },
];

function write(path: string, document: unknown): Promise<void> {
  return writeText(path, JSON.stringify(document));
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
