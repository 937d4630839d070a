import {
  EMPTY_LANE,
  type EventBody,
  isHandedOver,
  isTmpmError,
  keyedQueue,
  laneAfter,
  msFromTimestamp,
  runningTurns,
  type Timestamp,
  type Turn,
  type TurnEvent,
  type TurnLane,
  waitingTurns,
} from "@tmpm/core";
import type { TurnJournal, TurnSlice } from "@tmpm/store";

/** The turns of all sessions: each change is decided here in one step, then written and reported in the background, in order. */
export interface TurnRegistry {
  /** The open turns. */
  lane(session: string): TurnLane;
  /** Whether the outcome of a turn is decided, but not yet reported: its final message is being read. */
  isConcluding(session: string): boolean;
  /** Takes the next generation of a session. @throws errors of the journal */
  nextGeneration(session: string): Promise<number>;
  /** The turns changed by the event; none when it came too late. */
  apply(session: string, event: TurnEvent): readonly Turn[];
  /** The running turn of a session asks for a decision first. */
  waits(session: string, decisionId: string): void;
  /** A refused prompt: reported and kept for a while, but not among the turns of its session. */
  refuse(turn: Turn): void;
  /** Turns that ended elsewhere, for a session without turns here. @throws errors of the journal */
  seed(turns: readonly Turn[]): Promise<void>;
  /** Turns of the last daemon, whose events it has emitted. */
  takeUp(turns: readonly Turn[], atMs: number): void;
  /** When the turn was resumed from the last daemon, in milliseconds since 1970; null otherwise. */
  takenUpMs(id: string): number | null;
  /** When the turn ended during which this one's prompt was entered, in milliseconds since 1970; null without one. */
  followsMs(id: string): number | null;
  /** Its delivery failed in a way that only the next daemon can judge. */
  abandon(session: string, id: string): void;
  get(session: string, id: string): Promise<Turn | null>;
  /** Like `TurnJournal.list`, with the current open turns. */
  list(session: string, slice: TurnSlice): Promise<readonly Turn[]>;
  /** Resolves when every decided change of the session is written and emitted. */
  settled(session: string): Promise<void>;
  forget(session: string): Promise<void>;
  /** Retries what the journal rejected before. @throws failures other than those of the journal */
  flush(): Promise<void>;
  /** Flushes, and closes the journal. */
  close(): Promise<void>;
}

export interface TurnRegistryOptions {
  readonly journal: TurnJournal;
  readonly now: () => Timestamp;
  readonly emit: (event: EventBody) => void;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** The agent's last message, for a turn that ran. */
  readonly withWords: (turn: Turn) => Promise<Turn>;
  /** Its text must not be typed any more. */
  readonly release: (turn: Turn) => void;
  /** Signals a change to the session's waiters. */
  readonly wake: (session: string) => void;
}

/** Number of refused prompts kept for each session. */
const REFUSED_KEPT = 20;

