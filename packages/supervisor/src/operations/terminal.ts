import {
  type OutputListener,
  type OutputSubscription,
  type PaneIdentity,
  type PaneSize,
  parseText,
  type SessionId,
  TmpmError,
  timestampFromMs,
  withEffect,
} from "@tmpm/core";
import type { ByteRange, SessionHost } from "@tmpm/host";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { paneOf } from "../observe/observe.js";
import { throttled } from "../observe/throttled.js";
import { requireActive, requirePresent } from "../require-active.js";
import { type Typing, terminalKeys } from "../terminal-keys.js";

/** A user's terminal input: text as an emulator sends it, keys by tmux's names, or a paste. */
export type TerminalInput = { readonly text: string } | { readonly keys: readonly string[] } | { readonly paste: string };

/** Whether output can be replayed by its offset from the terminal's first byte; then `output` uses the same offsets. */
export type KeptOutput =
  | { readonly kind: "by_host"; readonly read: (range: ByteRange) => Promise<Uint8Array | null> }
  | { readonly kind: "nowhere"; readonly why: string };

/** The session's current terminal; a restart gives it another one. */
export interface Terminal {
  readonly id: SessionId;
  readonly name: string;
  readonly pane: PaneIdentity;
  readonly kept: KeptOutput;
  /** @throws the errors of `SessionHost.output` */
  output(listener: OutputListener): Promise<OutputSubscription>;
  /** After sends under way, and before later ones. @throws INVALID_STATE, INVALID_TEXT, PANE_GONE, and errors of the driver */
  type(input: TerminalInput): Promise<void>;
  /** Null lets it follow the users' attached terminals. @throws INVALID_STATE while one is attached, and errors of the driver */
  resize(size: PaneSize | null): Promise<void>;
  /** Null when it is missing, or cannot be read. */
  size(): Promise<(PaneSize & { readonly viewers: number }) | null>;
  /** The fate of the session whose terminal is gone. */
  fate(): Promise<"restarted" | "ended">;
}

/** Minimum interval of recorded typing, in ms. */
const TOUCH_MS = 5_000;
/** Minimum interval between observations of all sessions that typing into one terminal requests, in ms. */
const SWEEP_MS = 500;

/** @throws INVALID_STATE for a session that does not run, HOST_CANNOT for one without a terminal, and the errors of `findSession` */
export async function terminal(ctx: Context, input: { readonly session: string }): Promise<Terminal> {
  const record = await requireActive(ctx, { session: input.session, verb: "follow the terminal of" });
  const { id, name } = record;
  const pane = paneOf(record);
  ctx.host.requireCan(pane, "stream");
  let touchedMs = 0;
  const requestSweep = throttled(() => ctx.requests.sweep.notify(), { everyMs: SWEEP_MS, clock: ctx.clock });

  /** Reads the one record: a search reads all of them, for every key. */
  async function requireSame(verb: string): Promise<void> {
    const entry = await ctx.store.get(id);
    const now =
      entry?.kind === "session" && entry.record.state === "active" ? entry.record : await requireActive(ctx, { session: id, verb });
    if (now.pane?.pane_id === pane.pane_id && now.pane.server_pid === pane.server_pid) return;
    throw new TmpmError("PANE_GONE", `the terminal of session ${now.name} was replaced`, { details: { id } });
  }

  async function perform(typing: Typing): Promise<void> {
    ctx.usage.limitResumes.acted(id);
    if (typing.kind === "keys") await ctx.host.keys(pane, typing.keys);
    else await ctx.host.paste(pane, typing.text);
  }

  async function touch(): Promise<void> {
    const nowMs = ctx.clock.now();
    if (nowMs - touchedMs < TOUCH_MS) return;
    touchedMs = nowMs;
    const now = timestampFromMs(nowMs);
    try {
      await ctx.store.update(id, (current) => ({ ...current, last_activity_at: now, updated_at: now }));
    } catch (error) {
      // It is typed, even if the store fails.
      ctx.report({ doing: `recording input to session ${name}`, error });
    }
  }

  return {
    id,
    name,
    pane,
    kept: keptOf(ctx.host.at(pane), pane),
    output: (listener) => ctx.host.output(pane, listener),
    async type(given) {
      const steps = stepsOf(given);
      await ctx.queue.run(id, async () => {
        await requireSame("type into");
        for (const [index, step] of steps.entries()) await (index === 0 ? perform(step) : afterTheFirst(() => perform(step)));
        requestSweep();
        await touch();
      });
    },
    async resize(size) {
      if (size === null) return ctx.host.resize(pane, null);
      await requirePresent(ctx, record);
      const found = await ctx.host.find(pane);
      if (found.kind === "present" && found.value.viewers > 0) throw sizedByPeople(name);
      await ctx.host.resize(pane, size);
    },
    async size() {
      const found = await ctx.host.find(pane);
      if (found.kind !== "present") return null;
      const { columns, rows, viewers } = found.value;
      return { columns, rows, viewers };
    },
    async fate() {
      const now = await findSession(ctx, id);
      const same = now.pane?.pane_id === pane.pane_id && now.pane.server_pid === pane.server_pid;
      return (now.state === "active" && !same) || now.intent?.op === "restart" ? "restarted" : "ended";
    },
  };
}

function keptOf({ replay, cannot }: SessionHost, pane: PaneIdentity): KeptOutput {
  if (replay === undefined) return { kind: "nowhere", why: cannot.replay?.why ?? "its host keeps no output" };
  return { kind: "by_host", read: (range) => replay(pane, range) };
}

function stepsOf(input: TerminalInput): readonly Typing[] {
  if ("keys" in input) return [{ kind: "keys", keys: input.keys }];
  return "paste" in input ? [{ kind: "paste", text: parseText(input.paste) }] : terminalKeys(input.text);
}

/** Some input was already typed. */
async function afterTheFirst(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    throw withEffect(error, "unknown");
  }
}

function sizedByPeople(name: string): TmpmError {
  return new TmpmError("INVALID_STATE", `a terminal attached to session ${name} determines the size`, {
    hint: "Resize it once that terminal has detached.",
  });
}
