import type { Input, NodeAnswer, Output, Parsed, SessionList } from "@tmpm/api";
import { type Client, client } from "@tmpm/api/client";
import { currentUid, type Location, localTransport, makePrivateDir, nodeSocket, nodeSockets } from "@tmpm/api/local";
import { didYouMean, keyedQueue, TmpmError, timestampFromMs } from "@tmpm/core";
import { type KeptNode as Kept, keepNode, type NodeLink, type Timer } from "@tmpm/fleet";
import { type AskedNode, fleetSessions, nodeList } from "./fleet-sessions.js";
import { nodeAnswer } from "./node-answer.js";
import { type NodeDoor, nodeDoor } from "./node-door.js";
import type { KeptNode, KeptSessions } from "./node-record.js";
import type { NodeStores } from "./node-stores.js";

export interface FleetOptions {
  readonly stores: NodeStores;
  readonly location: Pick<Location, "socket">;
  /** Establishes the link to a node. @throws NODE_OFFLINE, DAEMON_VERSION */
  readonly connect: (node: KeptNode, signal: AbortSignal) => Promise<NodeLink>;
  readonly timer: Timer;
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
  };
  list(input: Parsed<"fleet">, own: () => Promise<SessionList>): Promise<Output<"fleet">>;
  close(): Promise<void>;
}

interface Member {
  record: KeptNode;
  readonly kept: Kept;
  readonly door: NodeDoor;
  readonly client: Client;
  last: KeptSessions | null;
  /** Ends the wait for the next write of `last`; null while nothing waits to be written. */
  waiting: (() => void) | null;
  lastWritten: number;
}

const WITHIN_MS = 300;
/** Minimum interval between writes of a node's list. */
const WRITE_MS = 30_000;
const REFRESH_MS = 15_000;

