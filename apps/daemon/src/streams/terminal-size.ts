import { isTmpmError, TmpmError } from "@tmpm/core";
import type { Terminal } from "@tmpm/supervisor";
import type { PaneSize } from "@tmpm/tmux-driver";
import { sizeLease } from "./size-lease.js";

export interface WantedSize extends PaneSize {
  /** Also from the viewer that currently decides it. */
  readonly take_over?: true | undefined;
}

export interface SizeNow extends PaneSize {
  readonly holder: string | null;
}

/** The size of a terminal, and the viewer that decides it. */
export interface TerminalSize {
  current(): SizeNow;
  /** Checks it, and revokes it from a silent viewer, or in favour of a user's terminal. */
  check(): Promise<void>;
  /** @throws INVALID_STATE while another viewer decides, and the errors of `Terminal.resize` */
  take(viewer: string, size: WantedSize): Promise<void>;
  release(viewer: string): Promise<void>;
  /** Releases it permanently. */
  close(): Promise<void>;
}

export interface TerminalSizeOptions {
  readonly terminal: Pick<Terminal, "resize" | "size">;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly onChange: (size: SizeNow, resized: boolean) => void;
}

export function terminalSize({ terminal, leaseMs, now, onChange }: TerminalSizeOptions): TerminalSize {
  const lease = sizeLease(leaseMs);
  let known: SizeNow = { columns: 1, rows: 1, holder: null };
  let last: Promise<unknown> = Promise.resolve();

  /** Sequential, so that sizes are applied in the order requested. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  }

  async function look(): Promise<void> {
    const found = await terminal.size();
    const holder = lease.holder(now());
    const { columns, rows } = found ?? known;
    const resized = columns !== known.columns || rows !== known.rows;
    const changed = resized || holder !== known.holder;
    known = { columns, rows, holder };
    if (changed) onChange(known, resized);
  }

  async function check(): Promise<void> {
    const had = known.holder;
    if (had !== null && ((await terminal.size())?.viewers ?? 0) > 0) lease.revoke();
    if (had !== null && lease.holder(now()) === null) await letGo();
    await look();
  }

  /** Once the terminal has ended, there is nothing to resize. */
  async function letGo(): Promise<void> {
    try {
      await terminal.resize(null);
    } catch (error) {
      if (!isTmpmError(error)) throw error;
    }
  }

  async function take(viewer: string, { take_over, columns, rows }: WantedSize): Promise<void> {
    const size = { columns, rows };
    const had = lease.holder(now());
    if (take_over === true && had !== viewer) lease.revoke();
    if (!lease.take(viewer, now())) {
      throw new TmpmError("INVALID_STATE", "another viewer decides the size", {
        hint: "Wait until it is released, or take it over.",
      });
    }
    const same = had === viewer && known.columns === size.columns && known.rows === size.rows;
    try {
      if (!same) await terminal.resize(size);
    } catch (error) {
      if (had !== viewer) lease.release(viewer);
      throw error;
    }
    await look();
  }

  async function release(viewer: string): Promise<void> {
    if (!lease.release(viewer)) return;
    await letGo();
    await look();
  }

  return {
    current: () => known,
    check: () => inTurn(check),
    take: (viewer, size) => inTurn(() => take(viewer, size)),
    release: (viewer) => inTurn(() => release(viewer)),
    close: () => inTurn(async () => void (lease.revoke() && (await letGo()))),
  };
}
