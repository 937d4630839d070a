import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { UsageAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { eventually, fixture, gone } from "./fixture.js";

const AGENT = createRequire(new URL("../apps/daemon/package.json", import.meta.url)).resolve("@tmpm/sdk-driver/scripted-agent");
const PROGRAM = resolve(import.meta.dirname, "../tmpm");

test("an agent without a terminal survives a killed daemon, asks the next one, changes its model, and ends with its full history", async () => {
  await using user = await fixture();
  const reaches = (state: string) =>
    eventually(async () => {
      const shown = await user.api.show({ session: "demo" });
      return shown.activity.state === state ? shown : null;
    });
  const prompt = 'agent: {"ask": ["make test"], "say": "All green.", "usage": {"inputTokens": 40, "outputTokens": 2, "totalTokens": 42}}';
  await user.json(["new", "--host", "sdk", "--name", "demo", "--prompt", prompt, "--", process.execPath, AGENT]);
  expect(await reaches("awaiting_approval")).toMatchObject({ control: "Sdk", activity: { source: "protocol" } });
  const pid = await user.daemonPid();
  process.kill(pid, "SIGKILL");
  await gone(pid);
  await user.tmpm(["ls"]);
  await reaches("awaiting_approval");
  const next = await promisify(execFile)("script", ["-qec", `${PROGRAM} next`, "/dev/null"], { env: user.env });
  expect(next.stdout).toMatch(/It wants to use execute:\s+make test[\s\S]*a protocol agent has no terminal/);
  expect((await user.tmpm(["approve", "demo"])).stdout).toContain("answered: Allow once (make test)");
  await reaches("idle");
  expect((await user.tmpm(["capture", "demo"])).stdout).toContain("    ran make test\n\nAll green.");
  const used = await eventually(async () => {
    const { groups } = await user.json<UsageAnswer>(["usage", "demo"]);
    return groups.length === 0 ? null : groups;
  });
  expect(used).toMatchObject([{ name: "demo", models: [{ model: "small", requests: 1, tokens: { input: 40, output: 2 } }] }]);
  expect(await user.tmpm(["set", "demo", "--model", "large"])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("model takes effect at once"),
  });
  const refused = await user.tmpm(["set", "demo", "--model", "huge"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("it has small, large") });
  expect(await user.api.show({ session: "demo" })).toMatchObject({ overrides: { model: "large" } });
  const keys = await user.tmpm(["keys", "demo", "Enter", "--json"]);
  expect([keys.code, JSON.parse(keys.stdout || keys.stderr)]).toMatchObject([4, { error: { code: "HOST_CANNOT", effect: "none" } }]);
  expect((await user.tmpm(["stop", "demo"])).code).toBe(0);
}, 180_000);

test("new --attach of an agent without a terminal starts it, and reports that there is nothing to attach to", async () => {
  await using user = await fixture();
  const line = `${PROGRAM} new --attach --host sdk --name demo -- ${process.execPath} ${AGENT}`;
  const { stdout } = await promisify(execFile)("script", ["-qec", line, "/dev/null"], { env: user.env, cwd: user.dir });
  expect(stdout).toMatch(/a protocol agent has no terminal/);
  expect(stdout).toMatch(/^demo\r?$/m);
  expect(await user.api.show({ session: "demo" })).toMatchObject({ state: "active", control: "Sdk" });
});
