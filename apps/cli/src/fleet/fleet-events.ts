import { setTimeout as sleep } from "node:timers/promises";
import { type EventsWanted, type FollowedEvent, type FollowOptions, followEvents, keptEvents } from "@tmpm/api/client";
import { hasCode } from "@tmpm/core";
import type { Context } from "../context.js";
import { eachNode, type NodePart } from "./each-node.js";
import { merged } from "./merged.js";

/** An event of a machine; `node` is null for this one. */
export type NodeEvent = (FollowedEvent | { readonly kind: "silent"; readonly reason: string }) & { readonly node: string | null };

export interface KeptOfNodes {
  /** Oldest first. */
  readonly events: readonly NodeEvent[];
  /** The number of the newest event of each machine that answered. */
  readonly seqs: ReadonlyMap<string | null, number>;
  readonly nodes: readonly NodePart[];
}

const RETRY_MS = 2_000;

/** The retained events of each machine. */
export async function keptOfNodes(
  context: Context,
  { only, wanted }: { readonly only: readonly string[]; readonly wanted: EventsWanted },
): Promise<KeptOfNodes> {
  const { answers, nodes } = await eachNode(context, {
    only,
    ask: async (client, within) => {
      const events: FollowedEvent[] = [];
      for await (const each of keptEvents({ events: (query) => within((options) => client.events(query, options)) }, wanted))
        events.push(each);
      return events;
    },
  });
  const events = answers.flatMap(({ node, answer }) => answer.map((each): NodeEvent => ({ ...each, node })));
  return {
    events: events.toSorted((one, other) => timeOf(one).localeCompare(timeOf(other))),
    seqs: new Map(
      answers.map(({ node, answer }) => [node, answer.reduce((seq, each) => Math.max(seq, seqOf(each)), Number(wanted.after ?? 0))]),
    ),
    nodes,
  };
}

export interface FollowedNodes {
  readonly wanted: EventsWanted;
  /** The number to continue after, of each machine; undefined for one that did not answer. */
  readonly from: ReadonlyMap<string | null, number | undefined>;
  /** Of a machine that did not answer, only the newest so many of the events that it keeps; all when not given. */
  readonly last: number | undefined;
}

/** New events of each machine, after its given number, until the loop is left; a silent one is reported once, and resumes after its last event. */
export async function* followNodes(context: Context, { wanted, from, last }: FollowedNodes): AsyncGenerator<NodeEvent> {
  const over = new AbortController();
  try {
    yield* merged(
      [...from].map(([node, after]) =>
        steady(context.at(node, over.signal), {
          wanted: { ...wanted, ...(after === undefined ? {} : { after }) },
          last: after === undefined ? last : undefined,
        }),
      ),
    );
  } finally {
    over.abort();
  }
}

/** This machine's own daemon may be restarted. */
function patienceFor({ node, signal }: Context): FollowOptions {
  return { ...(node === null ? {} : { attempts: 3 }), ...(signal === undefined ? {} : { signal }) };
}

async function* steady(context: Context, { wanted, last }: Pick<FollowedNodes, "wanted" | "last">): AsyncGenerator<NodeEvent> {
  const { node } = context;
  let after = wanted.after;
  let isCut = last === undefined;
  let isReported = false;
  while (context.signal?.aborted !== true) {
    try {
      if (!isCut) {
        const { newest, seq } = await newestOf(keptEvents(context.observer(), wanted), last ?? 0);
        isCut = true;
        after = seq ?? after;
        for (const each of newest) yield { ...each, node };
      }
      for await (const each of followEvents(
        context.observer(),
        after === undefined ? wanted : { ...wanted, after },
        patienceFor(context),
      )) {
        after = seqOf(each);
        isReported = false;
        yield { ...each, node };
      }
    } catch (error) {
      // As in eachNode: a node without the project has none of its events, until it gets the project.
      if (node !== null && hasCode(error, "PROJECT_NOT_FOUND")) {
        await retryPause(context);
        continue;
      }
      // Without this machine's own daemon there is nothing to follow.
      if (node === null || !hasCode(error, "NODE_OFFLINE", "DAEMON_UNREACHABLE", "SHUTTING_DOWN")) throw error;
      await mustExist(context.at(null), node);
      if (!isReported) yield { kind: "silent", reason: error.message, node };
      isReported = true;
      await retryPause(context);
    }
  }
}

/** Ends early when the stream is left. */
async function retryPause({ signal }: Context): Promise<void> {
  await sleep(RETRY_MS, undefined, { signal }).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
}

/** The socket of a removed node is missing, just as that of a restarting daemon. @throws NODE_NOT_FOUND */
async function mustExist(here: Context, node: string): Promise<void> {
  try {
    await here.observer().node({ node });
  } catch (error) {
    // Without an answer, the node may still be there.
    if (!hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN")) throw error;
  }
}

function seqOf(each: FollowedEvent): number {
  return each.kind === "event" ? each.event.seq : each.snapshot_at;
}

/** Discarded events precede all others. */
function timeOf(each: NodeEvent): string {
  return each.kind === "event" ? (each.event.at ?? "") : "";
}

/** The newest `count` events, and the number of the latest event. */
export async function newestOf(all: AsyncIterable<FollowedEvent>, count: number) {
  const newest: FollowedEvent[] = [];
  let seq: number | null = null;
  for await (const each of all) {
    seq = seqOf(each);
    newest.push(each);
    if (newest.length > count) newest.shift();
  }
  return { newest, seq };
}
