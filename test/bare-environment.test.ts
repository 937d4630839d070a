import { createServer } from "node:net";
import { expect, test } from "vitest";
import { world } from "./world.js";

/** One of each kind: what lists, changes, follows, asks for a terminal, looks for itself. */
const LINES = [
  { argv: ["ls"], code: 6 },
  { argv: ["next"], code: 6 },
  { argv: ["rm", "demo"], code: 6 },
  { argv: ["send", "demo", "-"], code: 6 },
  { argv: ["events", "--follow"], code: 6 },
  { argv: ["wait", "demo"], code: 6 },
  { argv: ["attach", "demo"], code: 2 },
  { argv: ["top"], code: 2 },
  { argv: ["ls", "--helm"], code: 2 },
  { argv: ["ls", "--help"], code: 0 },
  { argv: ["__complete", "bash", "show", ""], code: 0 },
];

/** As a cron job or a service calls it: no variables but these, no terminal, no locale, and a daemon that is out of reach. */
test("without a terminal, a locale, an environment and a daemon, every kind of command ends and says so where it belongs", {
  timeout: 180_000,
}, async () => {
  await using w = await world();
  const onlyEnv = { PATH: w.env.PATH ?? "", LC_ALL: "C", TMPM_HOME: w.home, TMPM_URL: await deadAddress(), TMPM_TOKEN: "x" };
  const seen = await Promise.all(LINES.map(async ({ argv }) => ({ argv, ...(await w.tmpm(argv, { onlyEnv, input: "text" })) })));
  expect(seen.map(({ argv, code }) => ({ argv, code }))).toEqual(LINES);
  for (const { argv, code, stdout, stderr } of seen) {
    expect([argv, stdout === ""]).toEqual([argv, code !== 0 || argv[0] === "__complete"]);
    expect([argv, stderr]).toEqual([argv, code === 0 ? "" : expect.stringMatching(/^tmpm: [\x20-\x7e]+\n( {6}[\x20-\x7e]+\n)*$/)]);
  }
});

/** Where nothing listens any more. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 1}`;
}
