// Cost and speed of the control-mode driver, as ratios to spawning tmux, measured alternately in one run.

import { benchmark } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { anotherLibrary } from "./another-library.mjs";
import { openFixture } from "./fixture.mjs";
import { keystrokes } from "./keystrokes.mjs";
import { lifetimes } from "./lifetimes.mjs";
import { batches, listings, queries } from "./queries.mjs";
import { streams } from "./streams.mjs";
import { texts } from "./texts.mjs";
import { watching } from "./watching.mjs";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
await benchmark(async () => {
  const start = performance.now();
  const fixture = await openFixture();
  await queries(fixture, { scale });
  await texts(fixture, { scale });
  await keystrokes(fixture, { scale });
  await streams(fixture, { scale });
  await fixture.grow(10);
  await listings(fixture, { scale });
  await lifetimes(fixture, { scale });
  for (const sessions of scale < 10 ? [100] : [100, 1000]) {
    await fixture.grow(sessions);
    await listings(fixture, { scale });
    await anotherLibrary(fixture, { scale });
    await batches(fixture);
    await watching(fixture, { scale });
  }
  figure("this benchmark", { value: (performance.now() - start) / 1000, unit: " s" });
});