/** Starts connecting to every stored node. A node that cannot be served does not affect the others. */
export async function fleet(options: FleetOptions): Promise<Fleet> {
  const { stores, location, connect, timer, report } = options;
  const members = new Map<string, Member>();
  // A label has one link and one socket, so adding, removing and changing it are serialized.
  const changing = keyedQueue();
  const { documents, damaged } = await stores.nodes.all();
  for (const { path, reason } of damaged) report({ doing: `read ${path}`, error: new Error(reason) });
  for (const record of documents.values()) {
    await begin(record).catch((error: unknown) => report({ doing: `connect to node ${record.label}`, error }));
  }

  async function begin(record: KeptNode): Promise<Member> {
    const { label } = record;
    makePrivateDir(nodeSockets(location), currentUid());
    const path = nodeSocket(location, label);
    const last = await stores.sessions.get(label).catch((error: unknown) => {
      report({ doing: `read the sessions of node ${label}`, error });
      return null;
    });
    const door = await nodeDoor({ path, label, link: () => kept.link() });
    const kept = keepNode({
      connect: (signal) => connect(record, signal),
      timer,
      online: (link) => void seen(label, link).catch((error: unknown) => report({ doing: `note node ${label}`, error })),
    });
    const member = {
      record,
      kept,
      door,
      client: client({ transport: localTransport({ socket: path }) }),
      last,
      waiting: null,
      lastWritten: 0,
    };
    // In the same turn of the event loop: the link may be open in the next.
    members.set(label, member);
    return member;
  }

  /** Its sessions are known from then on, also while it is silent. */
  async function seen(label: string, { peer }: NodeLink): Promise<void> {
    const member = members.get(label);
    if (member === undefined) return;
    const { node_id, host_name, user, home, tmpm } = peer;
    member.record = { ...member.record, seen: { node_id, host_name, user, home, version: tmpm, at: timestampFromMs(timer.wall()) } };
    await stores.nodes.put(label, member.record);
    const { sessions, problems } = nodeList(await member.client.list({}, { timeoutMs: REFRESH_MS }));
    keep(member, { as_of: timestampFromMs(timer.wall()), sessions, problems });
  }

  function keep(member: Member, kept: KeptSessions): void {
    member.last = kept;
    const since = timer.now() - member.lastWritten;
    if (member.lastWritten === 0 || since >= WRITE_MS) void write(member);
    else member.waiting ??= timer.after(WRITE_MS - since, () => void write(member));
  }

  async function write(member: Member): Promise<void> {
    member.waiting?.();
    member.waiting = null;
    member.lastWritten = timer.now();
    const { label } = member.record;
    if (member.last === null || members.get(label) !== member) return;
    await stores.sessions.put(label, member.last).catch((error: unknown) => report({ doing: `keep the sessions of node ${label}`, error }));
  }

  function find(label: string): Member {
    const member = members.get(label);
    if (member !== undefined) return member;
    const near = didYouMean(label, [...members.keys()]);
    throw new TmpmError("NODE_NOT_FOUND", `unknown node ${label}`, {
      hint: near === null ? "`tmpm nodes` lists them; `tmpm nodes add` adds one." : `Did you mean ${near}? \`tmpm nodes\` lists them.`,
      details: { nodes: [...members.keys()] },
    });
  }

  function answer({ record, kept }: Member): NodeAnswer {
    const id = kept.state().link?.peer.node_id ?? record.seen?.node_id;
    const same = [...members.values()].filter(
      (other) => other.record.label !== record.label && id !== undefined && other.record.seen?.node_id === id,
    );
    return nodeAnswer({ kept: record, state: kept.state(), sameNodeAs: same.map((other) => other.record.label) });
  }

  async function add(wanted: Pick<KeptNode, "label" | "ssh" | "nats" | "labels">): Promise<Member> {
    const { label } = wanted;
    if (members.has(label))
      throw new TmpmError("NAME_TAKEN", `a node named ${label} already exists`, {
        hint: `Choose another label, or \`tmpm nodes rm ${label}\` first.`,
      });
    const record = { ...wanted, schema_version: 1 as const, added_at: timestampFromMs(timer.wall()), seen: null };
    await stores.nodes.put(label, record);
    try {
      return await begin(record);
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
    await Promise.all([member.kept.close(), member.door.close(), stores.sessions.delete(label)]);
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
      last: () => member.last,
      keep: (kept) => keep(member, kept),
    };
  }

  return {
    routes: {
      nodes: async () => ({ nodes: [...members.values()].map(answer), next: null }),
      async addNode({ label, ssh = null, nats = null, labels = [], wait_ms = 0 }) {
        if ((ssh === null) === (nats === null))
          throw new TmpmError("INVALID_ARGUMENT", "a node is reached by ssh or by a NATS server", { hint: "Give one of ssh and nats." });
        const member = await changing.run(label, () => add({ label, ssh, nats, labels: [...new Set(labels)] }));
        await within(wait_ms, { timer, work: member.kept.link() });
        return answer(member);
      },
      node: async ({ node }) => answer(find(node)),
      removeNode: ({ node }) => changing.run(node, () => remove(node)),
      setNode: ({ node, labels }) => changing.run(node, () => relabel(node, labels)),
    },
    async list({ node, within_ms = WITHIN_MS, ...query }, own) {
      const wanted = node.filter((label) => label !== "local").map(find);
      const chosen = node.length === 0 ? [...members.values()] : wanted;
      const withOwn = node.length === 0 || node.includes("local");
      return fleetSessions(chosen.map(asked), {
        query: asSent(query),
        withinMs: within_ms,
        own: withOwn ? own : null,
        now: timer.wall,
      });
    },
    async close() {
      await changing.idle();
      await Promise.all(
        [...members.values()].map(async (member) => {
          if (member.waiting !== null) await write(member);
          await Promise.all([member.kept.close(), member.door.close()]);
        }),
      );
    },
  };
}

type Query = Omit<Parsed<"fleet">, "node" | "within_ms">;

function asSent(query: Query): Pick<Input<"list">, "all" | "archived" | "project_id" | "issue_id" | "state"> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** The node's state shows whether it succeeded. */
async function within(ms: number, { timer, work }: { readonly timer: Timer; readonly work: Promise<unknown> }): Promise<void> {
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  if (ms > 0) await Promise.race([settled, new Promise<void>((resolve) => void timer.after(ms, resolve))]);
}
