import { type Receipt, ranOutOfTime, type SendReason, type Timestamp, type Turn, type TurnEvent, type TurnReason } from "@tmpm/core";

/** The turn event for the end of a delivery; `enteredAt` is when Enter was pressed. Null while the delivery continues. */
export function receiptEvent(turn: Turn, delivered: { readonly receipt: Receipt; readonly enteredAt: Timestamp }): TurnEvent | null {
  const { id, generation } = turn;
  const { receipt, enteredAt } = delivered;
  switch (receipt.outcome) {
    case "held":
      return null;
    case "submitted":
      return { type: "started", id, at: enteredAt, receipt };
    case "typed_not_submitted":
    case "unconfirmed":
      return { type: "failed", id, reason: receipt.reason === "session_ended" ? "session_exited" : "not_confirmed", receipt };
    case "refused":
      // A caller disconnected or cancelled it over the API.
      if (receipt.reason === "cancelled" || receipt.reason === "caller_gone")
        return { type: "cancelling", generation, cause: "client_rpc" };
      return {
        type: "failed",
        id,
        receipt,
        reason: refusal(receipt.reason),
        code: receipt.reason === "line_too_long" ? "LINE_TOO_LONG" : undefined,
      };
  }
}

function refusal(reason: SendReason): TurnReason {
  if (reason === "session_ended") return "session_exited";
  if (reason === "interrupted") return "daemon_ended";
  return ranOutOfTime(reason) ? "waited_too_long" : "refused";
}
