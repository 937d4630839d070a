import { figure, number } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { byTurns, inARow, speedup } from "./fixture.mjs";

/** The same server through node-tmux, which runs a shell and a tmux for each call: whether one session exists, and the list of sessions. */
export async function anotherLibrary(fixture, { scale }) {
  const { driver, panes, socket } = fixture;
  const other = await nodeTmux(`tmux -u -S ${socket}`);
  if (other === null) return;
  const { identity, tmuxName } = panes[0];
  const finds = inARow(() => driver.find(identity));
  const times = await byTurns(10 * scale, [finds.run, () => other.hasSession(tmuxName), () => driver.list(), () => other.listSessions()]);
  const [found, had, listed, named] = [finds.each(times[0]), ...times.slice(1)];
  figure("one pane found, with all facts, against node-tmux hasSession", {
    value: speedup(found, had),
    detail: `${number(median(found))} against ${number(median(had))} ms`,
  });
  figure(`list of ${panes.length} sessions, with all facts, against node-tmux names`, {
    value: speedup(listed, named),
    detail: `${number(median(listed))} against ${number(median(named))} ms`,
  });
}

/** `command` is part of a shell line there. */
async function nodeTmux(command) {
  try {
    return await (await import("node-tmux")).default.tmux({ command });
  } catch (error) {
    console.log(`against node-tmux: skipped, it does not load (${error.code ?? error.message})`);
    return null;
  }
}
