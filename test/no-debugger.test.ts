import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { CreateAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { fixture } from "./fixture.js";

/** Inodes of the listening TCP sockets. */
function listeningInodes(): ReadonlySet<string> {
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => readFileSync(path, "utf8").split("\n").slice(1));
  return new Set(rows.map((row) => row.trim().split(/\s+/)).flatMap((cells) => (cells[3] === "0A" ? [cells[9] ?? ""] : [])));
}

function listens(pid: number): boolean {
  const inodes = listeningInodes();
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return inodes.has(/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? "none");
    } catch {
      // It was closed meanwhile.
      return false;
    }
  });
}

test("SIGUSR1 opens no debugger in daemon or holder, and both continue", async () => {
  await using w = await fixture();
  const { pane } = await w.json<CreateAnswer>(["new", "--name", "held", "--host", "pty", "--", "cat"]);
  const daemon = await w.daemonPid();
  for (const pid of [daemon, pane?.server_pid ?? 0]) {
    process.kill(pid, "SIGUSR1");
    // Node starts listening at the next turn of the program's event loop: each of these calls takes several.
    for (let n = 0; n < 20; n++) {
      expect((await w.api.capture({ session: "held" })).lines).toBeDefined();
      expect(listens(pid), `process ${pid}`).toBe(false);
    }
  }
  expect(await w.daemonPid()).toBe(daemon);
});
