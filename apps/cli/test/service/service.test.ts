import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { launchdAgent } from "../../src/service/launchd-agent.js";
import { systemdUnit } from "../../src/service/systemd-unit.js";
import { findProgram } from "../../src/system/programs.js";
import { runIn } from "../fixtures/answering.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

const { resolve } = createRequire(import.meta.url);
const STAND_IN = resolve("../fixtures/daemon-stand-in.mjs");
const FAKE = resolve("../fixtures/fake-service-manager.sh");
const RUNNER = resolve("../fixtures/run-service-file.mjs");

/** The programs that the stand-ins need, without a service manager. */
const BASICS = temporaryDir().path;
for (const name of ["sh", "sed", "cat", "basename", "rm", "kill"])
  symlinkSync(findProgram(name, process.env) ?? `/bin/${name}`, join(BASICS, name));
afterAll(() => rmSync(BASICS, { recursive: true, force: true }));

/** A home with the stand-in as daemon, on a system with these programs of a service manager. */
function place(programs: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const dir = temporaryDir();
  const bin = join(dir.path, "bin");
  mkdirSync(bin);
  for (const name of programs) symlinkSync(FAKE, join(bin, name));
  writeFileSync(join(bin, "tmux"), "#!/bin/false\n", { mode: 0o755 });
  const all = {
    PATH: `${bin}:${BASICS}`,
    HOME: dir.path,
    USER: "me",
    TMPM_HOME: join(dir.path, "it's $5 & 100%"),
    TMPM_DAEMON: STAND_IN,
    XDG_CONFIG_HOME: join(dir.path, "config"),
    FAKE_DIR: dir.path,
    FAKE_NODE: process.execPath,
    FAKE_RUNNER: RUNNER,
    STAND_IN_DIR: dir.path,
    ...env,
  };
  const tmpm = (...argv: readonly string[]) => runIn(all, argv);
  return {
    dir: dir.path,
    home: all.TMPM_HOME,
    tmpm,
    with: (more: Readonly<Record<string, string>>, ...argv: readonly string[]) => runIn({ ...all, ...more }, argv),
    json: async (...argv: readonly string[]) => JSON.parse((await tmpm(...argv, "--json")).stdout),
    /** The commands that the manager received, without the queries. */
    commands: () =>
      readFileSync(join(dir.path, "calls"), "utf8")
        .split("\n")
        .filter((line) => line !== "" && !/ (print|show|is-\w+|show-user|reset-failed) /.test(line))
        .map((line) => line.replace(/-[0-9a-f]{8}\.service|\.[0-9a-f]{8}(?=$|\.plist)/g, "#")),
    ran: () => JSON.parse(readFileSync(join(dir.path, "ran"), "utf8")),
    async [Symbol.asyncDispose]() {
      await tmpm("daemon", "stop");
      dir[Symbol.dispose]();
    },
  };
}

const SYSTEMD = ["systemctl", "loginctl"];

