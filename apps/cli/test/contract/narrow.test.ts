import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cellWidth } from "../../src/render/cell-width.js";
import { runIn } from "../answering.js";
import { asking } from "./all-commands.js";
import { answeringByContract } from "./answering-by-contract.js";
import { EXAMPLE_CONFIG, exampleHome } from "./example-home.js";

const PATIENCE = 240_000;
/** Told as they are: a screen, a script, a schema, a secret. */
const VERBATIM: ReadonlySet<string> = new Set(["capture", "completion", "hook", "top"]);
/** What asks this machine, and prints what is not verbatim. */
const HERE = [
  ["config", "list", "--all"],
  ["config", "get", "profiles.careful"],
  ["config", "get", "nothing.of.that.name"],
  ["doctor"],
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

/** The same answer with texts as long as they come. */
function lengthened(value: unknown, key = ""): unknown {
  if (typeof value === "string") return key === "evidence" ? SENTENCE : (LONG[key] ?? value);
  if (Array.isArray(value)) return value.map((each) => lengthened(each, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lengthened(each, name)]));
}

const VIEWS = [
  { columns: 40, locale: "C.UTF-8" },
  { columns: 40, locale: "C" },
  { columns: 60, locale: "C.UTF-8" },
  { columns: 80, locale: "C" },
];
const READ = asking
  .filter(({ name, argv }) => !(VERBATIM.has(name) || argv.includes("--json") || (name === "schema" && argv.length > 1)))
  .map(({ argv }) => argv);

describe("every command in a terminal", () => {
  test.each(VIEWS)(
    "of $columns columns with locale $locale prints no line that is wider, but for words that are not broken",
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

test("in a pipe nothing is cut", async () => {
  using home = exampleHome();
  await using daemon = await answeringByContract(() => null, { changed: lengthened });
  const env = { TMPM_HOME: daemon.home, TMPM_CONFIG: join(daemon.home, "config.yaml"), PATH: process.env.PATH };
  for (const argv of READ) {
    const { stdout, stderr } = await runIn(env, home.placed(argv));
    expect([argv, `${stdout}${stderr}`]).toEqual([argv, expect.not.stringContaining("…")]);
  }
});
