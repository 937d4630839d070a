import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SLUG_PATTERN } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { openFixture, openMade, SESSION, type WorkspaceFixture, write } from "./workspace-fixture.js";

/** `CANARY` is a path that must never exist. */
const PAYLOADS = [
  "--upload-pack=touch CANARY",
  "-u touch CANARY",
  "--detach",
  "-",
  "--",
  "-x",
  "@{-1}",
  "a..b",
  "a b",
  "a\nb",
  "a\0b",
  "HEAD",
  "$(touch CANARY)",
  "`touch CANARY`",
  ";touch CANARY",
  "|touch CANARY",
  "ext::sh -c touch% CANARY",
  "ext::touch CANARY",
  "fd::17",
  "file:///tmp",
  "http://example.com/a.git",
  "git://example.com/a.git",
  "ssh://-oProxyCommand=touch%20CANARY/a",
  "ssh://user@-oProxyCommand=touch/a",
  "git@-oProxyCommand=touch:a",
  "git@host:",
  "git@host:-oProxy",
  "https://",
  "https://-x/a",
  "https://user:secret@example.com/a.git",
  "https://example.com/a.git?token=s",
  "https://example.com/a\u001b[31m",
  "https://example.com/::a",
  "../../../etc",
  "refs/heads/../../x",
  "x.lock",
  ".hidden",
  "a/.b",
  "x/",
  "~root",
] as const;

describe("hostile repository, branch, directory and name", { timeout: 240_000 }, () => {
  test(`run nothing: ${PAYLOADS.length} payloads in each place`, async () => {
    using fixture = openFixture();
    const canary = join(fixture.below, "canary");
    const plan = (part: object) =>
      fixture.spaces.plan({
        sessionId: SESSION,
        name: "demo",
        projectId: "default",
        source: { kind: "worktree", directory: fixture.source.path },
        branch: null,
        ...part,
      });
    for (const payload of PAYLOADS) {
      const text = payload.replaceAll("CANARY", canary);
      await expect(plan({ source: { kind: "clone", from: text } })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
      await expect(plan({ branch: text })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", effect: "none" });
      await expect(plan({ source: { kind: "worktree", directory: join(fixture.below, text) } })).rejects.toThrow();
      if (!SLUG_PATTERN.test(text)) await expect(plan({ name: text })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      if (!SLUG_PATTERN.test(text)) await expect(plan({ projectId: text })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(existsSync(canary)).toBe(false);
    expect(existsSync(join(fixture.home, "workspaces"))).toBe(false);
  });
});

describe("repository that configures programs", { timeout: 240_000 }, () => {
  test("runs none while its worktree is made, inspected, removed, restored and purged", async () => {
    using fixture = openFixture();
    const sprung = trap(fixture, fixture.source.path);
    write(join(fixture.source.path, ".gitattributes"), "*.txt filter=evil diff=evil\n");
    fixture.git(fixture.source.path, "-c", "core.hooksPath=/dev/null", "add", ".gitattributes");
    fixture.git(fixture.source.path, "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "attributes");
    expect(sprung()).toContain("clean");
    for (const name of sprung()) rmSync(join(fixture.below, "canaries", name));
    const workspace = await fixture.make();
    expect(readFileSync(join(workspace.path, "file.txt"), "utf8")).toBe("one\n");
    write(join(workspace.path, "file.txt"), "two\n");
    expect(await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] })).toMatchObject({ reasons: [{ code: "unstaged" }] });
    await fixture.remove(workspace, { discard: true });
    await fixture.restore(workspace);
    await fixture.remove(workspace, { discard: true });
    fixture.now += 1e12;
    await fixture.spaces.purge();
    expect(sprung()).toEqual([]);
  });

  test("runs none from a repository that an agent left in the workspace", async () => {
    const { fixture: opened, workspace } = await openMade("worktree");
    using fixture = opened;
    const nested = join(workspace.path, "ignored", "nested");
    write(join(nested, "file.txt"), "one\n");
    write(join(nested, ".gitattributes"), "*.txt filter=evil diff=evil\n");
    fixture.git(nested, "init", "--quiet", "--template=");
    fixture.git(nested, "add", ".");
    fixture.git(nested, "commit", "--quiet", "-m", "first");
    const sprung = trap(fixture, nested);
    await fixture.spaces.inspect(workspace, { sessionId: SESSION, others: [] });
    expect(sprung()).toEqual([]);
    write(join(nested, "file.txt"), "two\n");
    fixture.git(nested, "status");
    // Proves that this test can fail.
    expect(sprung()).toContain("clean");
  });
});

/** Hooks and configuration that each create a file when they run. */
function trap(fixture: WorkspaceFixture, repository: string): () => readonly string[] {
  const canaries = join(fixture.below, "canaries");
  mkdirSync(canaries, { recursive: true });
  const program = (name: string) => {
    const path = join(repository, ".git", name);
    write(path, `#!/bin/sh\ntouch '${join(canaries, name)}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction", "post-commit"]) program(`hooks/${hook}`);
  mkdirSync(join(canaries, "hooks"), { recursive: true });
  const settings = {
    "core.fsmonitor": program("fsmonitor"),
    "core.sshCommand": program("ssh"),
    "diff.external": program("external"),
    "diff.evil.textconv": program("textconv"),
    "filter.evil.clean": program("clean"),
    "filter.evil.smudge": program("smudge"),
    "filter.evil.required": "true",
    "credential.helper": program("credential"),
  };
  const text = Object.entries(settings).map(([key, value]) => `[${section(key)}]\n\t${key.split(".").at(-1)} = ${value}\n`);
  const config = join(repository, ".git", "config");
  writeFileSync(config, readFileSync(config, "utf8") + text.join(""));
  return () =>
    [...readdirSync(canaries), ...readdirSync(join(canaries, "hooks")).map((name) => `hooks/${name}`)]
      .filter((name) => name !== "hooks")
      .sort();
}

function section(key: string): string {
  const parts = key.split(".");
  return parts.length === 2 ? (parts[0] ?? "") : `${parts[0]} "${parts[1]}"`;
}
