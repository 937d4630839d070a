import { isDeepStrictEqual } from "node:util";
import { type EventBody, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { StoreEvent, Subscription } from "@tmpm/store";
import type { Context } from "../context.js";
import { isTheirs } from "./bind-pane.js";

/**
 * Follows writes of other programs to a shared store: reports them as events, and signals when the terminal of a session that they started
 * must be found. A write of ours raises the record's `rev`, and theirs does not.
 */
export function followOtherWriters(ctx: Context, ring: () => void): Subscription {
  const known = new Map<string, SessionRecord>();
  let seeded = false;

  function take(record: SessionRecord): void {
    const before = known.get(record.id);
    known.set(record.id, record);
    const events = seeded ? changesOf(ctx, { before, after: record }) : [];
    for (const event of events) ctx.emit(event);
    if (isTheirs(record) || events.some(({ type }) => type === "session_state_changed")) ring();
  }

  async function takeAll(): Promise<void> {
    const entries = await ctx.store.list({ archived: true });
    for (const entry of entries) if (entry.kind === "session") take(entry.record);
    seeded = true;
  }

  function hear(event: StoreEvent): void {
    if (event.type === "look") {
      takeAll().catch((error: unknown) => ctx.report({ doing: "reading another program's changes", error }));
    } else if (event.type === "conflict") {
      ctx.emit({ type: "session_overwritten", at: nowOf(ctx), session_id: event.id, reason: "another_program", path: event.path });
    } else if (event.type === "removed") {
      known.delete(event.id);
    } else take(event.record);
  }

  return ctx.store.watch(hear);
}

interface Seen {
  readonly before: SessionRecord | undefined;
  readonly after: SessionRecord;
}

/** The events for a record as another program left it; none for a write of ours. */
function changesOf(ctx: Pick<Context, "clock">, { before, after }: Seen): readonly EventBody[] {
  const common = { at: nowOf(ctx), session_id: after.id, reason: "another_program" };
  if (before === undefined) return after.rev === 0 ? [{ ...common, type: "session_created", name: after.name, agent: after.agent }] : [];
  if (before.rev !== after.rev) return [];
  const { state: from } = before;
  const { state: to, stop_cause: cause } = after;
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) => field !== "state" && !isDeepStrictEqual(before[field], after[field]),
  );
  return [
    ...(from === to ? [] : [{ ...common, type: "session_state_changed" as const, from, to, cause }]),
    ...(fields.length === 0 ? [] : [{ ...common, type: "session_edited" as const, fields }]),
  ];
}

function nowOf(ctx: Pick<Context, "clock">) {
  return timestampFromMs(ctx.clock.now());
}
