import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hookFiles } from "../../src/agents/hook-files.js";

function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), "tmpm-hook-files-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const report = ({ doing, error }: { readonly doing: string; readonly error: unknown }) => {
  throw new Error(doing, { cause: error });
};

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("hook files", () => {
  test("are private, replaced by the next launch, and removed completely", async () => {
    const dir = join(temporary(), "hooks");
    const hooks = await hookFiles({ dir, program: ["/bin/true"], report });
    const path = join(hooks.folder("s1"), "settings.json");
    await hooks.write("s1", { files: [{ path, text: "one" }], token_sha256: "digest-1" });
    await hooks.write("s1", { files: [{ path, text: "two" }], token_sha256: "digest-2" });
    expect([mode(dir), mode(hooks.folder("s1")), mode(path), mode(join(hooks.folder("s1"), "token.sha256"))]).toEqual([
      "700",
      "700",
      "600",
      "600",
    ]);
    expect(readdirSync(hooks.folder("s1")).toSorted()).toEqual(["settings.json", "token.sha256"]);
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(await hooks.tokenDigest("s1")).toBe("digest-2");
    await hooks.remove("s1");
    await hooks.remove("s1");
    expect(await hooks.tokenDigest("s1")).toBeNull();
  });

  test("an agent configured by an older daemon still reaches the next version", async () => {
    const dir = join(temporary(), "hooks");
    const old = await hookFiles({ dir, program: ["/nonexistent/node", "/nonexistent/main.cjs"], report });
    const calls = join(dir, "it's called");
    const script = join(dir, "new version");
    writeFileSync(script, `printf '%s|' "$@" > "$CALLS"; cat >> "$CALLS"; echo noise; echo noise >&2; exit 3\n`);
    await hookFiles({ dir, program: ["/bin/sh", script], report });
    const [program, ...args] = old.command;
    const printed = execFileSync(program, args, { input: "{}", env: { ...process.env, CALLS: calls }, encoding: "utf8" });
    expect(printed).toBe("");
    expect(readFileSync(calls, "utf8")).toBe("hook|{}");
  });

  test("an agent does not see failures, even if the program is missing", async () => {
    const { command } = await hookFiles({ dir: join(temporary(), "hooks"), program: ["/nonexistent/program"], report });
    const [program, ...args] = command;
    // The agent's input is not read, so none is passed here.
    expect(execFileSync(program, args, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" })).toBe("");
  });

  test("tokens are unique, and long", async () => {
    const { newToken } = await hookFiles({ dir: join(temporary(), "hooks"), program: ["/bin/true"], report });
    expect(newToken()).toMatch(/^[\w-]{43}$/);
    expect(newToken()).not.toBe(newToken());
  });
});
