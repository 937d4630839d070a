// The cost of the store, as ratios to the cost of the file system and JSON.parse for the same bytes, measured side by side.
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { SessionRecord } from "@tmpm/core";
import { directoryStore, singleFileStore } from "@tmpm/store";
import { atEnd, benchmark } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median, timed } from "../../../scripts/bench/measure.mjs";
import { rounds } from "../../../scripts/bench/rounds.mjs";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SIZES = [1, 100, 1_000, 10_000];
const fsyncInPool = promisify(fsync);
const home = mkdtempSync(join(tmpdir(), "tmpm-bench-"));

/** A file that changed recently is read again, which this benchmark does not measure. */
const YOUNG_MS = 2_100;

function record(id) {
  const at = "2026-01-02T03:04:05.678Z";
  const pane = { socket: "/run/user/1000/tmpm/tmux.sock", server_pid: 4_321, server_start: 1_780_000_000, pane_id: "%12" };
  const names = { name: `work-${id.slice(0, 8)}`, tmux_name: `tmpm-work-${id.slice(0, 8)}` };
  const agent = { agent: "claude", agent_config: { argv: ["claude"], search_path: "/usr/local/bin:/usr/bin:/bin" } };
  const times = { created_at: at, updated_at: at, launched_at: at };
  return SessionRecord.parse({
    id,
    ...names,
    ...agent,
    ...times,
    cwd: "/srv/work",
    task: "Fix the parser",
    state: "active",
    pane,
    pid: 4_400,
  });
}

/** Each layout with a folder of `count` records, how to open it, and the minimum cost of reading and parsing its bytes. */
const layouts = {
  directory: {
    async fill(path, count) {
      const store = directoryStore({ base: path });
      const { id } = await store.create(record(randomUUID()));
      await store.close();
      const folder = join(path, "default");
      const text = readFileSync(join(folder, `${id}.json`), "utf8");
      for (let more = 1; more < count; more++) {
        const other = randomUUID();
        writeFileSync(join(folder, `${other}.json`), text.replaceAll(id, other).replaceAll(id.slice(0, 8), other.slice(0, 8)));
      }
    },
    open: (path) => directoryStore({ base: path }),
    read(path) {
      const folder = join(path, "default");
      return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
    },
  },
  "single file": {
    async fill(path, count) {
      mkdirSync(path);
      const file = join(path, "sessions.json");
      const store = singleFileStore({ path: file });
      const { id } = await store.create(record(randomUUID()));
      await store.close();
      const { sessions } = JSON.parse(readFileSync(file, "utf8"));
      for (let more = 1; more < count; more++) {
        const other = randomUUID();
        sessions[other] = JSON.parse(JSON.stringify(sessions[id]).replaceAll(id, other).replaceAll(id.slice(0, 8), other.slice(0, 8)));
      }
      writeFileSync(file, JSON.stringify({ sessions }, undefined, 2));
    },
    open: (path) => singleFileStore({ path: join(path, "sessions.json") }),
    read: (path) => JSON.parse(readFileSync(join(path, "sessions.json"), "utf8")),
  },
};

const WITHIN_MS = 2_000 * scale;

/** The time of each task in each round; tasks alternate, and the first round does not count. */
async function measure(tasks, most) {
  const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (const round of rounds(most, { withinMs: WITHIN_MS })) {
    for (const [name, task] of Object.entries(tasks)) {
      const ms = await task();
      if (round > 0) times[name].push(ms);
    }
  }
  return times;
}

function ratio(values, to) {
  return median(values.map((value, index) => value / to[index]));
}

