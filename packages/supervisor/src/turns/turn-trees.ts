import { type EventBody, hasCode, isTmpmError, keyedQueue, type SessionRecord } from "@tmpm/core";
import type { TurnTrees as Trees } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { type Alarm, systemAlarm } from "../deadline.js";
import { isPassing } from "../delivery/faults.js";
import { findSession } from "../find-session.js";
import { workingDirectory } from "../launch/launch.js";
import { reported } from "../reported.js";

/** Snapshots of a session's work tree at the start and end of a turn. A failed snapshot is reported, and delays no prompt. */
export interface TurnTrees {
  /** Before its text can take effect. Resolves once the work tree is read, or after a short time; the rest is stored in the background. */
  begins(record: SessionRecord, turnId: string): Promise<void>;
  /** Likewise for a prompt passed at launch, whose turn is created afterwards. */
  launches(record: SessionRecord): Promise<(turnId: string) => void>;
  hear(event: EventBody): void;
  /** Resolves when no snapshot of the session is under way. */
  settled(session: string): Promise<void>;
  forget(record: SessionRecord): Promise<void>;
  idle(): Promise<void>;
}

/** How long a prompt waits for its snapshot. */
const PATIENCE_MS = 2_000;

interface Edge {
  readonly session: string;
  readonly turnId: string;
  readonly edge: keyof Trees;
  /** When it was taken already. */
  readonly tree?: string;
  /** Called once it is taken. */
  readonly taken?: () => void;
}

export function turnTrees(context: () => Context): TurnTrees {
  const taking = keyedQueue();
  /** Work trees that take too long to snapshot, until the next start. */
  const slow = new Set<string>();

  async function quietly<T>(session: string, task: () => Promise<T>): Promise<T | null> {
    try {
      return await task();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (isTmpmError(error) && error.details.cause === "timeout") slow.add(session);
      // A session that has ended permanently in the meantime needs no snapshot.
      if (!hasCode(error, "SESSION_NOT_FOUND")) context().report({ doing: `recording the changes of a turn of session ${session}`, error });
      return null;
    }
  }

  const isKept = (record: SessionRecord) => context().settings.turnTrees && record.fork !== null && !slow.has(record.id);

  async function keep({ session, turnId, edge, tree, taken }: Edge): Promise<void> {
    const ctx = context();
    const record = await findSession(ctx, session);
    const turn = await ctx.turns.get(session, turnId);
    if (!isKept(record) || turn === null || (edge === "end" && turn.started_at === null)) return;
    const directory = workingDirectory(record);
    const kept = tree ?? (await ctx.workspaces.snapshot(directory));
    taken?.();
    await ctx.workspaces.keepTurnTree({ directory, sessionId: session, generation: turn.generation, edge, tree: kept });
  }

  const inTurn = (edge: Edge) => taking.run(edge.session, () => quietly(edge.session, () => keep(edge)));

  return {
    async begins(record, turnId) {
      if (!isKept(record)) return;
      const taken = new Promise<void>((resolve, reject) => {
        inTurn({ session: record.id, turnId, edge: "start", taken: resolve }).then(() => resolve(), reject);
      });
      await inTime(context().alarm ?? systemAlarm, taken);
    },
    async launches(record) {
      if (!isKept(record)) return () => undefined;
      const tree = await quietly(record.id, () => context().workspaces.snapshot(workingDirectory(record)));
      return (turnId) => {
        if (tree !== null) void inTurn({ session: record.id, turnId, edge: "start", tree });
      };
    },
    hear(event) {
      if (event.type !== "turn_ended" || !context().settings.turnTrees) return;
      void inTurn({ session: event.session_id, turnId: event.turn_id, edge: "end" });
    },
    settled: (session) => taking.run(session, async () => undefined),
    async forget(record) {
      if (record.fork === null) return;
      const directory = record.workspace?.repository ?? workingDirectory(record);
      const task = () => context().workspaces.dropTurnTrees({ directory, sessionId: record.id });
      await taking.run(record.id, () => reported(context(), { doing: `removing the turn snapshots of session ${record.name}`, task }));
    },
    idle: () => taking.idle(),
  };
}

/** Waits for a task, for at most a prompt's patience. */
async function inTime(alarm: Alarm, task: Promise<unknown>): Promise<void> {
  let ringing: ReturnType<Alarm> | undefined;
  const late = new Promise<void>((resolve) => {
    ringing = alarm(PATIENCE_MS, resolve);
  });
  await Promise.race([task, late]);
  ringing?.cancel();
}
