import type { FleetSession } from "./contracts/nodes.js";
import type { SessionAnswer } from "./contracts/session.js";

/** A session of a node that does not respond. Its questions, activity and screen are outdated; `asOf` is an RFC 3339 time, null if unknown. */
export function lastKnown(session: SessionAnswer, { node, asOf }: { readonly node: string; readonly asOf: string | null }): FleetSession {
  return {
    ...session,
    node,
    was: session.activity.state,
    decision: null,
    question: null,
    turn: null,
    viewers: 0,
    activity: {
      ...session.activity,
      state: "unknown",
      source: "record",
      confidence: 0,
      expires_at: null,
      evidence: [`its node does not answer; as of ${asOf ?? "never"} it was ${session.activity.state}`],
      limit: null,
    },
  };
}
