import { describe, expect, test } from "vitest";
import { atLeast, capabilitiesOf, requireSupported } from "../src/capabilities.js";
import { launchScript } from "../src/create/launch-script.js";
import { unknownWhenShort } from "../src/observe/unknown-when-short.js";
import { renderConfig } from "../src/server/config.js";
import { resolveSocket } from "../src/server/socket.js";
import { parseUserConfig } from "../src/server/user-config.js";
import { argument, clientArguments, commandText, quoted } from "../src/transport/argument.js";
import { circuitBreaker } from "../src/transport/circuit-breaker.js";
import { lanes } from "../src/transport/lanes.js";

test("an observation without free files or memory is unknown, and any other failure is an error", async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code, syscall: "open" }));
  expect(await unknownWhenShort(failing("EMFILE"))).toMatchObject({
    kind: "unknown",
    error: { code: "RESOURCE_EXHAUSTED", effect: "none" },
  });
  await expect(unknownWhenShort(failing("ENOENT"))).rejects.toMatchObject({ code: "ENOENT" });
});

describe("versions", () => {
  test.each([
    ["3.2a", "3.2", true],
    ["3.2", "3.2a", false],
    ["3.10", "3.9", true],
    ["3.3a", "3.3", true],
    ["2.9a", "3.2a", false],
    ["4.0", "3.7", true],
    ["next-3.8", "3.7", true],
    ["3.5-rc", "3.5", true],
    ["openbsd-7.6", "3.7", true],
    ["master", "3.7", true],
  ])("%s is at least %s: %s", (version, wanted, expected) => expect(atLeast(version, wanted)).toBe(expected));

  test("differences between versions are in one table", () => {
    expect(capabilitiesOf("3.6a").pasteRaw).toBe(false);
    expect(capabilitiesOf("3.7").pasteRaw).toBe(true);
    expect(() => requireSupported("3.1c")).toThrow(expect.objectContaining({ code: "TMUX_TOO_OLD" }));
    expect(() => requireSupported("3.2a")).not.toThrow();
  });
});

test("a semicolon at the end of an argument never ends the command", () => {
  expect(argument("a;")).toBe("a\\;");
  expect(argument(";")).toBe("\\;");
  expect(argument("a;b")).toBe("a;b");
  expect(clientArguments([["a", "b;"], ["c"]])).toEqual(["a", "b\\;", ";", "c"]);
  expect(quoted("it's")).toBe(`'it'"'"'s'`);
  expect(commandText([["a", ";"], ["b"]])).toBe("a ';' ; b");
});

test("reads only keys and mouse from the user's configuration, the last setting of each", () => {
  const settings = parseUserConfig(
    [
      "set -g prefix C-b",
      "set-option -g prefix 'C-a' # mine",
      'setw -g mode-keys "vi"',
      "set -g mouse maybe",
      "set -g prefix2 `",
      "set status-keys vi",
      "# set -g mouse on",
    ].join("\n"),
  );
  expect(settings).toEqual({ prefix: "C-a", prefix2: "`", modeKeys: "vi", statusKeys: null, mouse: null });
});

test("a launch script rejects values that a shell cannot set or run exactly", () => {
  const good = { sessionId: "s", cwd: "/", argv: ["x"] as const, env: {} };
  for (const bad of [
    { argv: [""] as const },
    { argv: ["-x"] as const },
    { argv: ["x", "\0"] as const },
    { cwd: "/\0" },
    { env: { "A-B": "" } },
    { env: { PPID: "1" } },
    { env: { A: "\0" } },
  ]) {
    expect(() => launchScript({ ...good, argv: ["x"], ...bad })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});

test("a socket is a short absolute path, or a name in tmux's folder", () => {
  expect(resolveSocket({ name: "tmpm" }, { TMUX_TMPDIR: "/t" })).toEqual({
    path: `/t/tmux-${process.getuid?.()}/tmpm`,
    arguments: ["-L", "tmpm"],
  });
  expect(resolveSocket({ path: "/a/s" }, {}).arguments).toEqual(["-S", "/a/s"]);
  expect(() => resolveSocket({ path: `/${"x".repeat(103)}` }, {})).toThrow(expect.objectContaining({ code: "SOCKET_PATH_TOO_LONG" }));
  for (const bad of [{ path: "s" }, { name: "a/b" }, { name: "-x" }, { name: "" }]) {
    expect(() => resolveSocket(bad, {})).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});

test("after three timeouts in a row, one call in five seconds passes until one is answered", () => {
  let now = 0;
  const breaker = circuitBreaker(() => now);
  for (let count = 0; count < 2; count++) breaker.timedOut();
  expect(breaker.admits()).toBe(true);
  breaker.timedOut();
  expect(breaker.admits()).toBe(false);
  now = 5000;
  expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
  breaker.timedOut();
  now = 9999;
  expect(breaker.admits()).toBe(false);
  now = 10_000;
  expect(breaker.admits()).toBe(true);
  breaker.answered();
  expect([breaker.admits(), breaker.admits()]).toEqual([true, true]);
});

test("runs at most one task per lane, and a task that times out leaves the queue", async () => {
  const { run } = lanes(2);
  let running = 0;
  let most = 0;
  const release: (() => void)[] = [];
  const task = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => release.push(resolve));
    running -= 1;
    return "done";
  };
  const all = [run(task, () => 1000), run(task, () => 1000), run(task, () => 0), run(task, () => 1000)];
  expect(await all[2]).toBeNull();
  while (release.length > 0) {
    release.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(all)).toEqual(["done", "done", null, "done"]);
  expect(most).toBe(2);
});

test("requests extended keys only where tmux still sends Enter to programs without them", () => {
  const user = { prefix: null, prefix2: null, modeKeys: null, statusKeys: null, mouse: null };
  const config = (version: string) => renderConfig({ user, source: null, capabilities: capabilitiesOf(version) });
  expect(config("3.5")).toMatch(/^set -sq extended-keys on$/m);
  expect(config("3.4")).not.toContain("extended-keys");
});
