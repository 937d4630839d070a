import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { idOf, recorder } from "../../src/contract/sessions.js";
import type { PaneInfo } from "../../src/driver.js";
import type { TmuxFixture } from "../tmux-fixture.js";

/** A program in a pane that reads raw and stores every byte; its file's size is its acknowledgement. */
export interface RawReader {
  readonly pane: PaneInfo;
  size(): number;
  /** Resolves when it has read this many bytes. */
  reaches(bytes: number): Promise<void>;
  bytes(): Promise<Buffer>;
}

export async function rawReader(fixture: TmuxFixture, session: { readonly id: string; readonly framed?: boolean }): Promise<RawReader> {
  const pane = await recorder(fixture, session);
  const path = join(fixture.folder, `${idOf(fixture, session.id)}.received`);
  const size = () => statSync(path).size;
  return {
    pane,
    size,
    async reaches(bytes) {
      const deadline = performance.now() + 20_000;
      while (size() < bytes && performance.now() < deadline) await sleep(2);
      expect(size()).toBe(bytes);
    },
    bytes: () => readFile(path),
  };
}

/** A pasted text as it arrives. */
export function arriving(text: string, { framed }: { readonly framed: boolean }): string {
  return framed ? `\u001b[200~${text}\u001b[201~` : text;
}
