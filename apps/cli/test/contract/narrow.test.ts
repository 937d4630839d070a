import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseWithCommander } from "../../src/parse/commander-path.js";
import { cellWidth } from "../../src/render/cell-width.js";
import { renderDoctor } from "../../src/render/doctor.js";
import { runIn } from "../fixtures/answering.js";
import { asking, commands } from "./all-commands.js";
import { answeringByContract } from "./answering-by-contract.js";
import { examplesOf } from "./example-argv.js";
import { EXAMPLE_CONFIG, exampleHome } from "./example-home.js";

const PATIENCE = 240_000;
/** Output that is printed unchanged: a screen, a script, a schema, a secret. */
const VERBATIM: ReadonlySet<string> = new Set(["capture", "completion", "hook", "top"]);
/** Commands that query this machine, and whose output is not verbatim. */
const HERE = [
  ["config", "list", "--all"],
  ["config", "get", "profiles.careful"],
  ["config", "get", "nothing.of.that.name"],
  ["daemon"],
  ["daemon", "audit"],
  ["daemon", "install", "--listen", "nowhere at all"],
  ["schema"],
  ["events", "--type", "nothing"],
  ["attach", "demo"],
  [],
];
const SENTENCE =
  "修复登录页面上的错误，然后运行所有测试 and then *run* `npm test -- --reporter=dot` in every package, 🙂 twice; see https://example.com/a/rather/long/address";
const LONG: Readonly<Record<string, string>> = {
  name: "修复-a-rather-long-name-of-a-session-that-somebody-chose",
  path: "/home/somebody/src/日本語/a/rather/long/path/of/folders",
  cwd: "/home/somebody/src/日本語/a/rather/long/path/of/folders",
  task: SENTENCE,
  hint: SENTENCE,
  message: SENTENCE,
  what: SENTENCE,
  prompt: SENTENCE,
  subject: SENTENCE,
  reason: SENTENCE,
  question: SENTENCE,
  final_message: `${SENTENCE}\n\n- ${SENTENCE}`,
};

/** The same response with very long texts. */
function lengthened(value: unknown, key = ""): unknown {
  if (typeof value === "string") return key === "evidence" ? SENTENCE : (LONG[key] ?? value);
  if (Array.isArray(value)) return value.map((each) => lengthened(each, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lengthened(each, name)]));
}

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "1" } = process.env;
const EVERY_VIEW = [40, 60, 80].flatMap((columns) => ["C.UTF-8", "C"].map((locale) => ({ columns, locale })));
/** The narrowest terminal with Unicode and one other, chosen by the seed; all six at full scale. */
const VIEWS =
  Number(TMPM_TEST_SCALE) >= 10 ? EVERY_VIEW : EVERY_VIEW.filter((_, index) => index === 0 || index === 1 + (Number(TMPM_TEST_SEED) % 5));
const READ = asking
  .filter(({ name, argv }) => !(VERBATIM.has(name) || argv.includes("--json") || (name === "schema" && argv.length > 1)))
  .map(({ argv }) => argv);

describe("every command in a terminal", () => {
  test.each(VIEWS)(
    "of $columns columns with locale $locale prints no wider line, except for long words",
    { timeout: PATIENCE },
    async ({ columns, locale }) => {
      using home = exampleHome();
      await using daemon = await answeringByContract(() => null, { changed: lengthened });
      writeFileSync(join(daemon.home, "config.yaml"), EXAMPLE_CONFIG);
      const env = {
        TMPM_HOME: daemon.home,
        TMPM_CONFIG: join(daemon.home, "config.yaml"),
        PATH: process.env.PATH,
        LC_ALL: locale,
        TERM: "xterm",
        HOME: "/home/somebody",
      };
      for (const argv of [...READ, ...HERE]) {
        const { stdout, stderr } = await runIn(env, home.placed(argv), { columns });
        const lines = `${stdout}${stderr}`.replace(/\u001b\[[\d;]*m/g, "").split("\n");
        expect([argv, lines.filter((line) => cellWidth(line) > columns && line.trim().replace("tmpm: ", "").includes(" "))]).toEqual([
          argv,
          [],
        ]);
        if (locale === "C") expect([argv, lines.filter((line) => /[^\u0020-\u007e]/.test(line))]).toEqual([argv, []]);
      }
    },
  );
});

test("the findings of doctor, which examines the whole machine, also fit", () => {
  const check = { id: "x", name: LONG.name ?? "", status: "warn" as const, message: SENTENCE, hint: SENTENCE };
  for (const columns of [40, 60, 80]) {
    const text = renderDoctor({ checks: [check, { ...check, name: "x" }] }, { terminal: { columns, colour: false, unicode: true } });
    expect(text.split("\n").filter((line) => cellWidth(line) > columns && line.trim().includes(" "))).toEqual([]);
  }
});

test("the help of every command fits, except for command lines", () => {
  for (const columns of [40, 60, 80]) {
    for (const command of commands) {
      const parsed = parseWithCommander([command.name, "--help"], { commands: [command], version: "0", helpColumns: columns });
      const lines = parsed.kind === "text" ? parsed.text.split("\n") : [];
      const examples = examplesOf(command.more);
      const wide = lines.filter(
        (line) => line.length > columns && line.trim().includes(" ") && !/^Usage:/.test(line) && !examples.includes(line.trim()),
      );
      expect([columns, command.name, wide]).toEqual([columns, command.name, []]);
    }
  }
});

test("in a pipe nothing is truncated", async () => {
  using home = exampleHome();
  await using daemon = await answeringByContract(() => null, { changed: lengthened });
  const env = { TMPM_HOME: daemon.home, TMPM_CONFIG: join(daemon.home, "config.yaml"), PATH: process.env.PATH };
  for (const argv of READ) {
    const { stdout, stderr } = await runIn(env, home.placed(argv));
    expect([argv, `${stdout}${stderr}`]).toEqual([argv, expect.not.stringContaining("…")]);
  }
});
