import { figure, number } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { byTurns, inARow, speedup, until } from "./fixture.mjs";

const ECHO = ["/bin/sh", "-c", "stty -icanon; echo ready; exec cat >/dev/null"];

/** From a key to its echo. */
export async function keystrokes(fixture, { scale }) {
  const { driver, tmux } = fixture;
  const { identity } = await fixture.create(ECHO);
  await until(async () => (await driver.capture(identity)).lines.includes("ready"));
  const echo = waiting();
  const subscription = await driver.output(identity, (event) => {
    if (event.type === "chunk") echo.arrived();
  });
  const keyed = async (press) => {
    const arrival = echo.next();
    await press();
    await arrival;
  };
  const pty = await barePty();
  const keys = inARow(() => keyed(() => driver.keys(identity, ["a"])));
  const presses = pty === null ? null : inARow(pty.press);
  const client = await fixture.bare({ session: identity.pane_id, flags: "ignore-size" });
  const leasts = inARow(() => client.untilPrinted(`send-keys -t ${identity.pane_id} a`));
  const tasks = [keys.run, () => keyed(() => tmux("send-keys", "-t", identity.pane_id, "a")), leasts.run];
  const times = await byTurns(20 * scale, presses === null ? tasks : [...tasks, presses.run]);
  const [driven, spawned, least, bare] = [keys.each(times[0]), times[1], leasts.each(times[2]), presses?.each(times[3])];
  await client.close();
  figure("ceiling: key to echo by a bare control client", {
    value: speedup(least, spawned),
    detail: `${number(median(least))} against ${number(median(spawned))} ms`,
  });
  figure("key to echo against a bare control client", { value: speedup(least, driven), most: 1.3 });
  figure("key to echo against spawned send-keys", {
    value: speedup(driven, spawned),
    detail: `${number(median(driven))} against ${number(median(spawned))} ms`,
  });
  if (bare !== undefined) {
    figure("key to echo against a bare PTY", {
      value: 1 / speedup(driven, bare),
      most: 4,
      detail: `${number(median(driven))} against ${number(median(bare))} ms`,
    });
  }
  pty?.close();
  subscription.close();
}

function waiting() {
  let arrive = () => undefined;
  return {
    arrived: () => arrive(),
    next: () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  };
}

async function barePty() {
  const { default: nodePty } = await import("node-pty").catch((error) => {
    console.log(`key to echo against a bare PTY: skipped, node-pty does not load (${error.code ?? error.message})`);
    return { default: null };
  });
  if (nodePty === null) return null;
  const [file, ...args] = ECHO;
  const terminal = nodePty.spawn(file, args, { cols: 120, rows: 40 });
  const echo = waiting();
  let shown = "";
  terminal.onData((data) => {
    shown += data;
    echo.arrived();
  });
  await until(() => shown.includes("ready"));
  return {
    async press() {
      const arrival = echo.next();
      terminal.write("a");
      await arrival;
    },
    close: () => terminal.kill(),
  };
}
