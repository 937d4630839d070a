import type { StreamTransport, Transport } from "@tmpm/api/client";
import { isNotRunning, type Location, localTransport, nodeSocket } from "@tmpm/api/local";
import { hasCode, isTmpmError, TmpmError, unknownNode } from "@tmpm/core";
import { startingTransport } from "../daemon/starting-transport.js";
import { addressedBody } from "./addressed-commands.js";

export interface NodeClientOptions {
  readonly location: Location;
  readonly label: string;
  /** Starts this machine's daemon, which keeps the links; null to never start it. */
  readonly start: (() => Promise<void>) | null;
}

/** The daemon of another machine, with the interface of the local one: the same requests, responses and streams. @throws NODE_NOT_FOUND, NODE_OFFLINE */
export function nodeTransport({ location, label, start }: NodeClientOptions): Transport & StreamTransport {
  const door = localTransport({ socket: nodeSocket(location, label) });
  const starting = start === null ? door : startingTransport(door, start);
  return {
    async request(request) {
      try {
        const response = await starting.request(request);
        return { ...response, body: addressedBody(response.body, label) };
      } catch (error) {
        throw named(error, { label, isStarted: start !== null });
      }
    },
    async connect(request, listener) {
      try {
        return await door.connect(request, listener);
      } catch (error) {
        throw named(error, { label, isStarted: start !== null });
      }
    },
  };
}

interface Named {
  readonly label: string;
  /** The local daemon runs, so a missing socket means that the node does not exist. */
  readonly isStarted: boolean;
}

/** A broken connection is a failure of the link. */
function named(error: unknown, { label, isStarted }: Named): unknown {
  if (isStarted && isNotRunning(error)) return unknownNode(label);
  if (!isTmpmError(error) || !hasCode(error, "DAEMON_UNREACHABLE")) return error;
  return new TmpmError("DAEMON_UNREACHABLE", `${label}: ${error.message}`, {
    effect: error.effect,
    hint: `\`tmpm nodes doctor ${label}\` shows whether the node answers.`,
    details: { ...error.details, node: label },
    cause: error,
  });
}
