import { figure, number } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { byTurns, cpuOf, cpuTime, inARow, pooled, speedup } from "./fixture.mjs";

const FORMAT =
  "#{pane_id}\t#{session_id}\t#{@tmpm_id}\t#{pane_pid}\t#{pane_dead}\t#{pane_dead_status}\t#{pane_in_mode}\t#{pane_width}\t#{pane_height}\t#{window_activity}\t#{pane_tty}\t#{session_name}\t#{pane_current_command}";

/** One query, many concurrently, and many in one tick. */
export async function queries(fixture, { scale }) {
  const { driver, tmux, panes, server } = fixture;
  const { identity } = panes[0];
  const ask = () => driver.server();
  const spawned = () => tmux("display-message", "-p", "#{pid}\t#{start_time}\t#{version}");
  const find = () => driver.find(identity);
  const spawnedFind = () => tmux("display-message", "-p", "-t", identity.pane_id, FORMAT);

  const bare = await fixture.bare();
  const bareAsk = () => bare.ask(["display-message -p '#{pid}'"]);
  const [asks, finds, bareAsks] = [inARow(ask), inARow(find), inARow(bareAsk)];
  const times = await byTurns(30 * scale, [asks.run, spawned, finds.run, spawnedFind, bareAsks.run]);
  const [asked, ran, found, ranFind, least] = [asks.each(times[0]), times[1], finds.each(times[2]), times[3], bareAsks.each(times[4])];
  figure("ceiling: one query by a bare control client, latency", {
    value: speedup(least, ran),
    detail: `${number(median(least))} against ${number(median(ran))} ms`,
  });
  figure("one query, latency against a bare control client", { value: speedup(least, asked), most: 1.5 });
  figure("one query (server) against execFile('tmux'), latency", {
    value: speedup(asked, ran),
    detail: `${number(median(asked))} against ${number(median(ran))} ms`,
  });
  figure("one pane found against execFile('tmux'), latency", {
    value: speedup(found, ranFind),
    detail: `${number(median(found))} against ${number(median(ranFind))} ms; the driver reads /proc too`,
  });
  const many = (count, task) => async () => {
    for (let index = 0; index < count; index++) await task();
  };
  const [cheap, looked, cheapest, dear] = await cpuByTurns(
    server,
    [many(200, ask), many(100, find), many(200, bareAsk), many(12, spawned)],
    {
      calls: [200, 100, 200, 12],
    },
  );
  await bare.close();
  figure("ceiling: one query by a bare control client, CPU", {
    value: dear / cheapest,
    detail: `${number(cheapest)} against ${number(dear)} ms`,
  });
  figure("one query (server) against execFile('tmux'), CPU of all processes", {
    value: dear / cheap,
    detail: `${number(cheap)} against ${number(dear)} ms`,
  });
  figure("one pane found against execFile('tmux'), CPU of all processes", {
    value: dear / looked,
    detail: `${number(looked)} against ${number(dear)} ms`,
  });

  const at32 = (count, task) => () =>
    pooled(
      32,
      Array.from({ length: count }, () => task),
    );
  const [fast, slow] = await byTurns(3, [at32(3200, ask), at32(64, spawned)]);
  figure("requests per second at 32 in flight against spawning", {
    value: speedup(
      fast.map((ms) => ms / 3200),
      slow.map((ms) => ms / 64),
    ),
    target: 50,
    detail: `${number((3200 / median(fast)) * 1000)} against ${number((64 / median(slow)) * 1000)} per second`,
  });
}

/** The cost of a query for the server, which checks every pane each time it wakes up. */
export async function batches(fixture) {
  const { driver, panes, server } = fixture;
  const { identity } = panes[0];
  const atOnce = () => Promise.all(Array.from({ length: 100 }, () => driver.find(identity)));
  const inTurn = async () => {
    for (let index = 0; index < 100; index++) await driver.find(identity);
  };
  const costs = [];
  for (let round = 0; round < 8; round++) {
    const together = await serverTime(server, atOnce);
    costs.push((await serverTime(server, inTurn)) / together);
  }
  figure(`100 commands in one tick against one by one, ${panes.length} panes, server CPU`, {
    value: median(costs),
    ...(panes.length >= 1000 ? { target: 20 } : { detail: "target: 20x at 1,000 panes" }),
  });
}

/** All sessions listed, and the screens of all. */
export async function listings(fixture, { scale }) {
  const { driver, tmux, panes } = fixture;
  const list = () => driver.list();
  const spawnedList = () => tmux("list-panes", "-a", "-F", FORMAT);
  const bare = await fixture.bare();
  const [listed, ran, least] = await byTurns(10, [list, spawnedList, () => bare.ask([`list-panes -a -F "${FORMAT}"`])]);
  await bare.close();
  figure(`ceiling: list of ${panes.length} sessions by a bare control client`, {
    value: speedup(least, ran),
    detail: `${number(median(least))} ms`,
  });
  figure(`list of ${panes.length} sessions, latency against a bare control client`, {
    value: speedup(least, listed),
    ...(panes.length >= 100 ? { most: 1.3 } : {}),
  });
  figure(`list of ${panes.length} sessions against execFile('tmux')`, {
    value: speedup(listed, ran),
    detail: `${number(median(listed))} against ${number(median(ran))} ms`,
  });
  if (panes.length >= 100 && panes.length <= 300) await captures(fixture, { scale });
}

async function captures({ driver, tmux, panes, bare: bareClient }, { scale }) {
  const some = panes.slice(0, 100).map(({ identity }) => identity);
  const spawnedCaptures = () =>
    pooled(
      8,
      some.map(
        ({ pane_id }) =>
          () =>
            tmux("capture-pane", "-p", "-t", pane_id),
      ),
    );
  const bare = await bareClient();
  const together = () => driver.captureMany(some);
  const each = () => Promise.all(some.map((identity) => driver.capture(identity)));
  const least100 = () => bare.ask(some.map(({ pane_id }) => `capture-pane -p -t ${pane_id}`));
  const [warm, warmLeast] = await byTurns(15 * scale, [together, least100]);
  const [many, single, spawned, least] = await byTurns(2 * scale, [together, each, spawnedCaptures, least100]);
  await bare.close();
  figure("ceiling: 100 captures by a bare control client, without facts", {
    value: speedup(least, spawned),
    detail: `${number(median(least))} ms`,
  });
  figure("100 captures by captureMany, latency against a bare control client", { value: speedup(warmLeast, warm), most: 2 });
  figure("100 captures by captureMany against 8-way spawned captures", {
    value: speedup(many, spawned),
    detail: `${number(median(many))} against ${number(median(spawned))} ms`,
  });
  figure("100 captures by capture against 8-way spawned captures", {
    value: speedup(single, spawned),
    detail: `${number(median(single))} ms`,
  });
}

/** Until V8 has compiled long-running code, it costs twice as much. */
const WARM_UP = 5;

/** The CPU milliseconds of one call of each task, alternating, once they are warm. */
async function cpuByTurns(server, tasks, { calls }) {
  const costs = tasks.map(() => []);
  for (let round = 0; round < 2 * WARM_UP; round++) {
    for (const [index, task] of tasks.entries()) {
      const ms = await cpuTime(server, task);
      if (round >= WARM_UP) costs[index].push(ms / calls[index]);
    }
  }
  return costs.map(median);
}

async function serverTime(server, task) {
  const before = cpuOf(server).server;
  await task();
  return cpuOf(server).server - before;
}
