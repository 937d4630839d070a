import {
  type KeyedQueue,
  keyedQueue,
  listenerSet,
  type PaneIdentity,
  type PaneInfo,
  type ServerEvent,
  type Subscription,
  shortageOf,
  TmpmError,
} from "@tmpm/core";
import { type FoundHolder, type HolderFacts, type HolderLink, type HolderLinks, holderLinks, identityOf, tidyGone } from "@tmpm/holder";
import { type ProcessTable, processTable } from "@tmpm/processes";
import { type HeldInfo, heldInfo } from "./held/held-info.js";
import { infoOf as infoIn } from "./output.js";
import { type HeldTerminal, paneInfos } from "./pane-infos.js";
import type { PtyOptions } from "./pty-driver.js";

/** State shared by the parts of the driver. */
export interface DriverContext {
  readonly options: PtyOptions;
  readonly table: ProcessTable;
  readonly links: HolderLinks;
  readonly lane: KeyedQueue;
  /** Removes the leftovers of ended holders in the background. */
  readonly tidy: (all: readonly FoundHolder[]) => void;
  /** Its holder's last report. */
  known(facts: HolderFacts): HeldInfo | null;
  /** Queries the holder. @throws UNRESPONSIVE */
  infoOf(link: HolderLink): Promise<HeldInfo>;
  paneOf(held: HeldTerminal): Promise<PaneInfo>;
  panesOf(held: readonly HeldTerminal[]): Promise<readonly PaneInfo[]>;
  /** Like `ask`, with the identity verified first. @throws PANE_GONE, PANE_FOREIGN, UNRESPONSIVE */
  whereIs(identity: PaneIdentity): Promise<{ readonly folder: string; readonly check: (link: HolderLink) => void }>;
  watch(listener: (event: ServerEvent) => void): Subscription;
  rename(identity: PaneIdentity, tmuxName: string): Promise<void>;
}

export function driverContext(options: PtyOptions): DriverContext {
  const table = options.table ?? processTable();
  const infos = new Map<string, HeldInfo>();
  const events = listenerSet<ServerEvent>();
  const links = holderLinks({
    base: options.base,
    table,
    patienceMs: patienceOf(options),
    onEvent(link, event) {
      const info = infoIn(event);
      if (info !== null) learn(link, info);
    },
    async onOpened(link) {
      const { value } = await link.call("watch");
      events.notify({ type: "opened", ...subject(link) });
      // A report that arrived meanwhile is newer than this answer.
      if (!infos.has(keyOf(link.facts))) learn(link, heldInfo(value));
    },
    onClosed(link) {
      infos.delete(keyOf(link.facts));
      events.notify({ type: "closed", ...subject(link) });
    },
  });

  function learn(link: HolderLink, info: HeldInfo | null): void {
    if (info === null || !link.isOpen()) return;
    const before = infos.get(keyOf(link.facts)) ?? null;
    infos.set(keyOf(link.facts), info);
    for (const event of changes(before, info)) events.notify({ ...event, ...subject(link) });
  }

  const lane = keyedQueue();
  const panesOf = (held: readonly HeldTerminal[]) => paneInfos(held, { table, home: options.home ?? null });
  return {
    options,
    table,
    links,
    lane,
    tidy: tidyGone({ lane, table }),
    known: (facts) => infos.get(keyOf(facts)) ?? null,
    async infoOf(link) {
      const info = heldInfo((await link.call("info")).value);
      if (info === null) throw new TmpmError("UNRESPONSIVE", "the holder did not report its terminal");
      return info;
    },
    panesOf,
    async paneOf(held) {
      const [pane] = await panesOf([held]);
      if (pane === undefined) throw new TypeError("one terminal makes one pane");
      return pane;
    },
    async whereIs(identity) {
      const { facts } = await links.of(identity);
      const same = (link: HolderLink) => {
        if (keyOf(link.facts) !== keyOf(facts)) throw new TmpmError("PANE_FOREIGN", "another holder has replaced it");
      };
      return { folder: folderIn(facts), check: same };
    },
    watch: (listener) => {
      const subscription = events.add(listener, { type: "look" });
      // Connects to existing holders, so that they report. If the machine does not allow it now, the next list connects.
      links.all().catch((error: unknown) => {
        if (shortageOf(error) === null) throw error;
      });
      return subscription;
    },
    async rename(identity, tmuxName) {
      const link = await links.of(identity);
      for (const { found } of await links.all()) {
        if (found.kind !== "running" || keyOf(found.facts) === keyOf(link.facts)) continue;
        if ((infos.get(keyOf(found.facts))?.tmuxName ?? found.facts.name) === tmuxName) throw nameTaken(tmuxName);
      }
      await link.call("rename", { args: { tmuxName } });
    },
  };
}

export function nameTaken(name: string): TmpmError {
  return new TmpmError("NAME_TAKEN", `session ${name} already exists`, { details: { name } });
}

export function patienceOf({ patienceMs = 5000 }: PtyOptions): number {
  return patienceMs;
}

function folderIn({ socket }: HolderFacts): string {
  return socket.slice(0, socket.lastIndexOf("/"));
}

function subject({ facts }: HolderLink): { readonly pane: PaneIdentity; readonly sessionId: string } {
  return { pane: identityOf(facts), sessionId: facts.session_id };
}

/** A pid can be reused in the same folder, but not with the same start. */
function keyOf({ socket, pid, start }: HolderFacts): string {
  return `${socket} ${pid} ${start}`;
}

type Change =
  | { readonly type: "exited" | "active" }
  | { readonly type: "renamed"; readonly tmuxName: string }
  | { readonly type: "viewers"; readonly viewers: number };

function changes(before: HeldInfo | null, now: HeldInfo): readonly Change[] {
  const found: Change[] = [];
  if (before === null) return now.exit === null ? found : [{ type: "exited" }];
  if (before.activeMs !== now.activeMs) found.push({ type: "active" });
  if (before.exit === null && now.exit !== null) found.push({ type: "exited" });
  if (before.tmuxName !== now.tmuxName) found.push({ type: "renamed", tmuxName: now.tmuxName });
  if (before.viewers !== now.viewers) found.push({ type: "viewers", viewers: now.viewers });
  return found;
}
