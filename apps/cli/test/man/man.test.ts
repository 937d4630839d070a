import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { roffLine } from "../../src/man/roff.js";
import { writeManPages } from "../../src/man/write-man-pages.js";
import { flagOf } from "../../src/parse/flag.js";
import { findProgram } from "../../src/system/programs.js";
import { commands } from "../contract/all-commands.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

const run = promisify(execFile);

async function written() {
  const dir = temporaryDir();
  const folder = join(dir.path, "man");
  mkdirSync(folder);
  await writeManPages(folder, { now: new Date("2026-01-02T03:04:05Z") });
  return { folder, files: readdirSync(folder).map((name) => join(folder, name)), [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

test("every command has a man page with its complete definition, and the first page lists them all", async () => {
  using man = await written();
  const overview = readFileSync(join(man.folder, "tmpm.1"), "utf8");
  expect(man.files).toHaveLength(commands.length + 1);
  for (const { name, summary, args, options } of commands) {
    const page = readFileSync(join(man.folder, `tmpm-${name}.1`), "utf8");
    expect(overview).toContain(`.BR tmpm\\-${name} (1)`);
    const flags = Object.entries(options).flatMap(([key, option]) => [`.B ${roffLine(flagOf(key))}`, roffLine(option.summary)]);
    const said = [summary, ...Object.values(args).map((argument) => argument.summary)].map(roffLine);
    for (const text of [...flags, ...said, ".TH TMPM\\-", "2026-01-02", ".SH EXAMPLES\n.TP"])
      expect([name, page]).toEqual([name, expect.stringContaining(text)]);
  }
});

test("a formatter does not report faults in the pages", { timeout: 180_000 }, async (context) => {
  using man = await written();
  const mandoc = findProgram("mandoc", process.env);
  const groff = findProgram("groff", process.env);
  if (mandoc !== null) {
    expect((await run(mandoc, ["-T", "lint", "-W", "warning", ...man.files])).stdout).toBe("");
  } else if (groff !== null) {
    const { stdout, stderr } = await run(groff, ["-man", "-ww", "-Tutf8", ...man.files], { maxBuffer: 64 * 1024 * 1024 });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/tmpm-ls.*List sessions/);
  } else context.skip("neither mandoc nor groff is installed");
});
