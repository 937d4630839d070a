import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { programVersion } from "../src/launch/program-version.js";
import { openFolder } from "./executable.js";

const env = { PATH: "/usr/bin:/bin" };

describe("programVersion", () => {
  test("returns the first version number printed", async () => {
    using folder = openFolder();
    const path = folder.script("demo", 'test "$1" = --version && echo "Demo 2.1.197-beta.1 (build 7)"');
    expect(await programVersion(path, { env })).toBe("2.1.197-beta.1");
  });

  test("reads it at the end of a sentence, and from standard error", async () => {
    using folder = openFolder();
    expect(await programVersion(folder.script("says", 'echo "Demo CLI 1.0.102."'), { env })).toBe("1.0.102");
    expect(await programVersion(folder.script("mutters", "echo 0.73.1rc2 >&2"), { env })).toBe("0.73.1rc2");
  });

  test("returns null when the program fails, prints none or cannot be run", async () => {
    using folder = openFolder();
    expect(await programVersion(folder.script("fails", "echo 1.2.3; exit 1"), { env })).toBeNull();
    expect(await programVersion(folder.script("mute", "echo hello"), { env })).toBeNull();
    expect(await programVersion("/nonexistent", { env })).toBeNull();
  });

  test("gives up at the deadline, also when a child keeps the output open", async () => {
    using folder = openFolder();
    const pidFile = `${folder.path}/pid`;
    const path = folder.script("hangs", `sleep 300 & echo $! >${pidFile}; exec sleep 300`);
    expect(await programVersion(path, { env, deadlineMs: 1_000 })).toBeNull();
    // If it started at all, it would keep the output open beyond the test's timeout.
    if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
  });

  test("does not wait for input that never comes", async () => {
    using folder = openFolder();
    expect(await programVersion(folder.script("reads", "cat; echo 3.4"), { env })).toBe("3.4");
  });
});
