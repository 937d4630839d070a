import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, readlink, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import type { HealthAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { sharedFixture } from "./fixture.js";

const AT_ONCE = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10 ? 20 : 8;

describe("daemon", () => {
  const shared = sharedFixture();

  test("is started once by many concurrent commands", { timeout: 180_000 }, async () => {
    const w = shared();
    const results = await Promise.all(Array.from({ length: AT_ONCE }, () => w.tmpm(["ls", "--json"])));
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(results.map(() => [0, ""]));
    const log = await readFile(join(w.home, "daemon.log"), "utf8");
    expect(log.split("\n").filter((line) => line.includes('"msg":"started"'))).toHaveLength(1);
  });

  test("has a private socket, and listens nowhere else", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["ls"]);
    const socket = join(w.home, "run", "tmpm.sock");
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(socket))).mode & 0o777).toBe(0o700);
    const inodes = await socketInodes(await w.daemonPid());
    const tcp = (await Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")))).join("\n");
    const open = tcp.split("\n").flatMap((row) => row.trim().split(/\s+/)[9] ?? []);
    expect(inodes.filter((inode) => open.includes(inode))).toEqual([]);
  });

  test("rejects a folder that other users can enter", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.stopDaemon();
    await mkdir(join(w.home, "run"), { recursive: true, mode: 0o700 });
    await chmod(join(w.home, "run"), 0o755);
    try {
      const refused = await w.tmpm(["ls", "--json"]);
      expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "UNSAFE_PATH" } });
    } finally {
      await chmod(join(w.home, "run"), 0o700);
    }
  });

  test("of another version is reported, with the command that replaces it", { timeout: 180_000 }, async () => {
    const w = shared();
    const socket = join(w.home, "run", "tmpm.sock");
    await w.stopDaemon();
    await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
    const other = createServer((_request, response) => {
      response.setHeader("tmpm-version", "9.9.9");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ sessions: [], problems: [], store: { state: "ok", message: null }, next: null }));
    });
    await new Promise<void>((resolve, reject) => other.on("error", reject).listen(socket, resolve));
    try {
      const refused = await w.tmpm(["ls", "--json"]);
      expect(refused.code).toBe(6);
      const { error } = JSON.parse(refused.stdout);
      expect(error).toMatchObject({ code: "DAEMON_VERSION" });
      expect(`${error.message} ${error.hint}`).toMatch(/9\.9\.9.*tmpm daemon restart/s);
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  test("doctor checks tmpm's requirements, with and without a daemon", { timeout: 480_000 }, async () => {
    const w = shared();
    await w.stopDaemon();
    type Doctor = { readonly checks: readonly { readonly id: string; readonly status: string }[] };
    // Its observations have deadlines, and a busy machine may need several of them.
    const patience = { timeout: 200_000, interval: 500 };
    const look = async () => {
      const { code, stdout } = await w.tmpm(["doctor", "--json"]);
      const { checks = [] }: Partial<Doctor> = JSON.parse(stdout);
      return [`exit ${code}`, ...checks.map(({ id, status }) => `${id} ${status}`)];
    };
    await expect.poll(look, patience).toEqual(expect.arrayContaining(["exit 0", "tmux-utf8 ok", "records ok", "agent-hooks skip"]));
    await w.json(["new", "--name", "one"]);
    const withDaemon = ["exit 0", "agent-hooks ok", "tmux-server ok", "strays ok", "holders ok"];
    await expect.poll(look, patience).toEqual(expect.arrayContaining(withDaemon));
  });

  test("does not affect sessions when stopped and restarted", { timeout: 180_000 }, async () => {
    const w = shared();
    const { id } = await w.json<{ id: string }>(["new", "--name", "stays"]);
    const before = await w.daemonPid();
    expect((await w.tmpm(["daemon", "restart"])).code).toBe(0);
    const health = await w.json<HealthAnswer>(["daemon", "status"]);
    expect(health).toMatchObject({ status: "ok", store: { state: "ok" }, home: w.home });
    expect(health.pid).not.toBe(before);
    expect(await w.api.show({ session: "stays" })).toMatchObject({ id, state: "active" });
  });

  test("exits 4 if started twice, and reports the holder of the folder", { timeout: 180_000 }, async () => {
    const w = shared();
    await w.json(["ls"]);
    const second = spawn(process.execPath, ["apps/daemon/dist/main.js"], {
      env: { ...w.env },
      cwd: join(import.meta.dirname, ".."),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    second.stdout.on("data", (chunk) => (output += chunk));
    const code = await new Promise((resolve) => second.on("close", resolve));
    expect(code).toBe(4);
    expect(output).toContain("DAEMON_RUNNING");
  });
});

async function socketInodes(pid: number): Promise<readonly string[]> {
  const links = await Promise.all((await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")));
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}
