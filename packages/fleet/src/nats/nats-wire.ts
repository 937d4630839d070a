import { randomBytes } from "node:crypto";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import type { OpenWire, WireEnd } from "../wire.js";
import { closedEnd, hasNoResponder, subscriptionEnd, WireFault } from "./connection.js";
import { endMessage, KIND, message, type Ready, readEnd, readReady } from "./message.js";
import type { NatsHub } from "./nats-hub.js";
import { type LinkName, toClient, toNode } from "./subjects.js";

export interface NatsWireOptions {
  readonly hub: NatsHub;
  /** The node's name on the server, and this machine's. */
  readonly node: string;
  readonly client: string;
  readonly newLink?: () => string;
}

/** A wire to a node on a NATS server: messages of whole frames, on subjects of this link only. */
export function natsWire({ hub, node, client, newLink = () => randomBytes(12).toString("hex") }: NatsWireOptions): OpenWire {
  return ({ bytes, closed }) => {
    const name: LinkName = { node, client, link: newLink() };
    const own = toClient(name);
    let ready: Ready | null = null;
    let waiting: Uint8Array[] = [];
    let leave: (() => void) | null = null;
    let connection: NatsConnection | null = null;
    let isClosed = false;

    function finish(end: WireEnd): void {
      if (isClosed) return;
      isClosed = true;
      waiting = [];
      leave?.();
      closed(end);
    }

    function publish(piece: Uint8Array): void {
      if (connection === null || connection.isClosed()) return;
      // The server reports on the reply's subject when no subscriber is left.
      connection.publish(toNode(name, ready?.instance ?? null), piece, { reply: own });
    }

    function taken(rest: Uint8Array): void {
      const said = readReady(rest);
      if (said === null || said.instance === ready?.instance) return;
      if (ready !== null) {
        const both = [ready.host_name, said.host_name].toSorted().join(" and ");
        publish(endMessage("two machines answer"));
        finish({
          reason: `two machines answer as ${node}: ${both}`,
          hint: "Give each its own name and key: move node.json out of tmpm's data folder of a copied home.",
        });
        return;
      }
      ready = said;
      for (const piece of waiting.splice(0)) publish(message(KIND.frames, piece));
    }

    function received(msg: Msg): void {
      if (isClosed) return;
      if (hasNoResponder(msg)) {
        const gone = ready === null ? `no node answers as ${node} on the NATS server` : "the node disconnected from the NATS server";
        finish({ reason: gone, hint: `Run \`tmpm node --nats URL --as ${node} --client ${client}\` there.` });
        return;
      }
      const rest = msg.data.subarray(1);
      if (msg.data[0] === KIND.ready) taken(rest);
      else if (msg.data[0] === KIND.frames) bytes(rest);
      else if (msg.data[0] === KIND.end) finish({ reason: readEnd(rest) });
    }

    hub.use().then(
      (use) => {
        leave = () => {
          subscription.unsubscribe();
          use.leave();
        };
        connection = use.connection;
        const subscription = connection.subscribe(own, {
          callback: (error, msg) => (error === null ? received(msg) : finish(subscriptionEnd(error))),
        });
        use.onRefused((subject, end) => {
          if (subject.startsWith(toNode(name))) finish(end);
        });
        void connection.closed().then((error) => finish(closedEnd(error instanceof Error ? error : undefined)));
        if (isClosed) leave();
        else publish(message(KIND.open));
      },
      (error: unknown) =>
        finish(error instanceof WireFault ? error.end : { reason: error instanceof Error ? error.message : String(error) }),
    );

    return {
      send(piece) {
        if (isClosed) return;
        if (ready === null) waiting.push(piece);
        else publish(message(KIND.frames, piece));
      },
      close() {
        if (isClosed) return;
        if (ready !== null) publish(endMessage("the other end closed the link"));
        finish({ reason: "closed" });
      },
    };
  };
}
