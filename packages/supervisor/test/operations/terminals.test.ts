import { afterEach, describe } from "vitest";
import { ALL_HOSTS, oneIn } from "../fixtures/sampled-hosts.js";
import { CRASH_CASES } from "../terminals/crash-cases.js";
import { DELIVERY_CASES } from "../terminals/delivery-cases.js";
import { END_CASES } from "../terminals/end-cases.js";
import { type TerminalFixture, terminalFixture } from "../terminals/terminal-fixture.js";
import { TURN_CASES } from "../terminals/turn-cases.js";

/** Each on one host: a sample of the cases by default. */
const HOSTS = [
  { host: "tmux", on: "a real tmux", every: ALL_HOSTS ? 1 : 33 },
  { host: "pty", on: "PTYs of ours", every: ALL_HOSTS ? 1 : 11 },
] as const;

const open = new Set<TerminalFixture>();
afterEach(async () => {
  for (const fixture of open) await fixture.close();
  open.clear();
});

describe.each(HOSTS)("on $on", ({ host, every }) => {
  const declare = oneIn(every);
  for (const { title, run, settings } of [...DELIVERY_CASES, ...TURN_CASES, ...CRASH_CASES, ...END_CASES]) {
    declare(
      title,
      async () => {
        const fixture = await terminalFixture(host, settings);
        open.add(fixture);
        await run(fixture);
      },
      90_000,
    );
  }
});
