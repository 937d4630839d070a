import type { ErrorCode } from "@tmpm/core";
import type { Contract } from "./contract.js";
import { MAY_FAIL } from "./may-fail.js";

/** All error codes of a route: its own, and those implied by its input. */
export function errorsOf(contract: Contract): readonly ErrorCode[] {
  const { method, path } = contract;
  const writes = method !== "GET";
  return [
    ...new Set<ErrorCode>([
      ...MAY_FAIL.EVERY,
      ...(path.includes("/:session") ? MAY_FAIL.SESSION : []),
      ...(contract.body === null && !writes ? [] : MAY_FAIL.BODY),
      ...(writes && path.includes("/:session") && contract.scope !== "session" ? (["SESSION_NOT_OWNED"] as const) : []),
      ...(writes ? MAY_FAIL.WRITE : []),
      ...(contract.conditional === true ? (["REV_CONFLICT"] as const) : []),
      ...(contract.acting === undefined ? [] : (["GRANT_REFUSED", "TOKEN_REFUSED"] as const)),
      ...contract.errors,
    ]),
  ];
}
