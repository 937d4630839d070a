import { visibleText } from "@tmpm/core";
import { isMissing } from "../server/socket-keeper.js";
import type { Channel } from "../transport/channel.js";

/**
 * Answers instead of the program, once it is known to work, while there is no socket. Commands that may start a server still run the
 * program.
 */
export function heedingAbsence(channel: Channel, socket: string): Channel {
  let hasRun = false;
  return {
    async ask(request) {
      if (hasRun && request.kind === "read" && isMissing(socket)) {
        const message = `error connecting to ${visibleText(socket)} (No such file or directory)`;
        return { kind: "refused", refusal: { kind: "socket_missing", message }, output: "" };
      }
      const reply = await channel.ask(request);
      hasRun ||= reply.kind !== "unanswered";
      return reply;
    },
  };
}
