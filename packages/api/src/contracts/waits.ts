import type { Contract } from "./contract.js";

/** Parameters that give the time for which a request waits. */
const TIMES: readonly string[] = ["wait_ms", "within_ms", "grace_ms"];

/** Whether a request may spend most of its time waiting: for an event, a session, another machine or a program's end. */
export function waits(contract: Contract): boolean {
  return contract.waits === true || [contract.query, contract.body].some((input) => fieldsOf(input).some((field) => TIMES.includes(field)));
}

function fieldsOf(input: object | null): readonly string[] {
  return input !== null && "shape" in input && typeof input.shape === "object" && input.shape !== null ? Object.keys(input.shape) : [];
}
