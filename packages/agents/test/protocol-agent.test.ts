import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentFromConfig, claude, codex, command, gemini, opencode, shell } from "../src/index.js";

let dir = "";

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "tmpm-"));
  for (const name of ["opencode", "gemini", "claude-code-acp", "mine"]) {
    await writeFile(join(dir, name), "#!/bin/sh\n");
    await chmod(join(dir, name), 0o755);
  }
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

const launch = (conversationId: string | null) => ({
  ...{ sessionId: "s", cwd: "/", prompt: "hello", conversationId, config: { model: "m" }, env: { PATH: dir } },
  newId: () => "never",
});

test("launches agents in protocol mode, with no arguments that the protocol carries", async () => {
  const mine = agentFromConfig({ id: "mine", argv: ["mine"], protocol: ["mine", "acp"] });
  const argvs = await Promise.all(
    [opencode, gemini, claude, mine].map(async ({ protocol }) => (await protocol?.launch(launch("c1")))?.argv),
  );
  expect(argvs).toEqual([
    [join(dir, "opencode"), "acp"],
    [join(dir, "gemini"), "--acp"],
    [join(dir, "claude-code-acp")],
    [join(dir, "mine"), "acp"],
  ]);
  expect(await opencode.protocol?.launch(launch("c1"))).toMatchObject({ conversationId: "c1", carriesPrompt: false });
  expect(await command.protocol?.launch({ ...launch(null), config: { argv: ["mine", "-x"] } })).toMatchObject({
    argv: [join(dir, "mine"), "-x"],
  });
});

test("Codex asks for approval as in a terminal, unless the user's environment sets otherwise", async () => {
  await writeFile(join(dir, "codex-acp.sh"), "#!/bin/sh\n", { mode: 0o755 });
  const bin = await mkdtemp(join(tmpdir(), "tmpm-"));
  try {
    await symlink(join(dir, "codex-acp.sh"), join(bin, "codex-acp"));
    const env = async (more: object) => (await codex.protocol?.launch({ ...launch(null), env: { PATH: bin, ...more } }))?.env;
    expect(await env({})).toEqual({ INITIAL_AGENT_MODE: "workspace-write" });
    expect(await env({ INITIAL_AGENT_MODE: "agent" })).toEqual({});
  } finally {
    await rm(bin, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});

test("a missing program is named, and a shell has no protocol", async () => {
  const refused = { code: "AGENT_NOT_INSTALLED", hint: expect.stringContaining("npm install -g @agentclientprotocol/codex-acp") };
  await expect(codex.protocol?.launch(launch(null))).rejects.toMatchObject(refused);
  expect(await codex.protocol?.detect({ PATH: dir })).toMatchObject({ installed: false });
  expect(shell.protocol).toBeUndefined();
});
