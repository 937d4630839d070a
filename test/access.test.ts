import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AuditAnswer, HealthAnswer, SessionList } from "@tmpm/api";
import { client, webTransport } from "@tmpm/api/client";
import { describe, expect, test } from "vitest";
import { type Fixture, fixture } from "./fixture.js";

const run = promisify(execFile);

/** Ports that a process listens on, according to the kernel. */
function portsOf(pid: number): readonly number[] {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  const rows = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, "utf8").trim().split("\n").slice(1));
  const listening = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === "0A" && own.has(`socket:[${inode}]`));
  return listening.map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    // A file that was closed meanwhile is not one of its sockets.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** Every file below a folder, and every command line of the machine, that contains a text. */
async function tracesOf(w: Fixture, text: string): Promise<readonly string[]> {
  const found = await run("grep", ["-rlF", "-e", text, w.home]).then(
    ({ stdout }) => stdout.trim().split("\n"),
    // No match, or a file was removed during the search.
    ({ stdout }: { stdout: string }) => stdout.split("\n").filter(Boolean),
  );
  const { stdout } = await run("ps", ["-eo", "pid,args"], { maxBuffer: 64 * 1024 * 1024 });
  return [...found, ...stdout.split("\n").filter((line) => line.includes(text) && !line.includes("grep"))];
}

describe("access", () => {
  test("by TCP is opt-in, needs a token with its scope, and leaves no token anywhere", {
    timeout: 180_000,
  }, async () => {
    await using w = await fixture({ TMPM_LISTEN: "" });
    await w.json(["new", "--name", "demo"]);
    expect(portsOf(await w.daemonPid())).toEqual([]);
    const { listening: [url = ""] = [] } = await w.json<HealthAnswer>(["daemon", "restart", "--listen", "127.0.0.1:0"]);
    expect(portsOf(await w.daemonPid())).toEqual([Number(new URL(url).port)]);

    const issued = await w.api.createToken({ scope: "observer", name: "wall" });
    const file = join(w.dir, "operator");
    await w.json(["token", "create", "--scope", "operator", "--name", "hands", "--file", file]);
    const observer = { env: { TMPM_URL: url, TMPM_TOKEN: issued.secret } };
    const operator = { env: { TMPM_URL: url, TMPM_TOKEN_FILE: file } };
    const byTcp = (token: string) => client({ transport: webTransport({ url, token }) });
    expect((await w.json<SessionList>(["ls"], observer)).sessions.map(({ name }) => name)).toEqual(["demo"]);
    await expect(byTcp(issued.secret).stop({ session: "demo" })).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
    expect((await w.tmpm(["stop", "demo"], { env: { TMPM_TOKEN: issued.secret } })).code).toBe(4);
    await expect(byTcp(readFileSync(file, "utf8").trim()).tokens()).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
    expect((await w.tmpm(["stop", "demo"], operator)).code).toBe(0);
    await w.api.revokeToken({ token: "wall" });
    expect((await w.tmpm(["ls"], observer)).code).toBe(4);

    const { entries, findings } = await w.json<AuditAnswer>(["daemon", "audit", "--lines", "1000"]);
    expect(findings).toEqual([]);
    const recorded = entries.map(({ kind, route, caller, code }) => ({
      kind,
      route,
      token: (caller as { token?: string } | undefined)?.token,
      code,
    }));
    expect(recorded).toContainEqual({ kind: "refused", route: "stop", token: "wall", code: "SCOPE_REFUSED" });
    expect(recorded).toContainEqual({ kind: "request", route: "stop", token: "hands", code: undefined });
    for (const secret of [issued.secret, readFileSync(file, "utf8").trim()]) expect(await tracesOf(w, secret.slice(5))).toEqual([]);
  });
});