describe("a systemd service", { timeout: 180_000 }, () => {
  test("runs the daemon with the user's paths and no secret, and keeps it running", async () => {
    await using here = place(SYSTEMD, { TMPM_TOKEN: "sesame", OPENAI_API_KEY: "sesame", TMPM_LOG_LEVEL: 'a "b" \\c' });
    const before = await here.json("daemon", "start");
    const { service, health } = await here.json("daemon", "install");
    expect(service).toMatchObject({
      manager: "systemd",
      enabled: true,
      active: "active",
      message: expect.stringContaining("enable-linger me"),
    });
    expect(health.pid).not.toBe(before.pid);
    expect(here.ran()).toMatchObject({
      args: [STAND_IN],
      env: { TMPM_HOME: here.home, TMPM_SOCKET: join(here.home, "run", "tmpm.sock"), TMPM_LOG_LEVEL: 'a "b" \\c' },
    });
    expect(readFileSync(service.file, "utf8")).not.toContain("sesame");
    expect(here.commands().slice(0, 2)).toEqual(["systemctl --user daemon-reload", "systemctl --user enable --now tmpm#"]);

    await here.tmpm("daemon", "stop");
    expect(await here.tmpm("ls")).toMatchObject({ exit: 0 });
    expect(here.commands().at(-1)).toBe("systemctl --user start tmpm#");
    expect((await here.tmpm("daemon")).stdout).toMatch(/^service +systemd: tmpm-\w{8}\.service, starts at login, active/m);
    expect(await here.json("daemon")).toMatchObject({ service: { manager: "systemd", label: service.label, active: "active" } });
    await here.tmpm("daemon", "stop");
    expect(await here.with({ FAKE_MANAGER: "refuses" }, "ls"), "the daemon starts anyway").toMatchObject({ exit: 0 });
  });

  test("moves to this version with a restart, keeps its addresses, and is removed with its file, unless that was edited", async () => {
    await using here = place(SYSTEMD);
    const { service } = await here.json("daemon", "install", "--listen", "127.0.0.1:7777");
    const moved = join(here.dir, "newer.mjs");
    writeFileSync(
      moved,
      readFileSync(STAND_IN, "utf8").replace('"../../package.json"', JSON.stringify(join(dirname(STAND_IN), "../../package.json"))),
    );
    expect(await here.with({ TMPM_DAEMON: moved }, "daemon", "restart")).toMatchObject({ exit: 0 });
    expect(here.ran()).toMatchObject({ args: [moved], env: { TMPM_LISTEN: "127.0.0.1:7777" } });
    const text = readFileSync(service.file, "utf8");
    expect(text).toContain(moved);
    appendFileSync(service.file, "# mine\n");
    expect(await here.json("daemon", "uninstall")).toMatchObject({ error: { code: "TARGET_EXISTS" } });
    expect(await here.json("daemon", "install")).toMatchObject({ error: { code: "TARGET_EXISTS" } });
    writeFileSync(service.file, text);
    expect(await here.json("daemon", "uninstall")).toEqual({ file: service.file });
    expect(existsSync(service.file)).toBe(false);
    expect(here.commands().slice(-2)).toEqual(["systemctl --user disable --now tmpm#", "systemctl --user daemon-reload"]);
    expect(await here.json("daemon", "uninstall")).toEqual({ file: null });
  });

  test("is printed without being installed, in a form that systemd accepts", async () => {
    await using here = place(SYSTEMD);
    const { stdout, stderr } = await here.tmpm("daemon", "install", "--print");
    expect(stderr).toContain(join(here.dir, "config", "systemd", "user"));
    expect(existsSync(join(here.dir, "config"))).toBe(false);
    expect(stdout).toMatch(/^KillMode=process$/m);
    const analyze = findProgram("systemd-analyze", process.env);
    if (analyze === null) return console.log("skipped: systemd-analyze is not installed, so the unit was not checked by it");
    const unit = join(here.dir, "tmpm.service");
    // The program in the unit must exist.
    writeFileSync(unit, stdout);
    const env = { ...process.env, XDG_RUNTIME_DIR: here.dir };
    const verify = () => execFileSync(analyze, ["--user", "verify", unit], { env, encoding: "utf8", stdio: "pipe" });
    expect(verify()).toBe("");
  });

  test("escapes text that systemd would interpret", () => {
    const plan = { command: ["/no de", '100% "$HOME" \\'] as const, env: { PATH: "/a b:/$c" } };
    const text = systemdUnit({ plan, label: "tmpm.service", taken: 4 });
    expect(text).toContain('ExecStart="/no de" "100%% \\"$$HOME\\" \\\\"\n');
    expect(text).toContain('Environment="PATH=/a b:/$c"\n');
  });
});

