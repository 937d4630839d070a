import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { idOf, shows, specOf } from "../../src/contract/sessions.js";
import type { PaneInfo } from "../../src/driver.js";
import type { TmuxHarness } from "../tmux-harness.js";

/** Shows its mark, reads raw and keeps what it reads. */
const SCRIPT = 'stty raw -echo; : >"$2"; printf "mark-%s" "$1"; exec cat >"$2"';

export interface MarkedPane {
  readonly id: string;
  readonly pane: PaneInfo;
  received(): string;
}

export function markedArgv(harness: TmuxHarness, id: string): readonly [string, ...string[]] {
  return ["/bin/sh", "-c", SCRIPT, "sh", id, receivedPath(harness, id)];
}

export async function markedPane(harness: TmuxHarness, id: string): Promise<MarkedPane> {
  const pane = await harness.driver.create(specOf(harness, { id, argv: markedArgv(harness, id) }));
  await shows(harness, { pane, text: `mark-${id}` });
  return { id, pane, received: () => received(harness, id) };
}

export function received(harness: TmuxHarness, id: string): string {
  const path = receivedPath(harness, id);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function receivedPath(harness: TmuxHarness, id: string): string {
  return join(harness.folder, `${idOf(harness, id)}.received`);
}
