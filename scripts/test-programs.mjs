import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder of programs bundled by tests, each once per run. */
export default function setup(project) {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-programs-"));
  process.env.TMPM_TEST_PROGRAMS = dir;
  const empty = () => rmSync(dir, { recursive: true, force: true });
  project.onTestsRerun(empty);
  return empty;
}
