import { access, mkdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { DoctorAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { eventually, type Fixture, fixture } from "./fixture.js";

const NEEDED = ["sh", "bash", "cat", "env", "git", "stty"];

/** The PATH of a machine with everything except tmux. */
async function pathWithoutTmux({ home }: Fixture): Promise<string> {
  const bin = join(home, "..", "bin");
  await mkdir(bin);
  await symlink(process.execPath, join(bin, "node"));
  for (const name of NEEDED) {
    const found = await first((process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)));
    if (found !== null) await symlink(found, join(bin, name));
  }
  return bin;
}

async function first(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const there = await access(path).then(
      () => true,
      () => false,
    );
    if (there) return path;
  }
  return null;
}

/** Sessions on PTYs outlive everything except a stop. */
async function stopAll(w: Fixture, env: Readonly<Record<string, string>>): Promise<void> {
  await w.tmpm(["ls"], { env });
  const { sessions } = await w.api.list();
  for (const { id, state } of sessions) if (state !== "stopped") await w.api.stop({ session: id });
}

test("a machine without tmux runs sessions on PTYs, reports that, and no other problem", { timeout: 240_000 }, async () => {
  await using w = await fixture();
  const env = { PATH: await pathWithoutTmux(w) };
  try {
    const created = await w.tmpm(["new", "--name", "demo"], { env });
    if (created.code !== 0) {
      console.log(`skipped the rest of a machine without tmux: ${created.stderr}`);
      expect(created).toMatchObject({ code: 6, stderr: expect.stringContaining("is not available") });
      return;
    }
    expect(created).toMatchObject({ stdout: "demo\n", stderr: expect.stringContaining("tmux is not installed") });
    const { checks } = await w.json<DoctorAnswer>(["doctor"], { env });
    const hosts = new Map(checks.filter(({ id }) => id === "hosts").map(({ name, status }) => [name, status]));
    expect([hosts.get("host tmux"), hosts.get("host pty")]).toEqual(["warn", "ok"]);
    expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
    expect(await w.api.show({ session: "demo" })).toMatchObject({ control: "Pty", state: "active" });
    expect((await w.tmpm(["send", "demo", "echo", "said-$((40+2))"], { env })).code).toBe(0);
    await eventually(async () => ((await w.api.capture({ session: "demo" })).lines.includes("said-42") ? true : null));
    expect(await w.api.discover()).toMatchObject({ unobservable: [] });
    await w.api.reconcile();
    await w.api.rename({ session: "demo", name: "other" });
    const refused = await w.tmpm(["new", "--host", "tmux", "--json"], { env });
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([6, { error: { code: "HOST_UNAVAILABLE", effect: "none" } }]);
    expect((await w.tmpm(["daemon", "restart"], { env })).code).toBe(0);
    expect(await w.api.show({ session: "other" })).toMatchObject({ state: "active" });
    expect((await w.tmpm(["stop", "other"], { env })).code).toBe(0);
  } finally {
    await stopAll(w, env);
  }
});
