import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followLog } from "../../src/daemon/follow-log.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

test("a log is followed from its last lines on, also when it is rotated", async () => {
  using dir = temporaryDir();
  const path = join(dir.path, "log");
  writeFileSync(path, "1\n2\n3\n");
  const lines = followLog(path, { lines: 2, everyMs: 5 });
  const next = async () => (await lines.next()).value;
  expect([await next(), await next()]).toEqual(["2", "3"]);
  const fourth = next();
  appendFileSync(path, "fou");
  appendFileSync(path, "r 🙂\n");
  expect(await fourth).toBe("four 🙂");
  const fifth = next();
  truncateSync(path);
  appendFileSync(path, "5\n");
  expect(await fifth).toBe("5");
  await lines.return(undefined);
});
