import { figure, number } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { byTurns, pooled, speedup } from "./fixture.mjs";

/** Number of sessions at once. */
const BATCH = 20;

/**
 * Sessions created and ended, compared with loops of spawned tmux that do the same to sessions without launch file, tag or proof of the
 * end.
 */
export async function lifetimes(fixture, { scale }) {
  const { driver, create, tmux } = fixture;
  const indexes = Array.from({ length: BATCH }, (_, index) => index);
  let made = [];
  const bare = await fixture.bare();
  const [creates, kills, spawnedCreates, spawnedKills, leastCreates, leastKills] = await byTurns(3 * scale, [
    async () => {
      made = await Promise.all(indexes.map(() => create()));
    },
    () => Promise.all(made.map(({ identity }) => driver.kill(identity, { graceMs: 2000 }))),
    () =>
      pooled(
        8,
        indexes.map((index) => () => tmux("new-session", "-d", "-s", `x${index}`, "-x", "120", "-y", "40", "-c", "/", "sleep", "100000")),
      ),
    () =>
      pooled(
        8,
        indexes.map((index) => () => tmux("kill-session", "-t", `=x${index}`)),
      ),
    () => bare.ask(indexes.map((index) => `new-session -d -s b${index} -x 120 -y 40 -c / sleep 100000`)),
    () => bare.ask(indexes.map((index) => `kill-session -t =b${index}`)),
  ]);
  await bare.close();
  const rate = (times) => number((BATCH / median(times)) * 1000);
  figure(`create, ${BATCH} at once, against a bare control client`, { value: speedup(creates, leastCreates), target: 0.95 });
  figure(`kill, ${BATCH} at once, against a bare control client`, { value: speedup(kills, leastKills), target: 0.95 });
  figure(`create, ${BATCH} at once, against 8-way spawned new-session`, {
    value: speedup(creates, spawnedCreates),
    detail: `${rate(creates)} against ${rate(spawnedCreates)} per second`,
  });
  figure(`ceiling: create, ${BATCH} at once, by a bare control client`, {
    value: speedup(leastCreates, spawnedCreates),
    detail: `${rate(leastCreates)} per second, without launch file and tags`,
  });
  figure(`ceiling: kill, ${BATCH} at once, by a bare control client`, {
    value: speedup(leastKills, spawnedKills),
    detail: `${rate(leastKills)} per second, before anything has ended`,
  });
  figure(`kill, ${BATCH} at once, against 8-way spawned kill-session`, {
    value: speedup(kills, spawnedKills),
    detail: `${rate(kills)} against ${rate(spawnedKills)} per second`,
  });
}
