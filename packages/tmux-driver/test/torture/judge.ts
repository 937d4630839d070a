import { readFileSync } from "node:fs";
import { idOf } from "../../src/contract/sessions.js";
import { argument } from "../../src/transport/argument.js";
import type { TmuxFixture } from "../tmux-fixture.js";
import { markedArgv } from "./marked-pane.js";

/** Whether the process runs according to /proc, independent of any driver. */
export function runs(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

export interface JudgedPane {
  readonly pane_id: string;
  readonly pid: number;
  readonly tag: string;
}

/** The panes of users and of tests, as listed by a separate tmux process; none without a server. */
export async function judgedPanes(fixture: TmuxFixture): Promise<JudgedPane[]> {
  const output = await fixture.tmux("list-panes", "-a", "-F", "#{session_name} #{pane_id} #{pane_pid} #{@tmpm_id}").catch(() => "");
  const rows = output.split("\n").map((line) => line.split(" "));
  return rows
    .filter(([name = ""]) => name !== "" && name !== "tmpm_anchor")
    .map(([, pane_id = "", pid = "", tag = ""]) => ({ pane_id, pid: Number(pid), tag }));
}

/** Another server on the same socket whose panes have the ids and the tags of the previous ones; returns its pid. */
export async function startLookalike(fixture: TmuxFixture, tags: readonly string[]): Promise<number> {
  const commands = tags.flatMap((id, index) => {
    const name = `bait${index}`;
    const create = ["new-session", "-d", "-s", name, "-x", "80", "-y", "24", "--", ...markedArgv(fixture, `${name}-${id}`)];
    return [
      ...(index === 0 ? [] : [";"]),
      ...create.map(argument),
      ";",
      "set-option",
      "-p",
      "-t",
      `=${name}:`,
      "@tmpm_id",
      idOf(fixture, id),
    ];
  });
  await fixture.tmux("-f", "/dev/null", ...commands);
  return Number(await fixture.tmux("display-message", "-p", "#{pid}"));
}
