import { TmpmError } from "@tmpm/core/errors";
import type { HolderClient, HolderReply, HolderRequest } from "@tmpm/holder";
import { inTime } from "@tmpm/processes";
import { keyBytes } from "../key-bytes.js";
import { requireSize } from "../terminal-size.js";
import type { Feeds } from "./feeds.js";
import type { HeldInfo } from "./held-info.js";
import type { RenderedScreen } from "./rendered-screen.js";
import type { ReplayRing } from "./replay-ring.js";
import type { Watchers } from "./watchers.js";
import type { WriteQueue } from "./write-queue.js";

export interface PtyCallsOptions {
  readonly info: () => HeldInfo;
  readonly change: (change: Partial<HeldInfo>) => void;
  readonly resize: (size: { readonly columns: number; readonly rows: number }) => void;
  readonly screen: RenderedScreen;
  readonly ring: ReplayRing;
  readonly queue: WriteQueue;
  readonly feeds: Feeds;
  readonly watchers: Watchers;
  readonly viewing: Map<HolderClient, number>;
}

type Call = (request: Pick<HolderRequest, "args" | "bytes">, client: HolderClient) => HolderReply | Promise<HolderReply>;

/** How long a caller waits for a slow program to read its text, in ms; the text stays queued in order. */
const TAKEN_MS = 500;
/** Maximum bytes in one answer. */
const MOST_REPLAYED = 1024 * 1024;

export function ptyCalls(options: PtyCallsOptions): (request: HolderRequest, client: HolderClient) => Promise<HolderReply> {
  const calls: Readonly<Record<string, Call>> = { ...looks(options), ...effects(options), ...streams(options) };
  return async ({ verb, args, bytes }, client) => {
    const call = Object.hasOwn(calls, verb) ? calls[verb] : undefined;
    if (call === undefined) throw new TmpmError("INVALID_ARGUMENT", `this version of the holder does not support ${verb}`);
    return call({ args, bytes }, client);
  };
}

function looks({ info, screen, ring, watchers }: PtyCallsOptions): Record<string, Call> {
  return {
    info: () => ({ value: info() }),
    watch(_, client) {
      watchers.add(client);
      return { value: info() };
    },
    capture: ({ args }) => ({ value: { screen: screen.facts(numberOf(args, "history")), info: info() } }),
    look: () => ({ value: { offset: ring.to(), screen: screen.facts(0), info: info() }, bytes: screen.paint() }),
  };
}

function effects({ info, change, resize, screen, queue, viewing }: PtyCallsOptions): Record<string, Call> {
  const type = async (bytes: Uint8Array): Promise<HolderReply> => {
    if (info().exit !== null) throw new TmpmError("PANE_DEAD", "the session's program has ended");
    await accepted(queue.add(bytes));
    return { value: null };
  };
  return {
    paste: ({ bytes }) =>
      type(screen.framesPastes() ? Buffer.concat([Buffer.from("\u001b[200~"), bytes, Buffer.from("\u001b[201~")]) : bytes),
    type: ({ bytes }) => type(bytes),
    keys: ({ args }) =>
      type(
        Buffer.from(
          textsOf(args)
            .map((key) => keyBytes(key, screen.keyModes()))
            .join(""),
        ),
      ),
    resize({ args }) {
      const size = { columns: numberOf(args, "columns"), rows: numberOf(args, "rows") };
      requireSize(size);
      resize(size);
      return { value: null };
    },
    rename({ args }) {
      change({ tmuxName: String(fieldOf(args, "tmuxName")) });
      return { value: null };
    },
    viewing({ args }, client) {
      viewing.set(client, numberOf(args, "count"));
      change({ viewers: [...viewing.values()].reduce((sum, count) => sum + count, 0) });
      return { value: null };
    },
  };
}

function streams({ feeds, ring }: PtyCallsOptions): Record<string, Call> {
  return {
    subscribe({ args }, client) {
      const from = fieldOf(args, "from");
      feeds.open(client, typeof from === "number" ? from : null);
      return { value: null };
    },
    replay({ args }) {
      const bytes = ring.read(numberOf(args, "from"), Math.min(numberOf(args, "most"), MOST_REPLAYED));
      return bytes === null ? { value: "gone" } : { value: "kept", bytes };
    },
  };
}

/** A typing client does not wait for a program that does not read. */
async function accepted(taken: Promise<void>): Promise<void> {
  // For callers still waiting.
  taken.catch(() => undefined);
  await inTime(taken, TAKEN_MS);
}

function fieldOf(args: unknown, name: string): unknown {
  return typeof args === "object" && args !== null ? Reflect.get(args, name) : undefined;
}

function numberOf(args: unknown, name: string): number {
  const value = fieldOf(args, name);
  if (typeof value !== "number") throw new TmpmError("INVALID_ARGUMENT", `${name} is not a number`, { details: { field: name } });
  return value;
}

function textsOf(args: unknown): string[] {
  const keys = fieldOf(args, "keys");
  return Array.isArray(keys) ? keys.map(String) : [];
}