describe("a launchd service", { timeout: 180_000 }, () => {
  test("runs the daemon with the user's paths, and is removed again", async () => {
    await using here = place(["launchctl"]);
    const { service } = await here.json("daemon", "install");
    expect(service).toMatchObject({ manager: "launchd", enabled: true, active: "running", message: null });
    expect(here.ran()).toMatchObject({ args: [STAND_IN], env: { TMPM_HOME: here.home } });
    await here.tmpm("daemon", "stop");
    expect(await here.tmpm("ls")).toMatchObject({ exit: 0 });
    expect(await here.json("daemon", "uninstall")).toEqual({ file: service.file });
    const domain = `gui/${process.geteuid?.()}`;
    // The daemon may have been started several times before it answered.
    expect([...new Set(here.commands())]).toEqual([
      `launchctl enable ${domain}/dev.tmpm.daemon#`,
      `launchctl bootstrap ${domain} ${service.file.replace(/\.[0-9a-f]{8}\.plist$/, "#.plist")}`,
      `launchctl kickstart ${domain}/dev.tmpm.daemon#`,
      `launchctl bootout ${domain}/dev.tmpm.daemon#`,
    ]);
  });
});

test("a launch agent is a property list with exactly the given values", (context) => {
  const plistutil = findProgram("plistutil", process.env);
  if (plistutil === null) return context.skip("plistutil is not installed");
  using dir = temporaryDir();
  const [file, binary] = [join(dir.path, "a.plist"), join(dir.path, "a.bin")];
  const value = `it's $5 & <100%> ]]> "é" \\ &amp;`;
  writeFileSync(file, launchdAgent({ plan: { command: ["/no de", value], env: { [value]: value } }, label: "dev.tmpm.daemon" }));
  execFileSync(plistutil, ["-i", file, "-o", binary]);
  const xml = execFileSync(plistutil, ["-i", binary], { encoding: "utf8" });
  const texts = Array.from(xml.matchAll(/<(key|string|integer|true|false)(?:\/>|>(.*?)<\/)/g), ([, kind, text]) =>
    unescaped(text ?? kind ?? ""),
  );
  expect(texts).toEqual([
    ...["Label", "dev.tmpm.daemon", "ProgramArguments", "/no de", value, "EnvironmentVariables", value, value, "WorkingDirectory", "/"],
    ...[
      "RunAtLoad",
      "true",
      "KeepAlive",
      "SuccessfulExit",
      "false",
      "ThrottleInterval",
      "10",
      "AbandonProcessGroup",
      "true",
      "ExitTimeOut",
      "15",
    ],
  ]);
});

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}

describe("without a service manager", { timeout: 180_000 }, () => {
  test.each([
    ["none is installed", []],
    ["none answers", SYSTEMD],
  ])("the daemon starts in the background, and the user is notified: %s", async (_why, programs) => {
    await using here = place(programs, { FAKE_MANAGER: "absent" });
    const { exit, stdout } = await here.tmpm("daemon", "install");
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^No service was installed: (systemctl is not installed|Failed to connect to bus.*)\.\nThe daemon runs as pid \d+\. It was started/,
    );
    expect(existsSync(join(here.dir, "config"))).toBe(false);
    expect((await here.tmpm("daemon")).stdout).toMatch(/^service +none/m);
  });
});

describe("the daemon's listen addresses", { timeout: 180_000 }, () => {
  test("are kept for a daemon that starts after a crash, until it is stopped", async () => {
    await using here = place([]);
    const { pid } = await here.json("daemon", "start", "--listen", "127.0.0.1:7777");
    process.kill(pid, "SIGTERM");
    await expect.poll(() => existsSync(join(here.dir, "lock"))).toBe(false);
    await here.tmpm("ls");
    expect(await here.json("daemon")).toMatchObject({ listening: ["http://127.0.0.1:7777"] });
    await here.tmpm("daemon", "stop");
    await here.tmpm("ls");
    expect(await here.json("daemon")).toMatchObject({ listening: [] });
  });
});
