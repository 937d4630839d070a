import { randomBytes } from "node:crypto";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import type { OpenWire, WireEnd, WireListener } from "../wire.js";
import { closedEnd, hasNoResponder, type NatsAccess, natsConnection, subscriptionEnd, watchRefusals } from "./connection.js";
import { endMessage, KIND, message, readEnd, readyMessage } from "./message.js";
import { allToNode, type LinkName, readToNode, toClient, toNode } from "./subjects.js";

export interface ServeNatsOptions extends NatsAccess {
  /** This node's name on the server. */
  readonly node: string;
  readonly hostName: string;
  /** The callers that it answers. */
  readonly clients: ReadonlySet<string>;
  /** Accepts the node's end of a link's wire. */
  readonly serve: (openWire: OpenWire, client: string) => void;
}

export interface ServedNats {
  readonly closed: Promise<WireEnd>;
  close(): void;
}

/** Maximum number of simultaneous links of one caller. */
const MOST_LINKS = 64;

interface Served {
  readonly client: string;
  readonly listener: WireListener;
  readonly leave: () => void;
}

/** Answers callers on a NATS server, until the connection ends. @throws WireFault */
export async function serveNats(options: ServeNatsOptions): Promise<ServedNats> {
  const connection = await natsConnection(options);
  const { node, clients, hostName, serve } = options;
  const instance = randomBytes(8).toString("hex");
  const links = new Map<string, Served>();
  let end: WireEnd | null = null;

  function answer(name: LinkName, piece: Uint8Array): void {
    // The server reports on the reply's subject when no subscriber is left.
    if (!connection.isClosed()) connection.publish(toClient(name), piece, { reply: toNode(name, instance) });
  }

  function over(id: string, ended: WireEnd): void {
    const link = links.get(id);
    links.delete(id);
    link?.listener.closed(ended);
  }

  function open(name: LinkName): void {
    const id = idOf(name);
    if (links.has(id)) return;
    if (!clients.has(name.client)) {
      answer(name, endMessage(`${node} does not accept links of ${name.client}`));
      return;
    }
    if ([...links.values()].filter(({ client }) => client === name.client).length >= MOST_LINKS) {
      answer(name, endMessage("too many links at once"));
      return;
    }
    const wire: OpenWire = (listener) => {
      const leave = () => {
        if (!links.has(id)) return;
        answer(name, endMessage("the node closed the link"));
        over(id, { reason: "closed" });
      };
      links.set(id, { client: name.client, listener, leave });
      return {
        send(piece) {
          if (links.has(id)) answer(name, message(KIND.frames, piece));
        },
        close: leave,
      };
    };
    answer(name, readyMessage({ instance, host_name: hostName }));
    serve(wire, name.client);
  }

  function received(msg: Msg): void {
    const name = readToNode(msg.subject);
    if (name === null || name.node !== node) return;
    if (name.instance === null) {
      if (msg.data[0] === KIND.open) open(name);
      return;
    }
    // Another machine of the same name answers its own links.
    if (name.instance !== instance) return;
    const id = idOf(name);
    if (hasNoResponder(msg)) over(id, { reason: "the other end disconnected from the NATS server" });
    else if (!links.has(id) && msg.data[0] === KIND.frames) answer(name, endMessage("the link is not known to the node"));
    else if (msg.data[0] === KIND.frames) links.get(id)?.listener.bytes(msg.data.subarray(1));
    else if (msg.data[0] === KIND.end) over(id, { reason: readEnd(msg.data.subarray(1)) });
  }

  const closed = listen(connection, { node, received }).then((ended) => {
    end = ended;
    for (const id of [...links.keys()]) over(id, ended);
    return ended;
  });
  return {
    closed,
    close() {
      if (end !== null) return;
      for (const close of [...links.values()].map(({ leave }) => leave)) close();
      void connection.drain();
    },
  };
}

async function listen(
  connection: NatsConnection,
  { node, received }: { readonly node: string; readonly received: (msg: Msg) => void },
): Promise<WireEnd> {
  let refusal: WireEnd | null = null;
  connection.subscribe(allToNode(node), {
    callback(error, msg) {
      if (error === null) {
        received(msg);
        return;
      }
      refusal = subscriptionEnd(error);
      void connection.close();
    },
  });
  // A node without permission to answer is useless, and reports the reason.
  void watchRefusals(connection, (_, end) => {
    refusal = end;
    void connection.close();
  });
  const error = await connection.closed();
  return refusal ?? closedEnd(error instanceof Error ? error : undefined);
}

function idOf({ client, link }: LinkName): string {
  return `${client}.${link}`;
}
