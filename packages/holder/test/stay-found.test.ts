import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@tmpm/processes";
import { afterEach, expect, test } from "vitest";
import { ownFacts, ownProcess } from "../src/holder-facts.js";
import { holderFolder, prepareBase } from "../src/holder-folder.js";
import { connectHolder } from "../src/holder-link.js";
import { holderServer } from "../src/holder-server.js";
import { stayFound } from "../src/stay-found.js";

const PATIENCE = { withinMs: 30_000, everyMs: 10 };
const ended: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

test("a holder whose folder was removed can be found again", async () => {
  const { folder } = await found();
  expect(await until(() => answers(folder), PATIENCE)).toBe(true);
  rmSync(folder, { recursive: true });
  expect(await until(() => answers(folder), PATIENCE)).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a holder with a blocked path continues, and is found once the path is free", async () => {
  const { folder, looked } = await found();
  await until(() => answers(folder), PATIENCE);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "in the way");
  await until(async () => looked() > 2, PATIENCE);
  rmSync(folder);
  expect(await until(() => answers(folder), PATIENCE)).toBe(true);
});

test("a holder that no client can reach is notified", async () => {
  const { base, lost } = await found();
  rmSync(base, { recursive: true });
  expect(await until(async () => lost(), PATIENCE)).toBe(true);
});

async function found() {
  const base = join(mkdtempSync(join(tmpdir(), "tmpm-found-")), "h");
  ended.push(() => rm(join(base, ".."), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  await prepareBase(base);
  const folder = holderFolder(base, "one");
  const facts = ownFacts(folder, { sessionId: "one", name: "one", own: await ownProcess() });
  const server = holderServer({ facts: () => facts, call: async () => ({ value: null }), left: () => undefined });
  ended.push(() => server.close());
  let lost = false;
  let looked = 0;
  const options = {
    facts,
    lost: async () => {
      lost = true;
    },
    everyMs: 10,
    get folder() {
      looked += 1;
      return folder;
    },
  };
  ended.push(stayFound(server, options));
  return { base, folder, lost: () => lost, looked: () => looked };
}

async function answers(folder: string): Promise<boolean> {
  const link = await connectHolder(folder, {}).catch(() => null);
  link?.close();
  return link !== null;
}
