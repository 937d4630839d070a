import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the tests put the programs that they bundle, each once for a whole run. */
export default function setup(project) {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-programs-"));
  process.env.TMPM_TEST_PROGRAMS = dir;
  const empty = () => rmSync(dir, { recursive: true, force: true });
  project.onTestsRerun(empty);
  return empty;
}
