import {
  type ControlModel,
  type Finished,
  type Intent,
  isTerminal,
  type ReasonCode,
  type SessionEvent,
  type SessionRecord,
  timestampFromMs,
  transition,
} from "@tmpm/core";
import type { Context } from "./context.js";

/** Applies an event through core's one table, stores it and reports it. @throws INVALID_STATE, and what the store throws */
export function recordEvent(ctx: Context, id: string, event: SessionEvent): Promise<SessionRecord> {
  return recordChange(ctx, { id, change: () => event });
}

export interface RecordedChange {
  readonly id: string;
  /** What happens to the record as it is when it is written; null when nothing does after all. */
  readonly change: (current: SessionRecord) => SessionEvent | null;
  readonly reason?: ReasonCode;
  /** What else changes with it, in the same write. */
  readonly also?: (current: SessionRecord) => Partial<SessionRecord>;
  /** Also while the disk takes nothing. */
  readonly anyway?: boolean;
}

/** The same for an event that depends on the record, with its reason. @throws INVALID_STATE, and what the store throws */
export async function recordChange(ctx: Context, { id, change, reason, also, anyway = false }: RecordedChange): Promise<SessionRecord> {
  let from: SessionRecord["state"] | null = null;
  const update = anyway ? ctx.store.updateAnyway : ctx.store.update;
  const record = await update(id, (current) => {
    from = current.state;
    const event = change(current);
    if (event === null) return current;
    return { ...transition(current, event, timestampFromMs(ctx.clock.now())), ...also?.(current) };
  });
  if (from !== null && from !== record.state) {
    ctx.sweepRequests.notify();
    if (isTerminal(record)) await forgetHooks(ctx, record);
    ctx.emit({
      type: "session_state_changed",
      at: record.updated_at,
      session_id: id,
      from,
      to: record.state,
      cause: record.stop_cause,
      ...(reason === undefined ? {} : { reason }),
    });
  }
  return record;
}

/** A finished session has nothing to report; another launch of it writes its files anew. */
async function forgetHooks(ctx: Context, { id, name }: SessionRecord): Promise<void> {
  try {
    await ctx.hooks?.remove(id);
  } catch (error) {
    ctx.report({ doing: `removing the hook files of session ${name}`, error });
  }
}

/** Writes what is about to be done, and with what changed configuration and host, before it is done; `goingTo` is a host that it comes to later. */
export function recordIntent(
  ctx: Context,
  intended: {
    readonly id: string;
    readonly op: Intent["op"];
    readonly step: string;
    readonly config?: SessionRecord["agent_config"];
    readonly control?: ControlModel;
    readonly goingTo?: ControlModel;
    readonly finish?: Finished;
    /** Also while the disk takes nothing. */
    readonly anyway?: boolean;
  },
): Promise<SessionRecord> {
  const at = timestampFromMs(ctx.clock.now());
  const { op, step, goingTo, finish } = intended;
  const intent = {
    op,
    step,
    key: ctx.newId(),
    at,
    ...(goingTo === undefined ? {} : { control: goingTo }),
    ...(finish === undefined ? {} : { finish }),
  };
  const update = intended.anyway === true ? ctx.store.updateAnyway : ctx.store.update;
  return update(intended.id, (current) => ({
    ...current,
    intent,
    agent_config: { ...current.agent_config, ...intended.config },
    control: intended.control ?? current.control,
    updated_at: at,
  }));
}

/** Takes an intent back when nothing of it has happened, and what was changed for it; also while the disk takes nothing. */
export function clearIntent(ctx: Context, id: string, changed: Partial<Pick<SessionRecord, "control">> = {}): Promise<SessionRecord> {
  const at = timestampFromMs(ctx.clock.now());
  return ctx.store.updateAnyway(id, (current) =>
    current.intent === null ? current : { ...current, ...changed, intent: null, updated_at: at },
  );
}
