import { setTimeout as sleep } from "node:timers/promises";
import { figure, number } from "../../../scripts/bench/figures.mjs";
import { median, timed } from "../../../scripts/bench/measure.mjs";
import { cpuOf, residentMb } from "./fixture.mjs";

/** The cost of a watch while there are no changes, and the memory of a driver and its server. */
export async function watching(fixture, { scale }) {
  const { driver, panes, server } = fixture;
  const seconds = 4 * Math.min(scale, 5);
  const subscription = driver.watch(() => undefined);
  await sleep(1500);
  const before = cpuOf(server);
  await sleep(seconds * 1000);
  const after = cpuOf(server);
  subscription.close();
  const perSecond = (name) => (after[name] - before[name]) / seconds;
  figure(`watching ${panes.length} idle sessions, CPU of driver and server`, {
    value: (perSecond("own") + perSecond("server")) / 10,
    unit: " %",
    most: 1,
    detail: `per minute: driver ${number(perSecond("own") * 60)} ms, server ${number(perSecond("server") * 60)} ms, processes started ${number(perSecond("children") * 60)} ms`,
  });
  const full = [];
  for (let round = 0; round < 10; round++) full.push(await timed(() => driver.list()));
  figure(`memory of this process; of the server with ${panes.length} sessions`, {
    value: residentMb(process.pid),
    unit: " MB",
    detail: `${number(residentMb(server))} MB; a full list takes ${number(median(full))} ms`,
  });
}
