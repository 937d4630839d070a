// What the control-mode driver costs and how fast it is, as ratios to spawning tmux, measured by turns in one run.
import { anotherLibrary } from "./another-library.mjs";
import { figure, summary } from "./figures.mjs";
import { keystrokes } from "./keystrokes.mjs";
import { openLab } from "./lab.mjs";
import { lifetimes } from "./lifetimes.mjs";
import { batches, listings, queries } from "./queries.mjs";
import { streams } from "./streams.mjs";
import { texts } from "./texts.mjs";
import { watching } from "./watching.mjs";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const lab = await openLab();
const start = performance.now();
try {
  await queries(lab, { scale });
  await texts(lab, { scale });
  await keystrokes(lab, { scale });
  await streams(lab, { scale });
  await lab.grow(10);
  await listings(lab, { scale });
  await lifetimes(lab, { scale });
  for (const sessions of scale < 10 ? [100] : [100, 1000]) {
    await lab.grow(sessions);
    await listings(lab, { scale });
    await anotherLibrary(lab, { scale });
    await batches(lab);
    await watching(lab, { scale });
  }
} finally {
  await lab.close();
}
figure("this benchmark", { value: (performance.now() - start) / 1000, unit: " s" });
summary();
