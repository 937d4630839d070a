import { type ListenerSet, listenerSet, type PaneIdentity, type ServerEvent, TmpmError } from "@tmpm/core";
import { type FoundHolder, type HolderLink, holderLinks, identityOf } from "@tmpm/holder";
import { type ConversationEdge, edgeOf, heldEdge } from "../conversation/edge.js";
import { type Mirror, mirror } from "./mirror.js";
import type { ConversationView } from "./screen.js";

/** An event in a conversation, as a hook of its agent would report it. */
export interface ReportedEdge {
  readonly pane: PaneIdentity;
  readonly sessionId: string;
  readonly atMs: number;
  readonly reading: ConversationEdge;
}

/** A holder with a known conversation. */
export interface HeldConversation {
  readonly link: HolderLink;
  seen(): ConversationView;
}

/** The holders of one folder, and the events of their conversations. */
export interface Holders {
  readonly edges: ListenerSet<ReportedEdge>;
  readonly changes: ListenerSet<ServerEvent>;
  /** @throws PANE_GONE, PANE_FOREIGN, UNRESPONSIVE */
  of(identity: PaneIdentity): Promise<HeldConversation>;
  /** All entries of the folder; `held` is null for one that does not answer. */
  all(): Promise<readonly { readonly found: FoundHolder; readonly held: HeldConversation | null }[]>;
  close(): void;
}

export function holders({ base, patienceMs }: { readonly base: string; readonly patienceMs?: number }): Holders {
  const edges = listenerSet<ReportedEdge>();
  const changes = listenerSet<ServerEvent>();
  const mirrors = new Map<HolderLink, Mirror>();

  function open(link: HolderLink): void {
    const pane = identityOf(link.facts);
    const sessionId = link.facts.session_id;
    const emitEdge = (reading: ConversationEdge | null, atMs: number) => {
      if (reading !== null) edges.notify({ pane, sessionId, atMs, reading });
    };
    const made = mirror({
      link,
      happened({ event, at_ms }, state) {
        emitEdge(edgeOf(event, { more: state.requests.length > 0, atMs: at_ms }), at_ms);
        changes.notify({ type: event.type === "exited" ? "exited" : "active", pane, sessionId });
      },
      found(state) {
        if (state.conversation_id !== null) emitEdge(heldEdge(state.conversation_id), Date.now());
        changes.notify({ type: "opened", pane, sessionId });
      },
      lost: () => link.close(),
    });
    mirrors.set(link, made);
    // A caller that needs it gets the reason; it is checked again then.
    made.ready.catch(() => link.close());
  }

  const links = holderLinks({
    base,
    ...(patienceMs === undefined ? {} : { patienceMs }),
    onOpened: open,
    onEvent: (link, event) => mirrors.get(link)?.hear(event),
    onClosed(link) {
      mirrors.delete(link);
      changes.notify({ type: "closed", pane: identityOf(link.facts), sessionId: link.facts.session_id });
    },
  });

  /** A connection that has just been lost counts as unresponsive. */
  async function heldOver(link: HolderLink): Promise<HeldConversation> {
    const known = mirrors.get(link);
    if (known === undefined) throw new TmpmError("UNRESPONSIVE", "the holder ended the connection");
    await known.ready;
    return { link, seen: () => ({ facts: link.facts, state: known.state(), about: known.about() }) };
  }

  return {
    edges,
    changes,
    of: async (identity) => heldOver(await links.of(identity)),
    all: async () =>
      Promise.all(
        (await links.all()).map(async ({ found, link }) => ({
          found,
          held: link === null ? null : await heldOver(link).catch(() => null),
        })),
      ),
    close: links.close,
  };
}
