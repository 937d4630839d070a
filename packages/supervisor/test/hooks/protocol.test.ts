import { afterEach, describe } from "vitest";
import { ALL_HOSTS, oneIn } from "../fixtures/sampled-hosts.js";
import { SPOKEN_CASES } from "../protocol/protocol-cases.js";
import { type SpokenFixture, spokenFixture } from "../protocol/protocol-fixture.js";

const open = new Set<SpokenFixture>();
afterEach(async () => {
  for (const fixture of open) await fixture.close();
  open.clear();
});

describe("a session on a protocol host", () => {
  const declare = oneIn(ALL_HOSTS ? 1 : 8);
  for (const { title, run, settings } of SPOKEN_CASES) {
    declare(
      title,
      async () => {
        const fixture = await spokenFixture(settings);
        open.add(fixture);
        await fixture.create();
        await run(fixture);
      },
      120_000,
    );
  }
});
