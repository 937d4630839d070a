import { afterEach, describe } from "vitest";
import { ALL_HOSTS, oneIn } from "./sampled-hosts.js";
import { CRASH_CASES } from "./terminals/crash-cases.js";
import { DELIVERY_CASES } from "./terminals/delivery-cases.js";
import { END_CASES } from "./terminals/end-cases.js";
import { type TerminalBed, terminalBed } from "./terminals/terminal-bed.js";
import { TURN_CASES } from "./terminals/turn-cases.js";

/** On a host each: one in so many of the cases by default. */
const HOSTS = [
  { host: "tmux", on: "a real tmux", every: ALL_HOSTS ? 1 : 33 },
  { host: "pty", on: "PTYs of ours", every: ALL_HOSTS ? 1 : 11 },
] as const;

const open = new Set<TerminalBed>();
afterEach(async () => {
  for (const bed of open) await bed.close();
  open.clear();
});

describe.each(HOSTS)("on $on", ({ host, every }) => {
  const declare = oneIn(every);
  for (const { title, run, settings } of [...DELIVERY_CASES, ...TURN_CASES, ...CRASH_CASES, ...END_CASES]) {
    declare(
      title,
      async () => {
        const bed = await terminalBed(host, settings);
        open.add(bed);
        await run(bed);
      },
      90_000,
    );
  }
});