export function turnRegistry(options: TurnRegistryOptions): TurnRegistry {
  const { journal, now, emit, report, withWords, release, wake } = options;
  const lanes = new Map<string, TurnLane>();
  const newest = new Map<string, number>();
  const takenUp = new Map<string, number>();
  const follows = new Map<string, number>();
  const refused = new Map<string, readonly Turn[]>();
  /** Turns whose outcome is decided and not yet reported, in their previous state. */
  const settling = new Map<string, Turn>();
  /** Changes that the journal rejected. */
  const unkept = new Map<string, Turn>();
  const writing = keyedQueue();
  const laneOf = (session: string) => lanes.get(session) ?? EMPTY_LANE;

  function setLane(session: string, lane: TurnLane): void {
    if (lane.open.length === 0 && lane.closing === null) lanes.delete(session);
    else lanes.set(session, lane);
  }

  function unkeptOf(session: string): readonly Turn[] {
    return [...unkept.values()].filter(({ session_id }) => session_id === session);
  }

  /** An outcome stands even if the journal fails; `flush` writes it again. */
  async function keep(turn: Turn): Promise<void> {
    try {
      await journal.keep(turn);
      unkept.delete(turn.id);
    } catch (error) {
      unkept.set(turn.id, turn);
      report({ doing: `keeping turn ${turn.id}`, error });
    }
  }

  /** The failure was reported when the journal rejected it first. */
  async function keepAgain(session: string): Promise<void> {
    for (const turn of unkeptOf(session)) {
      try {
        await journal.keep(turn);
        unkept.delete(turn.id);
      } catch (error) {
        if (!isTmpmError(error)) throw error;
        return;
      }
    }
  }

  async function flush(): Promise<void> {
    for (const session of new Set(Array.from(unkept.values(), ({ session_id }) => session_id)))
      await writing.run(session, () => keepAgain(session));
  }

  async function publish(turn: Turn, event: EventBody | null): Promise<void> {
    await keep(turn);
    settling.delete(turn.id);
    if (event !== null) emit(event);
    wake(turn.session_id);
  }

  function noteFollowers(lane: TurnLane, changed: readonly Turn[]): void {
    if (!changed.some(({ state, started_at }) => state === "ended" && started_at !== null)) return;
    for (const { id } of runningTurns(lane)) follows.set(id, msFromTimestamp(now()));
  }

  function write(before: Turn | undefined, turn: Turn): void {
    const { session_id } = turn;
    const waiting = waitingTurns(laneOf(session_id)).length;
    if (turn.state !== "ended") {
      // The step of a text is known from its send; a prompt that a launch passes has none.
      const isHanded = isHandedOver(turn) && before !== undefined && !isHandedOver(before);
      if (before?.cause === turn.cause && before.place === turn.place && turn.state !== "running" && !isHanded) return;
      void writing.run(session_id, () => publish(turn, newsOf(before, turn, { now: now(), waiting })));
      return;
    }
    settling.set(turn.id, before ?? turn);
    takenUp.delete(turn.id);
    follows.delete(turn.id);
    if (turn.started_at === null) release(turn);
    void writing.run(session_id, async () => {
      const whole = turn.started_at === null ? turn : await withWords(turn);
      await publish(whole, newsOf(before, whole, { now: now(), waiting }));
    });
  }

  return {
    lane: laneOf,
    isConcluding: (session) => [...settling.values()].some(({ session_id }) => session_id === session),
    async nextGeneration(session) {
      const known = newest.get(session) ?? (await journal.lastGeneration(session));
      const next = Math.max(known, newest.get(session) ?? 0) + 1;
      newest.set(session, next);
      return next;
    },
    apply(session, event) {
      const before = laneOf(session);
      const { lane, changed } = laneAfter(before, event, now());
      setLane(session, lane);
      noteFollowers(lane, changed);
      for (const turn of changed)
        write(
          before.open.find(({ id }) => id === turn.id),
          turn,
        );
      if (changed.length > 0) wake(session);
      return changed;
    },
    waits(session, decision_id) {
      const [turn] = runningTurns(laneOf(session));
      if (turn === undefined) return;
      const { session_id, project_id, id } = turn;
      const event = { type: "turn_waiting", at: now(), session_id, project_id, turn_id: id, decision_id } as const;
      void writing.run(session, async () => emit(event));
    },
    refuse(turn) {
      refused.set(turn.session_id, [...(refused.get(turn.session_id) ?? []), turn].slice(-REFUSED_KEPT));
      emit(endedEvent(turn, now()));
    },
    async seed(turns) {
      for (const turn of turns) await writing.run(turn.session_id, () => journal.keep(turn));
    },
    takeUp(turns, atMs) {
      for (const turn of turns) {
        setLane(turn.session_id, laneAfter(laneOf(turn.session_id), { type: "accepted", turn }, now()).lane);
        takenUp.set(turn.id, atMs);
      }
    },
    takenUpMs: (id) => takenUp.get(id) ?? null,
    followsMs: (id) => follows.get(id) ?? null,
    abandon(session, id) {
      const lane = laneOf(session);
      setLane(session, { ...lane, open: lane.open.filter((turn) => turn.id !== id) });
      wake(session);
    },
    async get(session, id) {
      const open = laneOf(session).open.find((turn) => turn.id === id);
      const known = open ?? settling.get(id) ?? unkept.get(id) ?? refused.get(session)?.find((turn) => turn.id === id);
      return known ?? journal.get(session, id);
    },
    list: (session, slice) =>
      writing.run(session, async () => {
        const kept = await journal.list(session, slice);
        return kept.map((turn) => laneOf(session).open.find(({ id }) => id === turn.id) ?? unkept.get(turn.id) ?? turn);
      }),
    settled: (session) => writing.run(session, async () => undefined),
    forget: (session) =>
      writing.run(session, async () => {
        for (const known of [lanes, newest, refused]) known.delete(session);
        for (const { id } of unkeptOf(session)) unkept.delete(id);
        await journal.forget(session);
      }),
    flush,
    async close() {
      await writing.idle();
      await flush().catch((error: unknown) => report({ doing: "keeping turns", error }));
      await journal.close();
    },
  };
}

function newsOf(
  before: Turn | undefined,
  turn: Turn,
  { now, waiting }: { readonly now: Timestamp; readonly waiting: number },
): EventBody | null {
  const common = { at: now, session_id: turn.session_id, project_id: turn.project_id, turn_id: turn.id };
  if (turn.state === "ended") return endedEvent(turn, now);
  if (before === undefined) return { ...common, type: "turn_queued", waiting };
  return turn.state === "running" && before.state !== "running" ? { ...common, type: "turn_started" } : null;
}

function endedEvent({ session_id, project_id, id, outcome, cause, code, reason }: Turn, now: Timestamp): EventBody {
  return { type: "turn_ended", at: now, session_id, project_id, turn_id: id, outcome: outcome ?? "failed", cause, code, reason };
}
