import { figure, number } from "./figures.mjs";
import { byTurns, cpuOf, cpuTime, inARow, median, pooled, speedup } from "./lab.mjs";

const FORMAT =
  "#{pane_id}\t#{session_id}\t#{@tmpm_id}\t#{pane_pid}\t#{pane_dead}\t#{pane_dead_status}\t#{pane_in_mode}\t#{pane_width}\t#{pane_height}\t#{window_activity}\t#{pane_tty}\t#{session_name}\t#{pane_current_command}";

/** One question, many at once, and many in one tick. */
export async function queries(lab, { scale }) {
  const { driver, tmux, panes, server } = lab;
  const { identity } = panes[0];
  const ask = () => driver.server();
  const spawned = () => tmux("display-message", "-p", "#{pid}\t#{start_time}\t#{version}");
  const find = () => driver.find(identity);
  const spawnedFind = () => tmux("display-message", "-p", "-t", identity.pane_id, FORMAT);

  const [asks, finds] = [inARow(ask), inARow(find)];
  const times = await byTurns(30 * scale, [asks.run, spawned, finds.run, spawnedFind]);
  const [asked, ran, found, ranFind] = [asks.each(times[0]), times[1], finds.each(times[2]), times[3]];
  figure("one query (server) against execFile('tmux'), latency", {
    value: speedup(asked, ran),
    target: 50,
    detail: `${number(median(asked))} against ${number(median(ran))} ms`,
  });
  figure("one pane found against execFile('tmux'), latency", {
    value: speedup(found, ranFind),
    target: 50,
    detail: `${number(median(found))} against ${number(median(ranFind))} ms; the driver reads /proc too`,
  });
  const many = (count, task) => async () => {
    for (let index = 0; index < count; index++) await task();
  };
  const cheap = (await cpuTime(server, many(1000, ask))) / 1000;
  const looked = (await cpuTime(server, many(500, find))) / 500;
  const dear = (await cpuTime(server, many(60, spawned))) / 60;
  figure("one query (server) against execFile('tmux'), CPU of all processes", {
    value: dear / cheap,
    target: 50,
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
    target: 100,
    detail: `${number((3200 / median(fast)) * 1000)} against ${number((64 / median(slow)) * 1000)} per second`,
  });
}

/** What a question costs the server, which looks at every pane each time it wakes up. */
export async function batches(lab) {
  const { driver, panes, server } = lab;
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

/** Everything listed, and the screens of all. */
export async function listings(lab, { scale }) {
  const { driver, tmux, panes } = lab;
  const list = () => driver.list();
  const spawnedList = () => tmux("list-panes", "-a", "-F", FORMAT);
  const [listed, ran] = await byTurns(10, [list, spawnedList]);
  figure(`list of ${panes.length} sessions against execFile('tmux')`, {
    value: speedup(listed, ran),
    detail: `${number(median(listed))} against ${number(median(ran))} ms`,
  });
  if (panes.length < 100 || panes.length > 300) return;
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
  const [many, single, spawned] = await byTurns(2 * scale, [
    () => driver.captureMany(some),
    () => Promise.all(some.map((identity) => driver.capture(identity))),
    spawnedCaptures,
  ]);
  figure("100 captures by captureMany against 8-way spawned captures", {
    value: speedup(many, spawned),
    target: 100,
    detail: `${number(median(many))} against ${number(median(spawned))} ms`,
  });
  figure("100 captures by capture against 8-way spawned captures", {
    value: speedup(single, spawned),
    detail: `${number(median(single))} ms`,
  });
}

async function serverTime(server, task) {
  const before = cpuOf(server).server;
  await task();
  return cpuOf(server).server - before;
}
