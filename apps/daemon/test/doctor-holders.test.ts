import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processTable } from "@tmpm/processes";
import { memoryStore } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { holdersOwned } from "../src/doctor/holders-owned.js";

test("a holder of an unknown session is reported with its pid, and an ended one is not", async () => {
  const base = mkdtempSync(join(tmpdir(), "tmpm-holders-"));
  try {
    expect(await holdersOwned({ bases: [base, join(base, "none")], store: memoryStore() })).toMatchObject([{ status: "ok" }]);
    const { start = "" } = (await processTable().some([process.pid])).get(process.pid) ?? {};
    holder(base, { id: "here", pid: process.pid, start });
    holder(base, { id: "gone", pid: process.pid, start: "another" });
    expect(await holdersOwned({ bases: [base], store: memoryStore() })).toMatchObject([
      { status: "warn", message: `1 belong to unknown or ended sessions: ${process.pid}` },
    ]);
    mkdirSync(join(base, "hidden", "facts"), { recursive: true });
    const file = join(base, "here", "facts");
    expect((await holdersOwned({ bases: [file, base], store: memoryStore() })).slice(1)).toMatchObject([
      { status: "fail", message: expect.stringContaining("ENOTDIR"), hint: expect.stringContaining(file) },
      { status: "warn", message: expect.stringContaining("not a regular file"), hint: expect.stringContaining(join(base, "hidden")) },
    ]);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});

function holder(base: string, { id, pid, start }: { readonly id: string; readonly pid: number; readonly start: string }): void {
  const boot = process.platform === "linux" ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() : "";
  mkdirSync(join(base, id));
  const facts = { protocol: 1, session_id: id, name: id, socket: join(base, id, "s"), pid, start, boot, started_at: 1, program: null };
  writeFileSync(join(base, id, "facts"), JSON.stringify(facts));
}
