import { afterEach, describe } from "vitest";
import { ALL_HOSTS, oneIn } from "./sampled-hosts.js";
import { type SpokenBed, spokenBed } from "./spoken/spoken-bed.js";
import { SPOKEN_CASES } from "./spoken/spoken-cases.js";

const open = new Set<SpokenBed>();
afterEach(async () => {
  for (const bed of open) await bed.close();
  open.clear();
});

describe("a session that is spoken with", () => {
  const declare = oneIn(ALL_HOSTS ? 1 : 8);
  for (const { title, run, settings } of SPOKEN_CASES) {
    declare(
      title,
      async () => {
        const bed = await spokenBed(settings);
        open.add(bed);
        await bed.create();
        await run(bed);
      },
      120_000,
    );
  }
});
