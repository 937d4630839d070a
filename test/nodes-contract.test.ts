import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RouteName } from "@tmpm/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HERE } from "../apps/cli/src/fleet/here.js";
import { asking, firstOfEach } from "../apps/cli/test/contract/all-commands.js";
import { answeringByContract } from "../apps/cli/test/contract/answering-by-contract.js";
import { errorsContract, NEEDS_TERMINAL } from "../apps/cli/test/contract/answers-contract.js";
import { EXAMPLE_CONFIG, exampleHome, withJson } from "../apps/cli/test/contract/example-home.js";
import { type Answer, runIn } from "../apps/cli/test/fixtures/answering.js";
import { type Laptop, LINKS, linkedLaptop, NODE, WITHOUT_LINK } from "./linked.js";
import { placed } from "./places.js";

type Printed = Awaited<ReturnType<typeof runIn>>;

const START_MS = 300_000;
/** One example of each command, and all of them at full scale. */
const EXAMPLES = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10 ? asking : firstOfEach;
/** Command lines that select a machine themselves. */
const PLACED = /^(?:--on|--node|--label|[a-z0-9-]+:\S+)$/;
const accepts = (argv: readonly string[]) => !HERE.has(argv[0] ?? "") && !argv.some((word) => PLACED.test(word));

describe.each(LINKS.filter((kind) => WITHOUT_LINK[kind] === null))("a command through a link over %s", (kind) => {
  let far: Awaited<ReturnType<typeof answeringByContract>>;
  let laptop: Laptop;
  let answer: (route: RouteName) => Answer | null = () => null;
  /** The same command line, for the node. */
  const tmpm = (...argv: readonly string[]) =>
    runIn({ ...laptop.here.env, TMPM_CONFIG: join(laptop.here.home, "config.yaml") }, placed(argv));

  beforeAll(async () => {
    far = await answeringByContract((route) => answer(route));
    laptop = await linkedLaptop(kind, { HOME: far.home, TMPM_HOME: far.home, PATH: process.env.PATH ?? "" });
  }, START_MS);
  afterAll(async () => {
    await laptop[Symbol.asyncDispose]();
    await far[Symbol.asyncDispose]();
  }, START_MS);

  errorsContract({
    accepts,
    async start(given = () => null) {
      answer = given;
      return { home: laptop.here.home, tmpm, [Symbol.asyncDispose]: async () => undefined };
    },
  });

  test("prints the same as with a local daemon, apart from the node's name in suggested commands", { timeout: START_MS }, async () => {
    answer = () => null;
    for (const home of [far.home, laptop.here.home]) await writeFile(join(home, "config.yaml"), EXAMPLE_CONFIG);
    for (const { line, argv } of EXAMPLES.filter((example) => accepts(example.argv) && !NEEDS_TERMINAL.has(example.name))) {
      using home = exampleHome();
      using other = exampleHome();
      for (const each of [argv, withJson(argv)]) {
        const [here, there] = [await far.tmpm(...home.placed(each)), await tmpm(...other.placed(each))];
        expect([line, withoutFolder(withoutNode(there))]).toEqual([line, withoutFolder(here)]);
      }
    }
  });
});

function withoutNode({ exit, stdout, stderr }: Printed): Printed {
  const without = (text: string) => text.replaceAll(`${NODE}:`, "").replaceAll(` --on ${NODE}`, "").replaceAll(` on ${NODE}`, "");
  return { exit, stdout: without(stdout), stderr: without(stderr) };
}

/** The folder in which `tmpm agents --try` leaves its screens has a random name. */
function withoutFolder({ stdout, ...printed }: Printed): Printed {
  return { ...printed, stdout: stdout.replace(/tmpm-screens-\w+/, "tmpm-screens") };
}
