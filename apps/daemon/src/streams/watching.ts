import { randomUUID } from "node:crypto";
import { CONTRACTS } from "@tmpm/api";
import { hasCode, isTmpmError, TmpmError } from "@tmpm/core";
import type { Supervisor } from "@tmpm/supervisor";
import type { RequestAudit } from "../audit/audit-requests.js";
import { typingAudit } from "../audit/audit-typing.js";
import { clientOf } from "../guard/caller.js";
import type { Guard } from "../guard/guard.js";
import { answerUpgradeRefusal } from "../guard/refusal-answer.js";
import { type TerminalStreams, terminalStreams } from "./terminal-streams.js";
import { type UpgradeOptions, upgrade } from "./upgrade.js";

export interface Watching {
  readonly terminals: TerminalStreams;
  /** For the `upgrade` event of the server. */
  readonly upgrade: ReturnType<typeof upgrade>;
}

export interface WatchingOptions extends Pick<UpgradeOptions, "stopping" | "report" | "wire"> {
  readonly supervisor: Pick<Supervisor, "terminal" | "requireOwned">;
  readonly guard: Guard;
  /** No audit when omitted. */
  readonly requests?: RequestAudit;
  readonly version: string;
  /** Output stored per watched terminal, in bytes. */
  readonly ringBytes: number;
}

/** The watched terminals, behind the guard. */
export function watching({ supervisor, guard, requests, version, ringBytes, stopping, report, wire }: WatchingOptions): Watching {
  const terminals = terminalStreams({ terminal: supervisor.terminal, newId: randomUUID, report, ringBytes });
  return {
    terminals,
    upgrade: upgrade({
      streams: terminals,
      newId: randomUUID,
      stopping,
      report,
      ...(wire === undefined ? {} : { wire }),
      async admit(request, { session }) {
        const caller = await guard.permit(request, { scope: CONTRACTS.stream.scope, session, route: "stream", target: session });
        const { requestId } = guard.admitted(request);
        const foreign = await refusedOf(supervisor.requireOwned({ session, client: clientOf(caller) }));
        return {
          refusal: () => (guard.may(caller, "operator") ? foreign : watchesOnly()),
          ...(requests === undefined ? {} : { onCommand: typingAudit(requests, { requestId, caller, request, session }) }),
          onRevoked: (say) => guard.connections.beforeEnd(request.socket, say),
        };
      },
      refuse(socket, error) {
        if (!isTmpmError(error)) report({ doing: "answering a request for an upgrade", error });
        const reported = isTmpmError(error) ? error : new TmpmError("INTERNAL", "the daemon failed to handle the request");
        answerUpgradeRefusal(socket, { error: reported, version, requestId: randomUUID() });
      },
    }),
  };
}

/** A session's owner does not change, so one check covers all input. */
async function refusedOf(asked: Promise<void>): Promise<TmpmError | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    if (hasCode(error, "SESSION_NOT_OWNED")) return error;
    throw error;
  }
}

function watchesOnly(): TmpmError {
  return new TmpmError("SCOPE_REFUSED", "typing and resizing need the scope operator, but this token may only watch", {
    hint: "Create a token for it with `tmpm token create --scope operator`.",
    details: { needed: "operator" },
  });
}
