import { TmpmError } from "@tmpm/core/errors";
import { type Client, type ClientOptions, client } from "./client.js";
import type { CONTRACTS, Input, OperationAnswer } from "./contracts.js";

type Contracts = typeof CONTRACTS;
/** Long-running routes that can continue without their caller. */
export type LongRoute = { [R in keyof Contracts]: Contracts[R] extends { readonly long: true } ? R : never }[keyof Contracts];

export interface BeginOptions {
  /** Within a day, the same key refers to the same operation. */
  readonly key?: string;
}

/** Starts a long-running route without waiting for its end. @throws the route's errors from before it starts */
export type Begin = <R extends LongRoute>(
  asked: { readonly route: R; readonly input: Input<R> },
  options?: BeginOptions,
) => Promise<OperationAnswer>;

/** The same routes as `client`, in the background: each returns an operation to follow. */
export function background({ transport, ...options }: ClientOptions): Begin {
  const prefer = { Prefer: "respond-async" };
  const asking = client({
    ...options,
    transport: { request: (request) => transport.request({ ...request, headers: { ...request.headers, ...prefer } }) },
  });
  return async ({ route, input }, begin = {}) => {
    const call: (input: object, options: BeginOptions) => Promise<unknown> = asking[route] as never;
    return operationIn(await call(input, begin));
  };
}

export interface FollowOperationOptions {
  /** Stops following, which throws the signal's reason; the operation continues. */
  readonly signal?: AbortSignal;
}

const WAIT_MS = 20_000;
const ANSWER_MS = 15_000;

/** Resolves with the operation once it has ended, with any result. */
export async function followOperation(
  tmpm: Pick<Client, "operation">,
  { id, signal }: FollowOperationOptions & { readonly id: string },
): Promise<OperationAnswer> {
  const options = { timeoutMs: WAIT_MS + ANSWER_MS, ...(signal === undefined ? {} : { signal }) };
  for (;;) {
    const operation = await tmpm.operation({ operation: id, wait_ms: WAIT_MS }, options);
    if (operation.state !== "running") return operation;
  }
}

function operationIn(answer: unknown): OperationAnswer {
  if (typeof answer === "object" && answer !== null && "id" in answer && "state" in answer && "route" in answer)
    return answer as OperationAnswer;
  throw new TmpmError("DAEMON_UNREACHABLE", "the daemon's response is not an operation", { effect: "unknown" });
}
