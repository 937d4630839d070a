import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { idOf, shows, specOf } from "../../src/contract/sessions.js";
import type { PaneInfo } from "../../src/driver.js";
import type { TmuxFixture } from "../tmux-fixture.js";

/** Shows its mark, reads raw and stores its input. */
const SCRIPT = 'stty raw -echo; : >"$2"; printf "mark-%s" "$1"; exec cat >"$2"';

export interface MarkedPane {
  readonly id: string;
  readonly pane: PaneInfo;
  received(): string;
}

export function markedArgv(fixture: TmuxFixture, id: string): readonly [string, ...string[]] {
  return ["/bin/sh", "-c", SCRIPT, "sh", id, receivedPath(fixture, id)];
}

export async function markedPane(fixture: TmuxFixture, id: string): Promise<MarkedPane> {
  const pane = await fixture.driver.create(specOf(fixture, { id, argv: markedArgv(fixture, id) }));
  await shows(fixture, { pane, text: `mark-${id}` });
  return { id, pane, received: () => received(fixture, id) };
}

export function received(fixture: TmuxFixture, id: string): string {
  const path = receivedPath(fixture, id);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function receivedPath(fixture: TmuxFixture, id: string): string {
  return join(fixture.folder, `${idOf(fixture, id)}.received`);
}
