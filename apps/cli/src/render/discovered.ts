import type { DiscoverAnswer, Discovered, Unobservable } from "@tmpm/api";
import type { View } from "../context.js";
import { age } from "./age.js";
import type { Cell } from "./cell.js";
import { oneLine } from "./one-line.js";
import { pathCell, shortPath } from "./path.js";
import { table } from "./table.js";

const HEAD = ["NAME", "AGENT", "WHERE", "DIRECTORY", "REMARKS"];
/** Columns omitted in this order if space is short: the agent, then the directory. */
const SPARE = [1, 3];

/** The table of unmanaged programs; empty without any. */
export function renderDiscovered({ discovered }: Pick<DiscoverAnswer, "discovered">, view: View): string {
  return discovered.length === 0 ? "" : table({ head: HEAD, rows: discovered.map((one) => row(one, view)), spare: SPARE }, view);
}

/** Summary for people, below the table. */
export function discoveryNotes({ discovered, unobservable }: Pick<DiscoverAnswer, "discovered" | "unobservable">): readonly string[] {
  const silent = unobservable.map(silentServer);
  return discovered.length === 0 && silent.length === 0 ? ["no unmanaged programs"] : silent;
}

export function silentServer({ socket, message }: Unobservable): string {
  return oneLine(`the host at ${socket} does not answer, so its programs are unknown: ${message}`);
}

function row({ name, agent, socket, pane_id, pid, started_at, cwd, reason }: Discovered, { now, userHome }: View): readonly Cell[] {
  const where =
    socket === null
      ? `pid ${pid}, since ${started_at === null ? "?" : age(started_at, now)}`
      : `${pane_id} on ${shortPath(socket, userHome)}`;
  return [name, agent, where, cwd === null ? "?" : pathCell(cwd, userHome), reason ?? "can be adopted"];
}
