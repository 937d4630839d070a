import { connect } from "node:net";
import { hostname, userInfo } from "node:os";
import type { Duplex } from "node:stream";
import { currentToken, type Location, userHome } from "@tmpm/api/local";
import { visibleText } from "@tmpm/core";
import type { OpenWire, ServedLink } from "@tmpm/fleet";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { type Allowed, allowedClients, nodeName } from "../fleet/allowed-clients.js";
import { ownIdentity } from "../fleet/own-identity.js";
import { usageError } from "../parse/usage-error.js";
import { print } from "../terminal/output.js";

export const node = command({
  name: "node",
  group: "Set up tmpm",
  summary: "Answer other machines' tmpm, over ssh or on a NATS server",
  more: `With --stdio it is run over ssh by another machine's \`tmpm nodes add\`. With --nats it connects to a NATS server and answers there until it is stopped.
It forwards requests to the daemon here, starting it if needed.
In a forced command of authorized_keys, TMPM_TOKEN_FILE limits the holder of that key to the rights of a token; with --nats, NAME=FILE limits a client. See docs/fleet.md.

  tmpm node --stdio
  tmpm node --nats tls://nats.example.org:4222 --as build1 --client ada
  tmpm node --nats nats://127.0.0.1:4222 --as build1 --client ada --client bob=/home/me/.tmpm-observer`,
  args: {},
  options: {
    stdio: { takes: "flag", summary: "Speak the link's protocol on standard input and output" },
    nats: { takes: "text", label: "URL", summary: "Answer on this NATS server" },
    as: { takes: "text", label: "NAME", summary: "--nats: the name of this machine on the server" },
    client: {
      takes: "texts",
      label: "NAME[=FILE]",
      summary: "--nats: a machine to answer, with the rights of the token in FILE or with yours; may be repeated",
    },
  },
  printed: "nothing",
  async run({ stdio, nats, as, client }, context): Promise<Record<never, never>> {
    if (stdio === (nats !== undefined))
      throw usageError("tmpm node needs --stdio or --nats", "With --stdio it is run by other machines; `tmpm nodes` manages nodes.");
    const serve = await serving(context);
    if (nats === undefined) {
      if (as !== undefined || client.length > 0) throw usageError("--as and --client require --nats", "See `tmpm node --help`.");
      const token = currentToken(context.env);
      const { streamWire } = await import("../fleet-library.js");
      await serve(streamWire({ input: process.stdin, output: process.stdout }), { token, preamble: true }).closed;
      return {};
    }
    await onNats({ url: nats, name: nodeName(as), allowed: allowedClients(client) }, { serve, context });
    return {};
  },
  render: () => "",
});

type Serve = (wire: OpenWire, options: { readonly token: string | null; readonly preamble: boolean }) => ServedLink;

async function serving(context: Context): Promise<Serve> {
  const { bridge, serveLink, systemTimer } = await import("../fleet-library.js");
  const location = context.location();
  const identity = await ownIdentity(location);
  const about = { tmpm: context.version, host_name: hostname(), user: userInfo().username, home: context.env.HOME || userHome() };
  return (wire, { token, preamble }) =>
    serveLink(wire, {
      identity,
      about,
      timer: systemTimer,
      preamble,
      serve: bridge({ connect: () => connected(context, location), token }),
    });
}

interface OnNats {
  readonly url: string;
  readonly name: string;
  readonly allowed: Allowed;
}

/** Runs until the process is asked to end. */
async function onNats(
  { url, name, allowed }: OnNats,
  { serve, context }: { readonly serve: Serve; readonly context: Context },
): Promise<void> {
  const { keepServingNats } = await import("../serve-nats.js");
  const { systemTimer } = await import("../fleet-library.js");
  const ending = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => ending.abort());
  // The timers of a link do not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  try {
    await keepServingNats({
      url,
      identity: await ownIdentity(context.location()),
      name: `tmpm node ${name}`,
      node: name,
      hostName: hostname(),
      clients: new Set(allowed.keys()),
      serve: (wire, client) => void serve(wire, { token: allowed.get(client) ?? null, preamble: false }),
      timer: systemTimer,
      signal: ending.signal,
      report(end) {
        const said = end === null ? `answering ${[...allowed.keys()].join(", ")} as ${name} on ${url}` : end.reason;
        const hint = end?.hint === undefined ? "" : `\n      ${visibleText(end.hint)}`;
        print(`tmpm: ${visibleText(said)}${hint}\n`, 2);
      },
    });
  } finally {
    clearInterval(alive);
  }
}

async function connected(context: Context, location: Location): Promise<Duplex> {
  try {
    return await opened(location.socket);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ECONNREFUSED"))) throw error;
    const { startDaemonAsBefore } = await import("../daemon/daemon-process.js");
    const { withProgram } = await import("../daemon/daemon-program.js");
    await startDaemonAsBefore({ env: withProgram({ env: context.env, settled: context.settled }), location });
    return opened(location.socket);
  }
}

function opened(path: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}
