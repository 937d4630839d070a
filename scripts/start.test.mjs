import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fakeRepository } from "./fake-repository.mjs";

/** Fakes the command line: records are in `records`, names known only to tmux in `taken`. */
const FAKE_TMPM = `
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require("node:fs");
const [verb, ...args] = process.argv.slice(2);
const [session] = args;
appendFileSync("calls", [verb, ...args].join(" ") + "\\n");
const records = existsSync("records") ? JSON.parse(readFileSync("records", "utf8")) : {};
const become = (name, state) => writeFileSync("records", JSON.stringify({ ...records, [name]: state }));
const fail = (code) => { console.error("error " + code); process.exit(code); };
const verbs = {
  daemon: () => existsSync("daemon") ? console.log('{"version":"1.0.0"}') : fail(6),
  show: () => records[session] ? console.log(JSON.stringify({ name: session, state: records[session] })) : fail(3),
  new: () => existsSync("taken") && args[3] === "demo" ? fail(4) : become(args[3], "active"),
  resume: () => become(session, "active"),
  wait: () => fail(5),
  ls: () => console.log("the row"),
  capture: () => existsSync("broken") ? fail(1) : console.log("the screen\\n\\n\\n"),
};
verbs[verb]();
`;

let repository;

const VERSION_1 = JSON.stringify({ version: "1.0.0" });
const FIRST = ["show demo --json", "new --agent shell --name demo --cwd /home/me", "wait demo idle --timeout 15", "ls", "capture demo"];

/** Built once, since a build takes longer than a start. */
beforeAll(async () => {
  repository = fakeRepository();
  repository.write("apps/cli/dist/main.cjs", FAKE_TMPM);
  repository.write("apps/cli/package.json", VERSION_1);
  await repository.run(["build"]);
});

beforeEach(() => {
  for (const name of ["calls", "records", "taken", "daemon", "broken"]) repository.remove(name);
});

afterAll(() => repository.remove());

const start = () => repository.run(["start"], { env: { INIT_CWD: "/home/me" } });

test("creates a session in the current directory, shows its row and its screen, and prints the next commands", async () => {
  const { code, stdout } = await start();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^\n\$ \.\/tmpm ls\nthe row\n\n\$ \.\/tmpm capture demo\nthe screen\n\nNext:\n( {2}\.\/tmpm (send|attach|web|new) .*\n){4}$/,
  );
  expect(repository.calls()).toEqual(FIRST);
});

test.each([
  ["shows one that runs", { demo: "active" }, ["show demo --json", "ls", "capture demo"]],
  ["resumes one that is stopped", { demo: "stopped" }, ["show demo --json", "resume demo", ...FIRST.slice(2)]],
  ["waits for one that starts", { demo: "provisioning" }, ["show demo --json", ...FIRST.slice(2)]],
  ["replaces one that was removed", { demo: "decommissioned" }, FIRST],
])("%s", async (_title, records, expected) => {
  repository.write("records", JSON.stringify(records));
  expect((await start()).code).toBe(0);
  expect(repository.calls()).toEqual(expected);
});

test("uses another name if tmux has an unowned session of that name, and reuses it later", async () => {
  repository.write("taken", "");
  expect((await start()).stdout).toContain("./tmpm attach demo-2");
  expect((await start()).stderr).toContain("session demo-2 is already running");
  expect(repository.calls().filter((call) => call.startsWith("new"))).toHaveLength(3);
});

test("restarts a daemon of the same version after a build, but not of another", async () => {
  repository.write("daemon", "");
  for (const version of ["1.0.0", "2.0.0"]) {
    repository.write("apps/cli/package.json", JSON.stringify({ version }));
    await start();
  }
  expect(repository.calls().filter((call) => call.startsWith("daemon"))).toEqual(["daemon status --json"]);
  repository.write("packages/a/src/index.ts", "other");
  repository.write("apps/cli/package.json", JSON.stringify({ version: "1.0.0" }));
  await start();
  expect(repository.calls().filter((call) => call.startsWith("daemon"))).toEqual([
    "daemon status --json",
    "daemon status --json",
    "daemon restart",
  ]);
});

test("ends with tmpm's own message and exit code when tmpm fails", async () => {
  repository.write("broken", "");
  expect(await start()).toMatchObject({ code: 1, stderr: expect.stringContaining("error 1\ntmpm: `./tmpm capture demo` failed") });
});
