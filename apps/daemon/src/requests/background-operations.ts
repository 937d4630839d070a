import type { OperationAnswer } from "@tmpm/api";
import { type EventBody, isTmpmError, onceDone, TmpmError, timestampFromMs } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import type { Answer } from "./answer.js";
import { errorBody } from "./error-body.js";

export type Operation = OperationAnswer;

export interface Begun {
  readonly route: string;
  readonly session_id: string | null;
}

/** Requests that continue without their callers. */
export interface BackgroundOperations {
  /** Resolves once the operation is recorded and running. @throws RESOURCE_EXHAUSTED, and the store's errors, with nothing started */
  begin(begun: Begun, act: () => Promise<Answer>): Promise<Operation>;
  /** Newest first. */
  list(): Promise<readonly Operation[]>;
  /** One operation, immediately when finished, otherwise after `ms` at the latest. @throws OPERATION_NOT_FOUND */
  wait(id: string, options: { readonly ms: number; readonly signal: AbortSignal }): Promise<Operation>;
  /** Resolves when none is running. */
  idle(): Promise<void>;
}

export interface BackgroundOperationsOptions {
  readonly documents: DocumentStore<Operation>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly emit: (event: EventBody) => void;
  /** A session's current step, as text. */
  readonly progressOf: (session_id: string) => Promise<string | null>;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** Maximum number running, and maximum number of finished ones kept. */
  readonly most?: { readonly running: number; readonly kept: number };
}

interface Known {
  readonly endedAt: string | null;
  /** Present while it runs, and if its document could not be written. */
  held: Operation | null;
}

const DAY_MS = 24 * 3_600_000;
const MOST = { running: 64, kept: 1_000 };

export function backgroundOperations(options: BackgroundOperationsOptions): BackgroundOperations {
  const { documents, now, newId, emit, progressOf, report, most = MOST } = options;
  /** Oldest first. */
  const known = new Map<string, Known>();
  const running = new Map<string, Promise<void>>();
  const ready = onceDone(load);

  /** A document in state running belongs to an operation that was interrupted with its daemon. */
  async function load(): Promise<void> {
    const { documents: kept, damaged } = await documents.all();
    for (const { path, reason } of damaged) report({ doing: `reading the operation in ${path}`, error: new Error(reason) });
    for (const operation of [...kept.values()].sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))) {
      known.set(operation.id, { endedAt: operation.ended_at, held: null });
      if (operation.state === "running") await settle(operation, { error: cutOff() });
    }
  }

  async function settle(operation: Operation, outcome: { readonly answer: Answer } | { readonly error: unknown }): Promise<void> {
    const ended_at = timestampFromMs(now());
    const over: Operation =
      "answer" in outcome
        ? { ...operation, ended_at, state: "done", progress: null, result: JSON.parse(outcome.answer.body) }
        : { ...operation, ended_at, state: "failed", progress: null, error: errorBody(outcome.error) };
    const ended: Known = { endedAt: ended_at, held: over };
    known.set(operation.id, ended);
    const { id, route, session_id } = over;
    const code = over.error?.code ?? null;
    emit({ type: "operation_ended", at: ended_at, session_id, operation_id: id, route, outcome: over.state, code });
    try {
      await documents.put(id, over);
      ended.held = null;
    } catch (error) {
      report({ doing: "saving the outcome of an operation", error });
    }
  }

  function forgetOld(): void {
    for (const [id, { endedAt }] of known) {
      if (endedAt === null) continue;
      if (Date.parse(endedAt) > now() - DAY_MS && known.size - running.size <= most.kept) return;
      known.delete(id);
      documents.delete(id).catch((error: unknown) => report({ doing: "deleting an operation", error }));
    }
  }

  async function run(operation: Operation, act: () => Promise<Answer>): Promise<void> {
    try {
      await settle(operation, { answer: await act() });
    } catch (error) {
      if (!isTmpmError(error)) report({ doing: `running the operation ${operation.route}`, error });
      await settle(operation, { error });
    } finally {
      running.delete(operation.id);
    }
  }

  async function shown(operation: Operation): Promise<Operation> {
    if (operation.state !== "running" || operation.session_id === null) return operation;
    return { ...operation, progress: await progressOf(operation.session_id) };
  }

  return {
    async begin({ route, session_id }, act) {
      await ready();
      forgetOld();
      if (running.size >= most.running) throw tooMany(running.size);
      const started = { id: newId(), route, session_id, state: "running", started_at: timestampFromMs(now()) } as const;
      const operation: Operation = { ...started, ended_at: null, progress: null, result: null, error: null };
      await documents.put(operation.id, operation);
      known.set(operation.id, { endedAt: null, held: operation });
      emit({ type: "operation_started", at: operation.started_at, session_id, operation_id: operation.id, route });
      running.set(operation.id, run(operation, act));
      return operation;
    },
    async list() {
      await ready();
      const { documents: kept } = await documents.all();
      const all = [...known].flatMap(([id, { held }]) => held ?? kept.get(id) ?? []);
      return Promise.all(all.toReversed().map(shown));
    },
    async wait(id, { ms, signal }) {
      await ready();
      const under = running.get(id);
      if (under !== undefined && ms > 0) await Promise.race([under, elapsed(ms, signal)]);
      const operation = known.has(id) ? (known.get(id)?.held ?? (await documents.get(id))) : null;
      if (operation !== null) return shown(operation);
      throw new TmpmError("OPERATION_NOT_FOUND", `operation ${JSON.stringify(id)} does not exist`, {
        hint: "It is kept for a day after its end.",
      });
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
}

function cutOff(): TmpmError {
  return new TmpmError("REQUEST_INTERRUPTED", "the daemon ended meanwhile, so the outcome is unknown", {
    effect: "unknown",
    hint: "Check before you repeat it.",
  });
}

function tooMany(count: number): TmpmError {
  return new TmpmError("RESOURCE_EXHAUSTED", `${count} operations are already running in the background`, {
    hint: "Wait for one to end.",
    details: { running: count },
  });
}

function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}
