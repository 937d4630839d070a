import type { IncomingMessage } from "node:http";
import type { TmpmError } from "@tmpm/core";
import type { Admitted } from "../guard/guard.js";
import type { RequestAudit } from "./audit-requests.js";

export interface TypingAuditOptions extends Pick<Admitted, "requestId" | "caller"> {
  readonly request: IncomingMessage;
  readonly session: string;
}

/** Records, once per connection, that a client typed or resized through a stream, or was refused. Called for every command. */
export function typingAudit(audit: RequestAudit, options: TypingAuditOptions): (refused: TmpmError | null) => void {
  const { requestId, caller, request, session } = options;
  const asked = { requestId, caller, route: "stream", method: "GET", target: session, changes: true } as const;
  const recorded = new Set<"typed" | "refused">();
  return (refused) => {
    const what = refused === null ? "typed" : "refused";
    if (recorded.has(what)) return;
    recorded.add(what);
    if (refused !== null) return audit.refused({ ...asked, request, error: refused });
    audit.begin(asked);
    request.socket.once("close", () => audit.end({ ...asked, request, status: 101, error: null }));
  };
}
