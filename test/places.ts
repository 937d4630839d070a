import { afterAll, beforeAll } from "vitest";
import { HERE } from "../apps/cli/src/fleet/here.js";
import { type Fixture, fixture, type RunOptions } from "./fixture.js";
import { LINKS, type LinkKind, linkedLaptop, NODE, WITHOUT_LINK } from "./linked.js";

/** Where a user is: at the machine of the sessions, or at another one with a link to it. */
export type Place = "here" | LinkKind;

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0" } = process.env;

const ALL = Number(TMPM_TEST_SCALE) >= 10;

/** Whether a suite runs completely at a place: by default, only its first test does through a link. */
export function isWhole(place: Place): boolean {
  return place === "here" || ALL;
}

/** At the machine itself, and through one of the links, selected by the seed and the suite's `number`; through all of them at full scale. */
export function placesFor(number: number): readonly Place[] {
  const links = ALL ? LINKS : LINKS.filter((_, at) => at === (Number(TMPM_TEST_SEED) + number) % LINKS.length);
  return ["here", ...links.filter((kind) => WITHOUT_LINK[kind] === null)];
}

/**
 * One user for the tests of a scope, who types every command at `place`. `home`, `dir` and the processes are those of the machine with the sessions, and its
 * environment is `extraEnv`: that of a command has no effect through a link.
 */
export function placedFixture(place: Place, extraEnv: Readonly<Record<string, string>>): () => Fixture {
  let user: Fixture | null = null;
  beforeAll(async () => {
    const there = await fixture(extraEnv);
    user = place === "here" ? there : await throughLink(place, there);
  }, 300_000);
  afterAll(() => user?.[Symbol.asyncDispose](), 120_000);
  return () => {
    if (user === null) throw new Error("the fixture exists only while tests run");
    return user;
  };
}

async function throughLink(kind: LinkKind, there: Fixture): Promise<Fixture> {
  const laptop = await linkedLaptop(kind, there.env);
  const { here } = laptop;
  const tmpm = (argv: readonly string[], options: RunOptions = {}) =>
    HERE.has(argv[0] ?? "")
      ? there.tmpm(argv, options)
      : here.tmpm(placed(argv), { ...(options.input === undefined ? {} : { input: options.input }) });
  return {
    ...there,
    // The API clients of this user, too.
    env: { ...here.env, TMPM_SOCKET: laptop.door },
    api: laptop.api,
    tmpm,
    async json<T>(argv: readonly string[], options: RunOptions = {}) {
      const result = await tmpm(withOption(argv, ["--json"]), options);
      if (result.code !== 0) throw new Error(`tmpm ${argv.join(" ")} exited ${result.code}: ${result.stdout}${result.stderr}`);
      return JSON.parse(result.stdout) as T;
    },
    async [Symbol.asyncDispose]() {
      await laptop[Symbol.asyncDispose]();
      await there[Symbol.asyncDispose]();
    },
  };
}

/** The same command line for the other machine. */
export function placed(argv: readonly string[]): string[] {
  return withOption(argv, ["--on", NODE]);
}

function withOption(argv: readonly string[], option: readonly string[]): string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return argv.toSpliced(end, 0, ...option);
}
