import { randomUUID } from "node:crypto";
import type { Input, NodeAnswer, Output, Parsed, SessionList } from "@tmpm/api";
import { type Client, client } from "@tmpm/api/client";
import { currentUid, type Location, localTransport, makePrivateDir, nodeSocket, nodeSockets } from "@tmpm/api/local";
import { keyedQueue, nodeExists, TmpmError, timestampFromMs, unknownNode } from "@tmpm/core";
import { eventLoopIdleMs, type KeptNode as Kept, keepNode, type NodeLink, patience, type Timer } from "@tmpm/fleet";
import { type AskedNode, fleetSessions } from "./fleet-sessions.js";
import { type KeptList, keptList, listKey } from "./kept-list.js";
import { nodeAnswer } from "./node-answer.js";
import { type NodeDoor, nodeDoor } from "./node-door.js";
import { nodeList } from "./node-list.js";
import type { KeptNode, KeptSessions } from "./node-record.js";
import type { NodeStores } from "./node-stores.js";
import { type PromptRoutes, promptRoutes } from "./prompt-routes.js";
import { waitingPrompts } from "./waiting-prompts.js";
import { within } from "./within.js";

export interface FleetOptions {
  readonly stores: NodeStores;
  readonly location: Pick<Location, "socket">;
  /** Establishes the link to a node. @throws NODE_OFFLINE, DAEMON_VERSION */
  readonly connect: (node: KeptNode, signal: AbortSignal) => Promise<NodeLink>;
  readonly timer: Timer;
  /** How long this process has waited for input so far, in ms; its own measurement by default. */
  readonly idleMs?: () => number;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** The other machines: keeps a link to each, and serves its daemon on a local socket. */
export interface Fleet {
  readonly routes: {
    nodes(): Promise<Output<"nodes">>;
    addNode(input: Parsed<"addNode">): Promise<NodeAnswer>;
    node(input: Parsed<"node">): Promise<NodeAnswer>;
    removeNode(input: Parsed<"removeNode">): Promise<NodeAnswer>;
    setNode(input: Parsed<"setNode">): Promise<NodeAnswer>;
  } & PromptRoutes["routes"];
  list(input: Parsed<"fleet">, own: () => Promise<SessionList>): Promise<Output<"fleet">>;
  close(): Promise<void>;
}

interface Member {
  record: KeptNode;
  readonly kept: Kept;
  readonly door: NodeDoor;
  readonly client: Client;
  readonly list: KeptList;
}

const WITHIN_MS = 300;
const REFRESH_MS = 15_000;

/** Starts connecting to every stored node. A node that cannot be served does not affect the others. */
export async function fleet(options: FleetOptions): Promise<Fleet> {
  const { stores, location, connect, timer, idleMs = eventLoopIdleMs, report } = options;
  const members = new Map<string, Member>();
  // A label has one link and one socket, so adding, removing and changing it are serialized.
  const changing = keyedQueue();
  const noting = new Set<Promise<void>>();
  const prompts = await waitingPrompts({ store: stores.prompts, timer, newId: randomUUID, report });
  const sender = promptRoutes({ prompts, find, timer, report });
  const { documents, damaged } = await stores.nodes.all();
  for (const { path, reason } of damaged) report({ doing: `read ${path}`, error: new Error(reason) });
  await endPromptsOfRemoved();
  const lists = await keptLists([...documents.values()]);
  for (const [label, record] of documents) {
    await begin({ ...record, label }, lists).catch((error: unknown) => report({ doing: `connect to node ${label}`, error }));
  }

  /** A removal that was interrupted after it deleted the record. */
  async function endPromptsOfRemoved(): Promise<void> {
    if (damaged.length > 0) return;
    for (const label of prompts.labels())
      if (!documents.has(label))
        await prompts.drop(label).catch((error: unknown) => report({ doing: `end the prompts of the removed node ${label}`, error }));
  }

  /** The last lists of the nodes by their keys. Those of removed nodes are deleted, unless a node's record cannot be read: its list is kept for it. */
  async function keptLists(records: readonly KeptNode[]): Promise<ReadonlyMap<string, KeptSessions>> {
    try {
      const kept = await stores.sessions.all();
      for (const { path, reason } of kept.damaged) report({ doing: `read ${path}`, error: new Error(reason) });
      if (damaged.length > 0) return kept.documents;
      const keys = new Set(records.flatMap(({ label, seen }) => (seen === null ? [] : [listKey({ label, nodeId: seen.node_id })])));
      for (const key of kept.documents.keys()) if (!keys.has(key)) await stores.sessions.delete(key);
      return kept.documents;
    } catch (error) {
      report({ doing: "read the sessions of nodes", error });
      return new Map();
    }
  }

  async function begin(record: KeptNode, known: ReadonlyMap<string, KeptSessions>): Promise<Member> {
    const { label } = record;
    makePrivateDir(nodeSockets(location), currentUid());
    const path = nodeSocket(location, label);
    const nodeId = record.seen?.node_id ?? null;
    const last = nodeId === null ? null : (known.get(listKey({ label, nodeId })) ?? null);
    const door = await nodeDoor({ path, label, link: () => kept.link() });
    const kept = keepNode({
      connect: (signal) => connect(record, signal),
      timer,
      online: (link) => note(label, link),
    });
    const member = {
      record,
      kept,
      door,
      client: client({ transport: localTransport({ socket: path }) }),
      list: keptList({ label, nodeId, last, store: stores.sessions, timer, report }),
    };
    // In the same turn of the event loop: the link may be open in the next.
    members.set(label, member);
    return member;
  }

  function note(label: string, link: NodeLink): void {
    const noted = seen(label, link)
      .catch((error: unknown) => report({ doing: `note node ${label}`, error }))
      .finally(() => noting.delete(noted));
    noting.add(noted);
  }

  /** Its sessions are known from then on, also while it is silent. */
  async function seen(label: string, { peer }: NodeLink): Promise<void> {
    const member = members.get(label);
    if (member === undefined) return;
    const { node_id, host_name, user, home, tmpm } = peer;
    const former = member.record.seen?.node_id;
    member.record = { ...member.record, seen: { node_id, host_name, user, home, version: tmpm, at: timestampFromMs(timer.wall()) } };
    const replaced = former === node_id ? undefined : member.list.replaced(node_id);
    await Promise.all([replaced, stores.nodes.put(label, member.record)]);
    void sender.deliver(member);
    const { sessions, problems } = nodeList(await member.client.list({}, { timeoutMs: REFRESH_MS }));
    member.list.keep({ as_of: timestampFromMs(timer.wall()), sessions, problems });
  }

  function find(label: string): Member {
    const member = members.get(label);
    if (member !== undefined) return member;
    throw unknownNode(label, [...members.keys()]);
  }

  function answer({ record, kept }: Member): NodeAnswer {
    const id = kept.state().link?.peer.node_id ?? record.seen?.node_id;
    const same = [...members.values()].filter(
      (other) => other.record.label !== record.label && id !== undefined && other.record.seen?.node_id === id,
    );
    const sameNodeAs = same.map((other) => other.record.label);
    return nodeAnswer({ kept: record, state: kept.state(), sameNodeAs, waiting: prompts.count(record.label) });
  }

  async function add(wanted: Pick<KeptNode, "label" | "ssh" | "nats" | "labels">): Promise<Member> {
    const { label } = wanted;
    if (members.has(label)) throw nodeExists(label);
    // A prompt that outlived its node, because it could not be ended, is not for a new one with the label. One whose record is stored was not removed;
    // a record that cannot be read is an error here.
    if ((await stores.nodes.get(label)) === null) await prompts.drop(label);
    const record = { ...wanted, schema_version: 1 as const, added_at: timestampFromMs(timer.wall()), seen: null };
    await stores.nodes.put(label, record);
    try {
      return await begin(record, new Map());
    } catch (error) {
      await stores.nodes.delete(label);
      throw error;
    }
  }

  async function remove(label: string): Promise<NodeAnswer> {
    const member = find(label);
    const answered = answer(member);
    // The record cannot be written again, because it can no longer be found.
    members.delete(label);
    try {
      await stores.nodes.delete(label);
    } catch (error) {
      members.set(label, member);
      throw error;
    }
    await Promise.all([member.kept.close(), member.door.close(), member.list.delete(), prompts.drop(label)]);
    return answered;
  }

  async function relabel(label: string, labels: readonly string[]): Promise<NodeAnswer> {
    const member = find(label);
    const before = member.record.labels;
    // Changed in memory first, as on a response of the node: each write is of the newest record.
    member.record = { ...member.record, labels: [...new Set(labels)] };
    try {
      await stores.nodes.put(label, member.record);
    } catch (error) {
      member.record = { ...member.record, labels: before };
      throw error;
    }
    return answer(member);
  }

  function asked(member: Member): AskedNode {
    return {
      label: member.record.label,
      state: member.kept.state,
      client: member.client,
      last: member.list.last,
      keep: member.list.keep,
      waiting: () => prompts.count(member.record.label),
    };
  }

  return {
    routes: {
      nodes: async () => ({ nodes: [...members.values()].map(answer), next: null }),
      async addNode({ label, ssh = null, nats = null, labels = [], wait_ms = 0 }) {
        if ((ssh === null) === (nats === null))
          throw new TmpmError("INVALID_ARGUMENT", "a node is reached by ssh or by a NATS server", { hint: "Give one of ssh and nats." });
        const member = await changing.run(label, () => add({ label, ssh, nats, labels: [...new Set(labels)] }));
        // The node's state shows whether it succeeded.
        await within(wait_ms, { timer, work: member.kept.link() });
        return answer(member);
      },
      node: async ({ node }) => answer(find(node)),
      removeNode: ({ node }) => changing.run(node, () => remove(node)),
      setNode: ({ node, labels }) => changing.run(node, () => relabel(node, labels)),
      ...sender.routes,
    },
    async list({ node, within_ms = WITHIN_MS, fields, ...query }, own) {
      const wanted = node.filter((label) => label !== "local").map(find);
      const chosen = node.length === 0 ? [...members.values()] : wanted;
      const withOwn = node.length === 0 || node.includes("local");
      const waits = patience(within_ms, { timer, idleMs });
      try {
        return await fleetSessions(chosen.map(asked), {
          query: asSent(query),
          fields: fields ?? null,
          patience: waits,
          own: withOwn ? own : null,
          now: timer.wall,
        });
      } finally {
        waits.stop();
      }
    },
    async close() {
      await changing.idle();
      const delivered = sender.close();
      // Ends the requests to the nodes.
      await Promise.all([...members.values()].flatMap(({ kept, door }) => [kept.close(), door.close()]));
      await Promise.all([delivered, ...noting]);
      await Promise.all([...members.values()].map(({ list }) => list.flush()));
    },
  };
}

type Query = Omit<Parsed<"fleet">, "node" | "within_ms" | "fields">;

function asSent(query: Query): Pick<Input<"list">, "all" | "archived" | "project_id" | "issue_id" | "state"> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
