import type { CallOptions, Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import { eventLoopIdleMs, type PatienceOptions, patience, systemTimer } from "@tmpm/fleet";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { oneLine } from "../render/one-line.js";

/** The response of one machine; `node` is null for this one. */
export interface NodePart {
  readonly node: string | null;
  readonly complete: boolean;
  readonly reason: string | null;
}

export interface Asked<T> {
  readonly answers: readonly { readonly node: string | null; readonly answer: T }[];
  readonly nodes: readonly NodePart[];
}

interface Part<T> {
  readonly node: string | null;
  readonly reason: string | null;
  readonly answers: Asked<T>["answers"];
}

/** Maximum wait for a node that is silent, without the time in which this command works. */
const WITHIN_MS = 300;

export const NODE_OPTION = {
  takes: "texts",
  label: "NODE",
  summary: "Only this node; local is this machine; may be repeated",
} as const;

/** Whether other machines are queried too. @throws INVALID_ARGUMENT */
export function isWide(context: Context, node: readonly string[]): boolean {
  if (node.length > 0 && context.node !== null) throw usageError("--node and --on are mutually exclusive", "Give one of them.");
  return node.length > 0 || context.hasNodes();
}

/** Sends one request, which ends with DAEMON_UNREACHABLE if the node is silent. */
export type Within = <A>(request: (options: Pick<CallOptions, "signal">) => Promise<A>) => Promise<A>;

export interface Question<T> {
  readonly only: readonly string[];
  readonly ask: (client: Client, within: Within) => Promise<T>;
  /** By default the system's time, and this process's event loop. */
  readonly waits?: PatienceOptions;
}

/** This machine, and every other by its label. */
type Machines = Pick<Context, "client"> & { readonly at: (label: string) => Pick<Context, "client"> };

/** Queries this machine and all others, or the given ones, in parallel. @throws NODE_NOT_FOUND */
export async function eachNode<T>(machines: Machines, { only, ask, waits = SYSTEM }: Question<T>): Promise<Asked<T>> {
  const own = only.length === 0 || only.includes("local");
  const named = [...new Set(only)].filter((label) => label !== "local");
  const client = machines.client();
  const chosen = only.length === 0 ? (await client.nodes()).nodes : await Promise.all(named.map((node) => client.node({ node })));
  const others = chosen.map(async ({ label, presence, reason }): Promise<Part<T>> => {
    if (presence === "offline") return { node: label, reason: reason ?? "it does not answer", answers: [] };
    try {
      return {
        node: label,
        reason: null,
        answers: [{ node: label, answer: await ask(machines.at(label).client(), whileNotSilent(waits)) }],
      };
    } catch (error) {
      if (!isTmpmError(error)) throw error;
      // The node does not know the project, so its list is empty.
      if (error.code === "PROJECT_NOT_FOUND") return { node: label, reason: null, answers: [] };
      const late = error.details.reason === "no_answer";
      return { node: label, reason: late ? `no answer within ${WITHIN_MS} ms` : error.message, answers: [] };
    }
  });
  const mine = own
    ? [ask(client, (request) => request({})).then((answer): Part<T> => ({ node: null, reason: null, answers: [{ node: null, answer }] }))]
    : [];
  const parts = await Promise.all([...mine, ...others]);
  return {
    answers: parts.flatMap(({ answers }) => answers),
    nodes: parts.map(({ node, reason }) => ({ node, complete: reason === null, reason })),
  };
}

const SYSTEM: PatienceOptions = { timer: systemTimer, idleMs: eventLoopIdleMs };

function whileNotSilent(waits: PatienceOptions): Within {
  return async (request) => {
    const { signal, stop } = patience(WITHIN_MS, waits);
    try {
      return await request({ signal });
    } finally {
      stop();
    }
  };
}

export function missingNotes(nodes: readonly NodePart[]): readonly string[] {
  return nodes
    .filter(({ complete }) => !complete)
    .map(({ node, reason }) => oneLine(`incomplete: ${node ?? "this machine"} does not answer (${reason ?? "unknown reason"})`));
}
