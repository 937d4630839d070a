import type { IncomingHttpHeaders } from "node:http";
import type { Contract } from "@tmpm/api";
import { headerFault, isKey } from "./answering.js";
import { revOf } from "./etag.js";

/**
 * Input from a request's headers: `rev` of a conditional route, and the key of an operation that stores keys itself.
 * @throws INVALID_ARGUMENT
 */
export function headerInput(
  contract: Contract,
  { headers, input }: { readonly headers: IncomingHttpHeaders; readonly input: object },
): object {
  return { ...conditionIn(contract, headers), ...keyIn(contract, { headers, input }) };
}

function conditionIn({ conditional }: Contract, headers: IncomingHttpHeaders): object {
  const condition = headers["if-match"];
  if (condition === undefined) return {};
  if (conditional !== true) throw headerFault("If-Match: not accepted by this route");
  const rev = revOf(condition);
  return rev === undefined ? {} : { rev };
}

function keyIn({ body }: Contract, { headers, input }: { readonly headers: IncomingHttpHeaders; readonly input: object }): object {
  const key = headers["idempotency-key"];
  if (key === undefined || !keepsKeys(body)) return {};
  const own = "idempotency_key" in input ? input.idempotency_key : undefined;
  if (typeof key !== "string" || !isKey(key)) throw headerFault("Idempotency-Key: 1 to 200 visible characters of ASCII");
  if (own !== undefined && own !== key) throw headerFault("Idempotency-Key: the body has another idempotency_key");
  return { idempotency_key: key };
}

function keepsKeys(body: Contract["body"]): boolean {
  return body !== null && "shape" in body && typeof body.shape === "object" && body.shape !== null && "idempotency_key" in body.shape;
}
