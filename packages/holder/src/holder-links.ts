import { dirname } from "node:path";
import type { PaneIdentity } from "@tmpm/core";
import { TmpmError } from "@tmpm/core/errors";
import { type ProcessTable, processTable } from "@tmpm/processes";
import { type FoundHolder, findHolder, isSame, listHolders } from "./find-holder.js";
import { folderOf } from "./holder-folder.js";
import { connectHolder, type HolderLink } from "./holder-link.js";

export interface LinksOptions {
  readonly base: string;
  readonly onEvent?: (link: HolderLink, event: unknown) => void;
  /** Part of opening: a link that it rejects is closed, and its error is the caller's. */
  readonly onOpened?: (link: HolderLink) => void | Promise<void>;
  /** For links that were opened. */
  readonly onClosed?: (link: HolderLink) => void;
  /** As for `connectHolder`. */
  readonly patienceMs?: number;
  readonly table?: ProcessTable;
}

/** One connection to each holder, opened on demand and kept. */
export interface HolderLinks {
  /** @throws PANE_GONE when the holder has ended; PANE_FOREIGN when another is in its place; UNRESPONSIVE when neither is certain */
  of(identity: PaneIdentity): Promise<HolderLink>;
  /**
   * All folders in the base, and the links to running holders; null for one that does not answer. If one did not answer last time, its link
   * is opened in the background.
   */
  all(): Promise<readonly { readonly found: FoundHolder; readonly link: HolderLink | null }[]>;
  close(): void;
}

export function holderLinks({ base, onEvent, onOpened, onClosed, patienceMs, table = processTable() }: LinksOptions): HolderLinks {
  const links = new Map<string, Promise<HolderLink>>();
  const silent = new Set<string>();
  let closed = false;

  function linkTo(folder: string): Promise<HolderLink> {
    const known = links.get(folder);
    if (known !== undefined) return known;
    const made = open(folder, () => links.get(folder) === made && links.delete(folder));
    links.set(folder, made);
    made.then(
      () => silent.delete(folder),
      () => {
        silent.add(folder);
        if (links.get(folder) === made) links.delete(folder);
      },
    );
    return made;
  }

  async function open(folder: string, forget: () => void): Promise<HolderLink> {
    if (closed) throw new TmpmError("SHUTTING_DOWN", "the driver is closed");
    let link: HolderLink | null = null;
    let opened = false;
    link = await connectHolder(folder, {
      ...(patienceMs === undefined ? {} : { patienceMs }),
      onEvent: (event) => link !== null && onEvent?.(link, event),
      onClosed() {
        forget();
        if (link !== null && opened) onClosed?.(link);
      },
    });
    if (closed) link.close();
    try {
      await onOpened?.(link);
    } catch (error) {
      link.close();
      throw error;
    }
    opened = true;
    return link;
  }

  async function answering(folder: string): Promise<HolderLink | null> {
    const link = linkTo(folder).catch(() => null);
    return silent.has(folder) ? null : link;
  }

  return {
    async of(identity) {
      if (dirname(folderOf(identity)) !== base)
        throw new TmpmError("PANE_FOREIGN", `${identity.socket} is not the socket of a holder in ${base}`);
      const link = await linkTo(folderOf(identity)).catch((error: unknown) => failed(error, { identity, table }));
      if (isSame(identity, link.facts)) return link;
      throw new TmpmError("PANE_FOREIGN", `another holder, process ${link.facts.pid}, has replaced ${identity.server_pid}`);
    },
    async all() {
      const found = await listHolders(base, table);
      const there = new Set(found.map(({ folder }) => folder));
      for (const folder of silent) if (!there.has(folder)) silent.delete(folder);
      return Promise.all(
        found.map(async (one) => {
          const link = one.kind === "running" || one.kind === "unreadable" ? await answering(one.folder) : null;
          // A holder that answers reports itself, regardless of its file.
          if (one.kind === "unreadable" && link !== null)
            return { found: { kind: "running", folder: one.folder, facts: link.facts }, link };
          return { found: one, link };
        }),
      );
    },
    close() {
      closed = true;
      // A connection in progress closes itself.
      for (const link of links.values())
        void link.then(
          (made) => made.close(),
          () => undefined,
        );
    },
  };
}

/** The reason why there is no connection, as far as the system reports it. */
async function failed(
  error: unknown,
  { identity, table }: { readonly identity: PaneIdentity; readonly table: ProcessTable },
): Promise<never> {
  if (!(error instanceof TmpmError) || error.code !== "UNRESPONSIVE") throw error;
  const answer = await findHolder(identity, table);
  if (answer.kind === "absent") throw new TmpmError("PANE_GONE", answer.reason, { cause: error });
  if (answer.kind === "unknown") throw new TmpmError("UNRESPONSIVE", `${error.message}; ${answer.error.message}`, { cause: error });
  throw error;
}
