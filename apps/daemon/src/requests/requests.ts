import { hasCode } from "@tmpm/core";
import { type Answering, type AnsweringOptions, answering } from "./answering.js";
import { type BackgroundOperations, type BackgroundOperationsOptions, backgroundOperations } from "./background-operations.js";
import { type KeyedRequestsOptions, keyedRequests } from "./keyed-requests.js";

export interface RequestsOptions
  extends Pick<AnsweringOptions, "sessionId">,
    Omit<BackgroundOperationsOptions, "documents" | "progressOf" | "most">,
    Pick<KeyedRequestsOptions, "now" | "newId" | "report"> {
  readonly operationStore: BackgroundOperationsOptions["documents"];
  readonly requestStore: KeyedRequestsOptions["documents"];
  /** A session's current response. @throws SESSION_NOT_FOUND */
  readonly hintOf: (session: string) => Promise<string | null>;
}

export interface Requests {
  readonly answering: Answering;
  readonly operations: BackgroundOperations;
}

/** Requests that outlive their connections: those with a key, and those in the background. */
export function requests({ operationStore, requestStore, hintOf, sessionId, ...ports }: RequestsOptions): Requests {
  const progressOf = (id: string) => hintOf(id).catch(notYetThere);
  const operations = backgroundOperations({ ...ports, documents: operationStore, progressOf });
  const keyed = keyedRequests({ ...ports, documents: requestStore });
  return { answering: answering({ keyed, operations, newId: ports.newId, sessionId }), operations };
}

/** A session being created appears a moment after its operation. */
function notYetThere(error: unknown): null {
  if (hasCode(error, "SESSION_NOT_FOUND")) return null;
  throw error;
}
