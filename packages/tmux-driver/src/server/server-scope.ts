import { IN_SCOPE, type ServerScope } from "@tmpm/processes";
import type { ClientOptions } from "../one-shot/client.js";
import type { Channel, Request } from "../transport/channel.js";

/** The client that runs in a scope of its own. */
export function scopedClient(client: ClientOptions): ClientOptions {
  const [program, ...flags] = IN_SCOPE;
  return { ...client, program, arguments: [...flags, client.program, ...client.arguments] };
}

export interface StartingChannelOptions {
  readonly plain: Channel;
  readonly scoped: Channel;
  /** Whether a server is known to run. */
  readonly runs: () => Promise<boolean>;
  readonly scope: () => Promise<ServerScope>;
}

/** Sends commands that may start a server to the scoped client, all others to the plain one. */
export function startingChannel({ plain, scoped, runs, scope }: StartingChannelOptions): Channel {
  return {
    async ask(request) {
      if (!mayStart(request) || (await runs())) return plain.ask(request);
      return (await scope()).kind === "scope" ? scoped.ask(request) : plain.ask(request);
    },
  };
}

function mayStart({ commands }: Request): boolean {
  return commands.some(([name]) => name === "new-session");
}
