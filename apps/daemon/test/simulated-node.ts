import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { CONTRACTS, type SessionAnswer, type SessionList } from "@tmpm/api";
import { connectLink, type NodeLink, newIdentity, serveLink, systemTimer, type Timer } from "@tmpm/fleet";
import { type FakeWire, fakeWire } from "@tmpm/fleet/fake";

/** Another machine in this process: the remote end of its link, and a daemon that lists its sessions. */
export interface SimulatedNode {
  readonly wire: FakeWire;
  connect(): Promise<NodeLink>;
}

const EXAMPLE = CONTRACTS.list.example.answer.sessions[0] as SessionAnswer;

/** `number` is part of the sessions' ids and names, so that they are unique over all nodes. */
export function simulatedNode(
  number: number,
  { sessions, timer = systemTimer }: { readonly sessions: number; readonly timer?: Timer },
): SimulatedNode {
  const list: SessionList = {
    sessions: Array.from({ length: sessions }, (_, at) => ({ ...EXAMPLE, id: idOf(number, at), name: `s${number}-${at}` })),
    problems: [],
    store: { state: "ok", message: null },
    next: null,
  };
  const answer = JSON.stringify(list);
  const daemon = createServer((request, response) => {
    const known = request.url?.startsWith("/v1/sessions") === true;
    response.writeHead(known ? 200 : 404, { "content-type": "application/json" }).end(known ? answer : "{}");
  });
  const wire = fakeWire({ timer });
  return {
    wire,
    async connect() {
      serveLink(wire.node, {
        identity: newIdentity(),
        about: { tmpm: "0.1.0", host_name: `host${number}`, user: "ada", home: "/home/ada" },
        timer,
        serve: (exchange: Duplex) => void daemon.emit("connection", exchange),
      });
      return connectLink(wire.client, { version: "0.1.0", timer });
    },
  };
}

function idOf(node: number, session: number): string {
  return `00000000-0000-4000-8000-${String(node).padStart(6, "0")}${String(session).padStart(6, "0")}`;
}