async function lists(layout, { open, read }) {
  for (const count of SIZES) {
    const path = join(home, `${layout} ${count}`);
    const { cold, bare } = await measure(
      {
        bare: () => timed(() => read(path)),
        async cold() {
          const store = open(path);
          const ms = await timed(() => store.list());
          await store.close();
          return ms;
        },
      },
      Math.ceil((scale * 24) / (1 + count / 2_000)),
    );
    const store = open(path);
    for (let look = 0; look < 3; look++) await store.list();
    const { warm } = await measure({ warm: () => timed(() => store.list()) }, 50 * scale);
    await store.close();
    const name = `${layout}: list of ${count.toLocaleString("en")}`;
    const is = count === SIZES.at(-1) ? { cold: { most: layout === "directory" ? 1.5 : 2 }, warm: { most: 1 } } : {};
    figure(`${name}, cold, against reading and parsing`, { value: ratio(cold, bare), ...is.cold });
    figure(`${name}, warm`, { value: median(warm), unit: " ms", ...is.warm });
  }
}

/** `many` at a time, because a clock is too coarse for one. */
async function unchanged(layout, { open }) {
  const count = SIZES.at(-1);
  const path = join(home, `${layout} ${count}`);
  const store = open(path);
  for (let look = 0; look < 3; look++) await store.list();
  const folder = layout === "directory" ? join(path, "default") : path;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
  const [entry] = await store.list();
  const many = 200;
  const repeat = (task) => async () =>
    (await timed(async () => {
      for (let done = 0; done < many; done++) await task();
    })) / many;
  const { get, list, stat, stats } = await measure(
    {
      get: repeat(() => store.get(entry.record.id)),
      list: repeat(() => store.list()),
      stat: repeat(() => lstatSync(files[0])),
      stats: () =>
        timed(() => {
          for (const file of files) lstatSync(file);
        }),
    },
    10 * scale,
  );
  await store.close();
  figure(`${layout}: get, unchanged, against a bare stat`, { value: ratio(get, stat) });
  if (layout !== "directory") return figure(`${layout}: list, unchanged, against a bare stat`, { value: ratio(list, stat) });
  figure(`${layout}: statting ${count.toLocaleString("en")} files, against an unchanged list`, { value: ratio(stats, list), target: 1000 });
}

async function updates(layout, { fill, open }) {
  const path = join(home, `${layout} updates`);
  await fill(path, 1);
  const store = open(path);
  const [
    {
      record: { id },
    },
  ] = await store.list();
  const folder = join(path, "bare");
  mkdirSync(folder);
  const text = `${JSON.stringify(record(id), undefined, 2)}\n`;
  let done = 0;
  const { update, bare, pooled } = await measure(
    {
      bare: () => timed(() => bareWrite(folder, text)),
      pooled: () => timed(() => pooledWrite(folder, text)),
      update: () => timed(() => store.update(id, (current) => ({ ...current, task: `step ${++done}` }))),
    },
    200 * scale,
  );
  await store.close();
  const most = layout === "directory" ? 1.3 : 2;
  figure(`${layout}: durable update, against write+fsync+rename+fsync`, { value: ratio(update, pooled), most });
  figure(`${layout}: the same, against one that blocks the thread`, { value: ratio(update, bare) });
}

/** As the store has to write, without blocking the thread on the disk. */
async function pooledWrite(folder, text) {
  const fd = openSync(join(folder, ".new"), "wx", 0o600);
  writeSync(fd, text);
  await fsyncInPool(fd);
  closeSync(fd);
  renameSync(join(folder, ".new"), join(folder, "record"));
  const above = openSync(folder, "r");
  await fsyncInPool(above);
  closeSync(above);
}

function bareWrite(folder, text) {
  const fd = openSync(join(folder, ".new"), "wx", 0o600);
  writeSync(fd, text);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(join(folder, ".new"), join(folder, "record"));
  const above = openSync(folder, "r");
  fsyncSync(above);
  closeSync(above);
}

await benchmark(async () => {
  atEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  for (const [layout, { fill }] of Object.entries(layouts)) for (const count of SIZES) await fill(join(home, `${layout} ${count}`), count);
  await sleep(YOUNG_MS);
  for (const [layout, actions] of Object.entries(layouts)) {
    await lists(layout, actions);
    await unchanged(layout, actions);
    await updates(layout, actions);
  }
});
