import type { Duplex } from "node:stream";
import type { ConnectOptions } from "../src/connect-link.js";
import { connectLink, newIdentity, type OpenWire, serveLink, systemTimer } from "../src/index.js";
import type { ServeOptions } from "../src/serve-link.js";

export const ABOUT = { tmpm: "0.1.0", host_name: "build1", user: "ada", home: "/home/ada" };
export const IDENTITY = newIdentity();

export interface Ends {
  readonly client: OpenWire;
  readonly node: OpenWire;
}

export type LinkOptions = Partial<Omit<ConnectOptions, "protocol">> & {
  readonly node?: Partial<ServeOptions>;
  readonly protocol?: ConnectOptions["protocol"];
  readonly serve?: (exchange: Duplex) => void;
};

/** A node on one end of a wire, and the link to it on the other. */
export function linked({ client, node }: Ends, { node: nodeOptions = {}, serve, protocol, ...options }: LinkOptions = {}) {
  const timer = options.timer ?? systemTimer;
  const served = serveLink(node, {
    identity: IDENTITY,
    about: ABOUT,
    timer,
    serve: serve ?? ((exchange) => void exchange.pipe(exchange)),
    ...(options.preamble === undefined ? {} : { preamble: options.preamble }),
    ...nodeOptions,
  });
  const link = connectLink(client, { version: "0.1.0", timer, ...options, ...(protocol === undefined ? {} : { protocol }) });
  return { link, served };
}
