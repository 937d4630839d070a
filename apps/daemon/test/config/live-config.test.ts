import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingKey } from "@tmpm/api/config";
import { TmpmError } from "@tmpm/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { liveConfig } from "../../src/config/live-config.js";
import { configFollowed } from "../../src/doctor/daemon-state.js";

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-live-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return dir;
}

function followed(path: string, env: NodeJS.ProcessEnv = {}) {
  const config = liveConfig({ TMPM_CONFIG: path, ...env });
  const reported: unknown[] = [];
  let changes = 0;
  config.follow({ changed: () => void changes++, report: ({ error }) => reported.push(error) });
  onTestFinished(() => config.close());
  return { config, reported, changes: () => changes };
}

const soon = { timeout: 45_000, interval: 20 };

test("a new configuration file, with its folders, is followed, and so is each replacement", async () => {
  const dir = await folder();
  const path = join(dir, "config", "tmpm", "config.yaml");
  const { config, changes } = followed(path);
  expect(config.values()["log.level"]).toBe("info");
  mkdirSync(join(dir, "config", "tmpm"), { recursive: true });
  writeFileSync(path, "log: {level: debug}\n", { mode: 0o600 });
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("debug"), soon);
  writeFileSync(`${path}.new`, "log: {level: warn}\n", { mode: 0o600 });
  renameSync(`${path}.new`, path);
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("warn"), soon);
  expect(changes()).toBeGreaterThanOrEqual(2);
});

test("a file behind a symbolic link is followed at its target", async () => {
  const dir = await folder();
  mkdirSync(join(dir, "dotfiles"));
  const real = join(dir, "dotfiles", "tmpm.yaml");
  writeFileSync(real, "log: {level: warn}\n", { mode: 0o600 });
  symlinkSync(real, join(dir, "config.yaml"));
  const { config } = followed(join(dir, "config.yaml"));
  expect(config.values()["log.level"]).toBe("warn");
  writeFileSync(real, "log: {level: error}\n");
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("error"), soon);
});

test("a file is followed after its folder was removed and made again, or moved away", async () => {
  const dir = join(await folder(), "tmpm");
  const path = join(dir, "config.yaml");
  const write = (level: string) => {
    mkdirSync(dir, { recursive: true });
    writeFileSync(path, `log: {level: ${level}}\n`, { mode: 0o600 });
  };
  write("warn");
  const { config } = followed(path);
  rmSync(dir, { recursive: true });
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("info"), soon);
  write("error");
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("error"), soon);
  renameSync(dir, `${dir}.old`);
  write("debug");
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("debug"), soon);
  write("trace");
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("trace"), soon);
});

test("a file is followed when a link to its folder leads elsewhere", async () => {
  const dir = await folder();
  for (const name of ["a", "b"]) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, "config.yaml"), `log: {level: ${name === "a" ? "warn" : "error"}}\n`, { mode: 0o600 });
  }
  symlinkSync("a", join(dir, "current"));
  const { config } = followed(join(dir, "current", "config.yaml"));
  expect(config.values()["log.level"]).toBe("warn");
  symlinkSync("b", join(dir, "next"));
  renameSync(join(dir, "next"), join(dir, "current"));
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("error"), soon);
});

test("a mistake keeps the last valid settings, and its place is reported once until it is corrected", async () => {
  const path = join(await folder(), "config.yaml");
  writeFileSync(path, "log: {level: warn}\n", { mode: 0o600 });
  const { config, reported } = followed(path);
  writeFileSync(path, "log:\n  levle: debug\n");
  await vi.waitFor(() => expect(config.fault()?.message).toBe(`${path}:2:3: unknown setting log.levle; did you mean log.level?`), soon);
  expect(config.values()["log.level"]).toBe("warn");
  expect(reported).toHaveLength(1);
  writeFileSync(path, "log:\n  level: debug\n");
  await vi.waitFor(() => expect(config.values()["log.level"]).toBe("debug"), soon);
  expect(config.fault()).toBeNull();
});

test("profiles are followed", async () => {
  const path = join(await folder(), "config.yaml");
  writeFileSync(path, "profiles: {careful: {agent: claude, permissions: plan}}\n", { mode: 0o600 });
  const { config } = followed(path);
  expect(config.profiles()).toEqual({ careful: { agent: "claude", permissions: "plan" } });
  writeFileSync(path, "new: {profile: quick}\nprofiles: {quick: {command: [npm, test]}}\n");
  await vi.waitFor(() => expect(config.profiles()).toEqual({ quick: { command: ["npm", "test"] } }), soon);
});

test("settings that apply at the next start wait, and environment variables keep precedence", async () => {
  const path = join(await folder(), "config.yaml");
  writeFileSync(path, "sessions: {max: 3}\n", { mode: 0o600 });
  const { config } = followed(path, { TMPM_QUEUE_DEPTH: "7" });
  expect([config.env.TMPM_MAX_SESSIONS, config.env.TMPM_QUEUE_DEPTH, [...config.fromFile]]).toEqual(["3", "7", ["sessions.max"]]);
  writeFileSync(path, "sessions: {max: 4, queue_depth: 9}\n");
  await vi.waitFor(() => expect(config.waiting()).toEqual(["sessions.max"]), soon);
  expect(config.env.TMPM_MAX_SESSIONS).toBe("3");
});

test("a daemon does not start with an invalid file, and reports where the mistake is", async () => {
  const path = join(await folder(), "config.yaml");
  writeFileSync(path, "sessions: {max: x}\n", { mode: 0o600 });
  expect(() => liveConfig({ TMPM_CONFIG: path })).toThrow(
    expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(`${path}:1:17: `) }),
  );
  expect(() => liveConfig({ TMPM_CONFIG: "/nowhere/c.yaml", TMPM_MAX_SESSIONS: "x" })).toThrow("TMPM_MAX_SESSIONS is a whole number");
});

test("doctor reports settings that wait for a restart, and a file ignored because of a mistake", () => {
  const look = (waiting: readonly SettingKey[], fault: TmpmError | null = null) =>
    configFollowed({ waiting: () => waiting, fault: () => fault });
  expect(look([])).toMatchObject([{ status: "ok" }]);
  expect(look(["sessions.max"])).toMatchObject([
    { status: "warn", message: expect.stringContaining("sessions.max"), hint: expect.stringContaining("daemon restart") },
  ]);
  expect(look([], new TmpmError("CONFIG_INVALID", "x"))).toMatchObject([
    { status: "warn", message: expect.stringContaining("keeps the earlier settings") },
  ]);
});
