import { userInfo } from "node:os";
import { MOST_SOCKET_PATH } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { configPath, currentLocation, type FileFacts, type LocationFacts, locate } from "../src/local/index.js";

const PRIVATE: FileFacts = { kind: "directory", uid: 1000, mode: 0o700 };

function facts(env: Record<string, string>, paths: Record<string, FileFacts> = {}): LocationFacts {
  return { env, uid: 1000, userHome: () => "/home/passwd", lstat: (path) => paths[path] ?? null };
}

function socketOf(env: Record<string, string>, paths: Record<string, FileFacts> = {}): string {
  return locate(facts({ HOME: "/home/me", ...env }, paths)).socket;
}

describe("the folder of the state", () => {
  test.each([
    [{ TMPM_HOME: "/data/t", XDG_STATE_HOME: "/s", HOME: "/home/me" }, "/data/t"],
    [{ XDG_STATE_HOME: "/s", HOME: "/home/me" }, "/s/tmpm"],
    [{ HOME: "/home/me" }, "/home/me/.local/state/tmpm"],
    [{ XDG_STATE_HOME: "relative", HOME: "/home/me" }, "/home/me/.local/state/tmpm"],
    [{ TMPM_HOME: "", XDG_STATE_HOME: "", HOME: "/home/me" }, "/home/me/.local/state/tmpm"],
    [{}, "/home/passwd/.local/state/tmpm"],
  ])("%j gives %s", (env, home) => {
    expect(locate(facts(env))).toMatchObject({ home, log: `${home}/daemon.log` });
  });

  test.each([{}, { HOME: "" }, { HOME: "somewhere" }])("with %j it is in the home folder according to the system", (env) => {
    const { homedir } = userInfo();
    expect(currentLocation(env).home).toBe(`${homedir}/.local/state/tmpm`);
    expect(configPath(env)).toBe(`${homedir}/.config/tmpm/config.yaml`);
  });

  test("a relative TMPM_HOME is relative to the working directory", () => {
    expect(locate(facts({ TMPM_HOME: "here" })).home).toBe(`${process.cwd()}/here`);
  });
});

describe("the daemon's socket", () => {
  test("TMPM_SOCKET takes precedence", () => {
    expect(socketOf({ TMPM_SOCKET: "/x/y.sock", TMPM_HOME: "/data/t" })).toBe("/x/y.sock");
  });

  test("a custom home contains its own socket, so that two homes never share a daemon", () => {
    expect(socketOf({ TMPM_HOME: "/data/t", XDG_RUNTIME_DIR: "/run/user/1000" }, { "/run/user/1000": PRIVATE })).toBe(
      "/data/t/run/tmpm.sock",
    );
  });

  test("otherwise it is in the runtime folder, if that belongs to the user", () => {
    expect(socketOf({ XDG_RUNTIME_DIR: "/run/xdg" }, { "/run/xdg": PRIVATE, "/run/user/1000": PRIVATE })).toBe("/run/xdg/tmpm/tmpm.sock");
  });

  test.each<[string, FileFacts]>([
    ["the folder of another user, as after `su`", { ...PRIVATE, uid: 0 }],
    ["open to the group", { ...PRIVATE, mode: 0o770 }],
    ["open to others", { ...PRIVATE, mode: 0o701 }],
    ["a symbolic link", { ...PRIVATE, kind: "link" }],
    ["a file", { ...PRIVATE, kind: "other" }],
  ])("a runtime folder that is %s is ignored", (_, folder) => {
    expect(socketOf({ XDG_RUNTIME_DIR: "/run/xdg" }, { "/run/xdg": folder, "/run/user/1000": PRIVATE })).toBe(
      "/run/user/1000/tmpm/tmpm.sock",
    );
  });

  test("without a runtime folder it is next to the state, also before that exists", () => {
    const home = "/home/me/.local/state/tmpm";
    expect(socketOf({})).toBe(`${home}/run/tmpm.sock`);
    expect(socketOf({}, { [home]: PRIVATE })).toBe(`${home}/run/tmpm.sock`);
  });

  test("if the state is not private, or its path is too long, it is in /tmp", () => {
    expect(socketOf({}, { "/home/me/.local/state/tmpm": { ...PRIVATE, mode: 0o755 } })).toBe("/tmp/tmpm-1000/tmpm.sock");
    expect(socketOf({ XDG_STATE_HOME: `/${"s".repeat(90)}` })).toBe("/tmp/tmpm-1000/tmpm.sock");
  });

  test("a custom path may have 103 bytes and not 104, counted in UTF-8", () => {
    const fits = `/${"é".repeat((MOST_SOCKET_PATH - 1) / 2)}`;
    expect(socketOf({ TMPM_SOCKET: fits })).toBe(fits);
    expect(() => socketOf({ TMPM_SOCKET: `${fits}x` })).toThrow(expect.objectContaining({ code: "SOCKET_PATH_TOO_LONG" }));
    expect(() => socketOf({ TMPM_HOME: `/${"h".repeat(90)}` })).toThrow(expect.objectContaining({ code: "SOCKET_PATH_TOO_LONG" }));
  });
});

describe("the tmux server of tmpm", () => {
  test.each([
    [{}, "tmpm"],
    [{ TMPM_TMUX_SOCKET: "other" }, "other"],
    [{ TMPM_TMUX_SOCKET: "/x/tmux.sock" }, "/x/tmux.sock"],
    [{ TMPM_HOME: "/data/t" }, "/data/t/run/tmux.sock"],
    [{ TMPM_HOME: "/data/t", TMPM_TMUX_SOCKET: "other" }, "other"],
  ])("%j gives %s", (env, tmuxSocket) => {
    expect(locate(facts(env)).tmuxSocket).toBe(tmuxSocket);
  });

  test("a path that is too long is refused", () => {
    expect(() => locate(facts({ TMPM_TMUX_SOCKET: `/${"t".repeat(103)}` }))).toThrow(
      expect.objectContaining({ code: "SOCKET_PATH_TOO_LONG" }),
    );
  });
});
