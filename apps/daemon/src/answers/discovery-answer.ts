import type { DiscoverAnswer, ReconcileAnswer } from "@tmpm/api";
import type { Discovery, Reconciled } from "@tmpm/supervisor";

export function discoveryAnswer({ discovered, unobservable }: Discovery): DiscoverAnswer {
  return { discovered: discovered.map((one) => ({ ...one })), unobservable: unobservable.map(silentServer), next: null };
}

/** The same data, for a list with sessions. */
export function alsoDiscovered(discovery: Discovery): Omit<DiscoverAnswer, "next"> {
  const { discovered, unobservable } = discoveryAnswer(discovery);
  return { discovered, unobservable };
}

export function reconcileAnswer({ findings, unobservable, ...rest }: Reconciled): ReconcileAnswer {
  return { ...rest, findings: findings.map((one) => ({ ...one })), unobservable: unobservable.map(silentServer) };
}

function silentServer({ socket, error }: Discovery["unobservable"][number]) {
  return { socket, code: error.code, message: error.message };
}
