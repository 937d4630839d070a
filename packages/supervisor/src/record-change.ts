import {
  type ControlModel,
  type Finished,
  type Intent,
  isTerminal,
  type PaneIdentity,
  type ReasonCode,
  type SessionEvent,
  type SessionRecord,
  timestampFromMs,
  transition,
} from "@tmpm/core";
import type { Context } from "./context.js";

/** Applies an event through core's one table, stores it and reports it. @throws INVALID_STATE, and errors of the store */
export function recordEvent(ctx: Context, id: string, event: SessionEvent): Promise<SessionRecord> {
  return recordChange(ctx, { id, change: () => event });
}

export interface RecordedChange {
  readonly id: string;
  /** The event for the record at the time of writing; null for none after all. */
  readonly change: (current: SessionRecord) => SessionEvent | null;
  readonly reason?: ReasonCode;
  /** Other changes in the same write. */
  readonly also?: (current: SessionRecord) => Partial<SessionRecord>;
  /** Also with a full disk. */
  readonly anyway?: boolean;
}

/** Likewise for an event that depends on the record, with its reason. @throws INVALID_STATE, and errors of the store */
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
    ctx.requests.sweep.notify();
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

/** A finished session has nothing to report; another launch of it writes its files again. */
async function forgetHooks(ctx: Pick<Context, "hooks" | "report">, { id, name }: SessionRecord): Promise<void> {
  try {
    await ctx.hooks?.remove(id);
  } catch (error) {
    ctx.report({ doing: `removing the hook files of session ${name}`, error });
  }
}

/** Records an intent, with the changed configuration and host, before its effect; `goingTo` is a later target host. */
export function recordIntent(
  ctx: Pick<Context, "clock" | "newId" | "store">,
  intended: {
    readonly id: string;
    readonly op: Intent["op"];
    readonly step: string;
    readonly config?: SessionRecord["agent_config"];
    readonly control?: ControlModel;
    readonly goingTo?: ControlModel;
    readonly finish?: Finished;
    /** The terminal of an unfinished launch, found again. */
    readonly pane?: PaneIdentity;
    /** Also with a full disk. */
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
    pane: intended.pane ?? current.pane,
    updated_at: at,
  }));
}

/** Clears an intent without an effect, and its changes; also with a full disk. */
export function clearIntent(
  ctx: Pick<Context, "clock" | "store">,
  id: string,
  changed: Partial<Pick<SessionRecord, "control" | "pane">> = {},
): Promise<SessionRecord> {
  const at = timestampFromMs(ctx.clock.now());
  return ctx.store.updateAnyway(id, (current) =>
    current.intent === null ? current : { ...current, ...changed, intent: null, updated_at: at },
  );
}
